//go:build !unix

package soak

import "time"

// cpuTime returns 0 where it is not known; then the elapsed time of the matches is used.
func cpuTime() time.Duration { return 0 }
