// Package tick is a package that a game imports.
package tick

import "time"

// Now reads the clock.
func Now() int64 { return time.Now().Unix() } // want clock

// Pause reads the clock, with a reason.
func Pause() int64 {
	return time.Now().Unix() //detlint:ignore clock this case shows a reason in another package
}

// Unused is reached from nowhere.
func Unused() int64 { return time.Now().Unix() }

// Limit is changed by Tune, which no step calls.
var Limit int32 = 3

// Tune changes Limit.
func Tune(n int32) { Limit = n }
