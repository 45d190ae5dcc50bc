//go:build !unix

package soak

import "time"

// cpuTime is 0 where it is not known; then the time that the matches took counts.
func cpuTime() time.Duration { return 0 }
