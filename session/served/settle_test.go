package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Rule: a client that hears the farewell before its last tick is due still has the last state, and has seen every
// tick, even if it has predicted the last ones wrong and has not run them again.
func TestTheFarewellMayComeBeforeTheLastTick(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		settles(t, wrong)
	}
}

func settles(t *testing.T, wrong bool) {
	const frames = 150
	f := newFixtureOf(t, countGame(), func(c *ServerConfig, _ *ServerHooks[count, uint16]) {
		c.Match.Frames, c.Linger = frames, time.Millisecond
	})
	if in := uint16(0); wrong {
		f.honest.nextInput.sample = func(Player) uint16 { in++; return in } // nobody predicts that
	}
	agreed := Frame(0)
	f.other.hooks.Agreed = func(a *rollback.Agreed[uint16]) { agreed = a.Frame + 1 }
	for f.server.Frame() < frames-5 {
		f.run(time.Millisecond)
	}
	if wrong { // so that it has predicted all ticks to the end when it hears the first of them
		f.late = 100 * time.Millisecond
		f.run(100 * time.Millisecond)
	}
	f.mute = true // it runs no tick any more, but hears
	f.run(200 * time.Millisecond)
	if f.other.Phase() != session.Over || f.other.Err() != ErrEnd {
		t.Fatalf("%v, %v", f.other.Phase(), f.other.Err())
	}
	if s := f.other.Final(); s == nil || *s != *f.server.Final() || agreed != frames {
		t.Errorf("of %d ticks it has seen %d, and ends with %+v", frames, agreed, s)
	}
}
