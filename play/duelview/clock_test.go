package duelview_test

import "time"

// fakeClock is a clock that a test moves on.
type fakeClock struct{ at time.Time }

func newClock() *fakeClock { return &fakeClock{time.Unix(1_000_000, 0)} }

func (c *fakeClock) Now() time.Time { return c.at }

// tick moves on by one frame at 60 frames a second, and a little less than the
// rounding of it.
func (c *fakeClock) tick() { c.at = c.at.Add(time.Second/60 + 1) }
