package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Rule: a client that hears the farewell before its last tick is due has the last state all the same, and has seen
// every tick.
func TestTheFarewellMayComeBeforeTheLastTick(t *testing.T) {
	const frames = 150
	f := newFixtureOf(t, countGame(), func(c *ServerConfig, _ *ServerHooks[count, uint16]) {
		c.Match.Frames, c.Linger = frames, time.Millisecond
	})
	agreed := Frame(0)
	f.other.hooks.Agreed = func(a *rollback.Agreed[uint16]) { agreed = a.Frame + 1 }
	for f.server.Frame() < frames-5 {
		f.run(time.Millisecond)
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
