package session

import (
	"errors"
	"slices"
	"testing"
	"time"
)

func TestAllHearWhoRefuses(t *testing.T) {
	tr := newTrio(t, 3, nil)
	missing := errors.New("the level is missing")
	tr.peers[1].sim.hooks.Start = func(Parameters) (func(*sum), error) { return nil, missing }
	tr.run(2 * time.Second)
	for i, p := range tr.peers {
		var e *RefusedError
		if err := p.Err(); !errors.As(err, &e) || e.Players != 0b010 || e.Reason != missing.Error() || p.Phase() != Over {
			t.Errorf("peer %d is %v: %v", i, p.Phase(), err)
		}
	}
}

func TestWhoComesLateLearnsHowFarItIs(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Match.Frames = 100 })
	tr.forge = func(from, to int, b []byte) []byte {
		if from+to == 3 && tr.now < 700*time.Millisecond { // between the spectators
			return nil
		}
		return b
	}
	tr.run(1200 * time.Millisecond)
	for i, p := range tr.peers {
		if p.Phase() != Playing || i > 0 && tr.count(i, Accepted) != 1 || i == 0 && tr.count(i, Accepted) != 2 {
			t.Errorf("peer %d is %v: %v", i, p.Phase(), tr.seen[i])
		}
	}
}

func TestTheNextMatchWaitsForTheEnd(t *testing.T) {
	for _, withdrawn := range []bool{false, true} {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
		tr.reach(Playing)
		m, host := tr.peers[1], tr.way(1, 0)
		p := Parameters{Seed: 9, Frames: 50}
		o := p.Offer(2, m.items.State)
		if err := m.receiveMessage(host, o.Append([]byte{messageOffer, 0b11})); err != nil {
			t.Fatal(err)
		}
		if withdrawn {
			if err := m.receiveMessage(host, append(about(messageRefuse, 2, byte(0b01)), "no"...)); err != nil {
				t.Fatal(err)
			}
			_ = m.receiveMessage(host, o.Append([]byte{messageOffer, 0b11})) // it comes more than once
		}
		if m.Phase() != Playing || tr.proposal(1) != 1 {
			t.Fatalf("it is %v, match %d", m.Phase(), tr.proposal(1))
		}
		tr.until(5*time.Second, func() bool { return m.Phase() == Lobby })
		tr.run(100 * time.Millisecond)
		list := kindsOf(tr.seen[1])
		ended, proposed := slices.Index(list, Ended), len(list)-1-slices.Index(reversed(list), Proposed)
		if heard := tr.count(1, Proposed) == 2 && proposed > ended && m.Phase() == Starting && tr.proposal(1) == 2; heard == withdrawn {
			t.Errorf("withdrawn %v: it is %v, match %d: %v", withdrawn, m.Phase(), tr.proposal(1), tr.seen[1])
		}
	}
}

func reversed(list []What) []What {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}
