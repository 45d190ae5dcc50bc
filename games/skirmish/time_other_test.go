//go:build !linux

package skirmish

import "time"

var start = time.Now()

// processorTime returns the elapsed time, where the processor time is not known.
func processorTime() time.Duration { return time.Since(start) }
