package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Rule: peers compare their chains at each interval. A difference is an event at all
// peers, at the first interval that shows it and while the match goes on; it names the
// peer, and is reported once. A peer that differs was equal up to the previous interval.
// If nothing differs, all are healthy.
func TestADifferenceIsNoticedAtTheNextComparison(t *testing.T) {
	for _, differs := range []bool{false, true} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 20 })
		tr.reach(Playing)
		for tr.peers[2].stream.Next() < 25 {
			tr.run(4 * time.Millisecond)
		}
		if differs {
			c := &tr.peers[2].stream.Chain
			c.Resume(c.Value() ^ 1) // as if state 26 were another one
		}
		for tr.peers[0].stream.Next() < 62 {
			tr.run(4 * time.Millisecond)
		}
		var checksums [3][2]uint64 // ours and theirs
		for i, p := range tr.peers {
			if p.Phase() != Playing {
				t.Fatalf("peer %d: %v", i, p.Phase())
			}
			if want := map[bool]Health{false: Healthy, true: Desynced}[differs]; p.Health() != want {
				t.Errorf("differs %v, peer %d: %v after two intervals", differs, i, p.Health())
			}
			if n := tr.count(i, Desync); n > 1 || (n == 1) != differs {
				t.Errorf("differs %v, peer %d: %d events", differs, i, n)
			}
			for j := range tr.peers {
				want := Frame(60)
				if differs && (i == 2) != (j == 2) {
					want = 20
				}
				if i != j && tr.way(i, j).chain.Equal() != want {
					t.Errorf("differs %v: to peer %d, peer %d was equal up to frame %d", differs, i, j, tr.way(i, j).chain.Equal())
				}
			}
			for _, e := range tr.seen[i] {
				if e.What == Desync && (e.Frame != 40 || i < 2 && e.Players != rollback.SetOf(2)) {
					t.Errorf("peer %d: %+v, must be about player 2 and frame 40", i, e)
				}
				if e.What == Desync {
					checksums[i] = [2]uint64{e.Ours, e.Theirs}
				}
			}
		}
		a, b := checksums[0][0], checksums[0][1]
		if (a != b) != differs || checksums[1] != checksums[0] || checksums[2] != [2]uint64{b, a} {
			t.Errorf("differs %v: the checksums are %x", differs, checksums)
		}
	}
}
