package pace

import (
	"testing"
	"time"
)

// Rule: between two updates the time advances by at most most, and never goes back, whatever the
// owner's clock shows; and times of arrival in between are between them.
func TestTheClockGoesOnByALittle(t *testing.T) {
	const most, second = 500 * time.Millisecond, time.Second
	for _, c := range []struct {
		what   string
		shows  time.Duration // after 0
		passed time.Duration
	}{
		{"a tick", 16 * time.Millisecond, 16 * time.Millisecond},
		{"the longest that counts", most, most},
		{"a nap", most + 1, most},
		{"a night", 8 * 3600 * second, most},
		{"nothing", 0, 0},
		{"a moment back", -1, 0},
		{"hours back", -8 * 3600 * second, 0},
	} {
		k := Clock{now: Beginning, updated: Beginning, step: most}
		k.start(0)
		k.Update(c.shows)
		if passed := k.now - Beginning; passed != c.passed {
			t.Errorf("%s: %v passed, want %v", c.what, passed, c.passed)
		}
		if k.Internal(c.shows) != k.now {
			t.Errorf("%s: the owner's clock shows %v, and that is %v here, now %v", c.what, c.shows, k.Internal(c.shows), k.now)
		}
		before := k.now
		if k.Update(c.shows + 10*time.Millisecond); k.now-before != 10*time.Millisecond {
			t.Errorf("%s: then %v passed in 10 ms", c.what, k.now-before)
		}
	}
	// What is converted comes back.
	k := NewClock(second, 10*second)
	k.start(second)
	k.start(0) // changes nothing
	if k.Internal(second) != Beginning || k.External(k.Internal(17*second)) != 17*second || k.Now() != Beginning {
		t.Error("the clock starts twice, or does not convert")
	}
	for _, c := range []struct{ shows, at time.Duration }{
		{-8 * 3600 * second, -most}, {-most - 1, -most}, {-most, -most}, {-1, -1}, {0, 0}, {most, most}, {most + 1, most}, {8 * 3600 * second, most},
	} {
		k := Clock{now: Beginning, updated: Beginning, step: most}
		k.start(0)
		if at := k.Arrive(c.shows); at-Beginning != c.at || k.now != max(at, Beginning) {
			t.Errorf("what arrives at %v, does at %v, want %v; now %v", c.shows, at-Beginning, c.at, k.now-Beginning)
		}
		if k.Arrive(8 * 3600 * second); k.now-Beginning > most {
			t.Errorf("what arrived moved the time by %v", k.now-Beginning)
		}
	}
}

// Two updates may be as far apart as can be caught up on, but not more than half of the silence after
// which a peer is lost; and always one tick period.
func TestHowFarTwoUpdatesMayLieApart(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct{ tick, dropAfter, want time.Duration }{
		{time.Second / 60, 5000 * ms, 30 * (time.Second / 60)},
		{time.Second / 60, 900 * ms, 450 * ms},
		{time.Second / 20, 5000 * ms, 1000 * ms},
		{10 * ms, 5000 * ms, 30 * (time.Second / 60)},
		{ms, 5000 * ms, 30 * (time.Second / 60)},
		{10 * ms, 500 * ms, 250 * ms},
		{100 * ms, 5000 * ms, 1000 * ms},
		{1000 * ms, 4000 * ms, 2000 * ms},
		{1000 * ms, 1000 * ms, 1000 * ms},
	} {
		if k := NewClock(c.tick, c.dropAfter); k.step != c.want {
			t.Errorf("ticks of %v, lost after %v: %v, want %v", c.tick, c.dropAfter, k.step, c.want)
		}
	}
}
