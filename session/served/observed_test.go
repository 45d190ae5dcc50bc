package served

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: the observer of a server gets each event when it happens, and the owner gets the same ones later.
func TestAServersEventsAreObserved(t *testing.T) {
	var seen []event.Event
	f := newFixtureOf(t, countGame(), func(c *ServerConfig, _ *ServerHooks[count, uint16]) {
		c.Observe = func(e event.Event) { seen = append(seen, e) }
	})
	if taken := f.server.Events(); len(seen) < 2 || fmt.Sprint(seen) != fmt.Sprint(taken) {
		t.Errorf("observed %v, and taken later %v", seen, taken)
	}
}

// Rule: a request to watch at a server without spectators is a stranger's, as is one that is damaged.
func TestRequestsThatNobodyServesAreStrangers(t *testing.T) {
	f := newFixture(t)
	sets := datagram.SetsOf(countAbout.Players)
	watch := append((&datagram.Attach{Nonce: 7, Sets: sets}).Append(nil), make([]byte, datagram.TagSize)...)
	for name, b := range map[string][]byte{"to watch": watch, "damaged": watch[:len(watch)/2]} {
		before := f.server.counts.strangers
		f.server.attach(otherAddr, b)
		if n := f.server.counts.strangers - before; n != 1 {
			t.Errorf("%s: %d strangers", name, n)
		}
	}
}

// Rule: a late input that is none of the game's is not carried into the next one.
func TestWhatIsNoInputIsNotCarried(t *testing.T) {
	plan, err := canon.PlanFor[bool]()
	if err != nil {
		t.Fatal(err)
	}
	carried := 0
	s := &simulation[count, bool]{plan: plan, hooks: ServerHooks[count, bool]{Carry: func(late, next bool) bool { carried++; return late || next }}}
	carry := s.sequencing().Carry
	for _, c := range []struct{ late, next, want byte }{{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {1, 2, 2}} {
		next := []byte{c.next}
		before := carried
		carry([]byte{c.late}, next)
		if valid := c.late < 2 && c.next < 2; next[0] != c.want || carried-before != map[bool]int{true: 1}[valid] {
			t.Errorf("%+v: %d, and the game was asked %d times", c, next[0], carried-before)
		}
	}
}
