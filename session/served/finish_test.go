package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Rule: a match that the game ends by Finish ends for the server and all clients after that tick, with
// the same result.
func TestTheGameEndsAMatch(t *testing.T) {
	game := countGame()
	step := game.Step
	game.Step = func(s *count, k *rollback.Tick[uint16]) {
		step(s, k)
		if k.Frame() == 180 {
			k.Finish(uint64(s.Sum[0]))
		}
	}
	f := newFixtureOf(t, game, nil)
	f.run(4 * time.Second)
	o, over := f.server.Outcome()
	if !over || o.Frames != 181 || !o.Finished || o.Result == 0 || f.server.Frame() != 181 {
		t.Fatalf("%+v, %v, frame %d", o, over, f.server.Frame())
	}
	for _, c := range []*Client[count, uint16]{f.honest, f.other} {
		got, over := c.Outcome()
		if !over || got.Frames != o.Frames || got.Result != o.Result || !got.Finished || got.Hash != o.Hash || c.Final() == nil || c.Phase() == session.Playing {
			t.Errorf("%+v, %v, %v, final %v; want %+v", got, over, c.Phase(), c.Final(), o)
		}
	}
	f.run(3 * time.Second)
	if f.server.Err() != ErrEnd || f.honest.Err() != ErrEnd || f.other.Err() != ErrEnd || !f.server.Done() {
		t.Errorf("%v, %v, %v, %v", f.server.Err(), f.honest.Err(), f.other.Err(), f.server.Done())
	}
}

// Rule: data that a client's last tick waits for is agreed as soon as the tick has run again with what the server
// sends, not only when more is sent.
func TestTheLastTicksAreAgreedAtOnce(t *testing.T) {
	const frames = 200
	f := newFixtureOf(t, countGame(), func(c *ServerConfig, _ *ServerHooks[count, uint16]) { c.Match.Frames = frames })
	in := uint16(0)
	f.honest.nextInput.sample = func(Player) uint16 { in++; return in } // nobody predicts that
	f.late = 100 * time.Millisecond
	agreed, within := 0, 0
	c := f.other
	c.hooks.Agreed = func(*rollback.Agreed[uint16]) { agreed++ }
	f.each = func() {
		if c.engine.Frame() < frames || c.Phase() != session.Playing {
			return
		}
		before := agreed
		c.tick()
		within += agreed - before
		if a := c.engine.NextAgreed(); a != nil {
			t.Fatalf("at the end of a tick, tick %d is known, and was not told", a.Frame)
		}
	}
	f.run(3 * time.Second)
	if c.Final() == nil || within == 0 {
		t.Errorf("final state %v, %d ticks were agreed by a tick at the end", c.Final(), within)
	}
}
