// Package far is another package than that of the root.
package far

import "time"

// Stamp reads the clock.
func Stamp() int64 { return time.Now().Unix() } // want clock

// Clock is read where its method is called.
type Clock struct{}

// Now reads the clock.
func (Clock) Now() int64 { return time.Now().Unix() } // want clock

// Apply calls f.
func Apply(f func() int64) int64 { return f() }

// Unused is reached by nothing.
func Unused() int64 { return time.Now().Unix() }
