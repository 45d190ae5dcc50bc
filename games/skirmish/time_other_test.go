//go:build !linux

package skirmish

import "time"

var start = time.Now()

// processorTime is the time, where that of the processor is not known.
func processorTime() time.Duration { return time.Since(start) }
