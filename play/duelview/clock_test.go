package duelview_test

import "time"

// fakeClock is a clock that a test advances.
type fakeClock struct{ at time.Time }

func newClock() *fakeClock { return &fakeClock{time.Unix(1_000_000, 0)} }

func (c *fakeClock) Now() time.Time { return c.at }

// tick advances by one frame at 60 frames per second, minus less than its rounding error.
func (c *fakeClock) tick() { c.at = c.at.Add(time.Second/60 + 1) }
