package served

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: datagrams that are not fetched do not pile up. Those that there is no room for are counted, and
// when datagrams are fetched again, all play on.
func TestDatagramsThatNobodyTakesDoNotPileUp(t *testing.T) {
	f := newFixture(t)
	most := f.server.Stats(nil).PendingDatagrams
	f.server.out.Most, f.other.out.Most = 40, 40
	for range 1500 {
		f.now += time.Millisecond
		f.server.Update(f.now)
		f.other.Update(f.now)
		f.honest.Update(f.now)
		for _, b := range f.honest.Outgoing() {
			f.server.Receive(f.now, honestAddr, b)
		}
		most = max(most, f.server.Stats(nil).PendingDatagrams, f.other.Stats(nil).PendingDatagrams)
	}
	if most != 40 || f.server.Stats(nil).DroppedDatagrams == 0 || f.other.Stats(nil).DroppedDatagrams == 0 {
		t.Errorf("%d wait, of 40; %d and %d had no room", most, f.server.Stats(nil).DroppedDatagrams, f.other.Stats(nil).DroppedDatagrams)
	}
	f.run(2 * time.Second)
	f.unharmed()
	if f.other.Err() != nil || f.server.Members().Len() != 2 {
		t.Errorf("%v; %v play", f.other.Err(), f.server.Members())
	}
}

// Rule: the same holds for those of a client that asks for a place.
func TestRequestsThatNobodyTakesDoNotPileUp(t *testing.T) {
	g := newGate(t, nil)
	c := g.join(home)
	c.out.Most = 5
	g.tap = func(from, _ netip.AddrPort, b []byte) bool { return from != serverAddr && b[0] == datagram.KindAttach }
	for range 2 { // before it has an answer, and then
		for range 1000 {
			g.now += time.Millisecond
			c.Update(g.now)
		}
		if s := c.Stats(nil); s.PendingDatagrams != 5 || s.DroppedDatagrams == 0 {
			t.Errorf("%d wait, and %d had no room", s.PendingDatagrams, s.DroppedDatagrams)
		}
		g.run(100 * time.Millisecond)
	}
	g.tap = nil
	if g.run(second); c.Phase() != session.Playing {
		t.Errorf("%v, %v", c.Phase(), c.Err())
	}
}

// Rule: nothing more is sent to a client that is about to be removed.
func TestAClientThatIsGoneIsSentNothing(t *testing.T) {
	for _, gone := range []string{"", "it broke a rule"} {
		f := newFixture(t)
		p, _ := f.other.Player()
		c := f.server.clients.of[p]
		late := f.server.now + time.Minute
		before := c.out.Len()
		c.gone = gone
		if c.serve(late); c.pipe.ProbeDue(late) || (c.out.Len() > before) != (gone == "") {
			t.Errorf("%d datagrams for one that is gone: %q", c.out.Len()-before, gone)
		}
	}
}
