package served

import (
	"testing"
	"time"
)

// Rule: a client is as far behind as its acknowledgements say, but not farther than its round trip
// explains; the largest of the last measurements counts.
func TestHowFarBehindAClientIs(t *testing.T) {
	const period, way = 50 * time.Millisecond, 120 * time.Millisecond // which is 3 ticks
	for _, c := range []struct {
		f, newest, closes Frame
		want              int
	}{
		{100, 96, 98, 4},
		{100, 90, 98, 6},    // it claims to hold an old state, but answers faster than that
		{100, 0, 98, 6},     // or none of the newer ones at all
		{100, 0, 110, 3},    // it arrives late, and was not made earlier than it says
		{100, 101, 98, 0},   // the server is ahead of it
		{1000, 0, 760, 244}, // far ahead of the server
		{2000, 0, 1700, 255},
	} {
		var b behind
		if b.add(c.f, c.newest, c.closes, way, period); b.ticks() != c.want {
			t.Errorf("%+v: %d", c, b.ticks())
		}
	}
	for way, want := range map[time.Duration]int{0: 0, 1: 1, period - 1: 1, period: 1, period + 1: 2, 2 * period: 2} {
		var b behind
		if b.add(100, 0, 101, way, period); b.ticks() != want {
			t.Errorf("a round trip of %v is %d ticks, want %d", way, b.ticks(), want)
		}
	}
	var b behind
	if b.ticks() != 0 {
		t.Errorf("without a measure: %d", b.ticks())
	}
	b.add(100, 91, 99, time.Second, period)
	for i := Frame(1); i < 2*behindHeld; i++ {
		want := 9
		if i > behindHeld-1 {
			want = 4
		}
		if b.add(100+i, 96+i, 98+i, time.Second, period); b.ticks() != want {
			t.Fatalf("after %d: %d, want %d", i, b.ticks(), want)
		}
	}
}
