package session

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Orders count in a match that all are ready for, from its members; otherwise they are
// ignored, whatever they are.
func TestWhenOrdersCount(t *testing.T) {
	for _, c := range []struct {
		what   string
		phase  Phase
		with   func(tr *trio)
		counts bool
	}{
		{"in the lobby", Lobby, nil, false},
		{"before it is ready", Starting, func(tr *trio) { _ = tr.peers[1].Accept() }, false},
		{"when it is ready", Starting, func(tr *trio) { _ = tr.peers[1].Accept(); _ = tr.peers[1].Ready() }, true},
		{"while it plays", Playing, nil, true},
		{"of who is gone", Playing, func(tr *trio) { tr.way(1, 2).state = gone }, false},
		{"after the end", Over, nil, false},
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
		tr.reach(c.phase)
		tr.abused = true
		if c.with != nil {
			c.with(tr)
		}
		m, l := tr.peers[1], tr.way(1, 2)
		for what, f := range map[string]Frame{"the next frame": m.inputs.Next(2), "another one": m.inputs.Next(2) + 10, "a far one": m.inputs.Next(2) + 1<<20} {
			before := m.inputs.Waiting(&l.Peer)
			err := m.receiveMessage(l, about(messageOrders, m.lobby.Number(), byte(2), f, byte(1)))
			kept := m.inputs.Waiting(&l.Peer) - before
			if good := what != "a far one"; err == nil != (good || !c.counts) || kept == 1 != (good && c.counts) {
				t.Errorf("%s, %s: %d are kept: %v", c.what, what, kept, err)
			}
		}
	}
}

// A game that gives longer orders than allowed ends the session with that error, and the
// others hear why.
func TestOrdersThatAreTooLong(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.peers[1].sim.hooks.Orders = func(Player) []byte { return make([]byte, 301) }
	tr.run(time.Second)
	var long *rollback.OrdersError
	if err := tr.peers[1].Err(); !errors.As(err, &long) || long.Player != 1 {
		t.Fatalf("it is %v: %v", tr.peers[1].Phase(), err)
	}
	if e := tr.seen[0][len(tr.seen[0])-1]; tr.count(0, Left) != 1 {
		t.Errorf("the other one hears %v", e)
	}
}
