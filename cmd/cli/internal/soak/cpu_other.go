//go:build !unix

package soak

import "time"

// cpuTime returns 0, since the processor time is not known on this system; the elapsed time of the matches is used
// instead.
func cpuTime() time.Duration { return 0 }
