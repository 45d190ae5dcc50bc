package desync

import (
	"fmt"
	"testing"
)

// Rule: if a game rejects a state that was kept, an older one is simulated further, so that the fields
// are still known; the report names the rejected state, and the error. That holds both for a text of
// the whole state and for a state divided into parts.
func TestAStateThatIsRefusedIsSimulatedAgain(t *testing.T) {
	for _, parted := range []bool{false, true} {
		for _, state := range []uint32{120, 125} { // the state that differs, and one after the rejected one
			tb := newTable(t, seldom(), toy{size: 400, width: 4, lines: true, parted: parted}, 1, 2)
			tb.seats[1].game.wrong = flip(state-1, 50)
			tb.seats[1].game.refuses = func(n uint32) bool { return n == 120 }
			tb.run(260)
			r := tb.report()
			p := r.Peers[1]
			if r.State != state || p.Origin != Resimulated || p.Base != 60 || p.Why != "state 120 was refused: cell 3 of state 120 is too large" {
				t.Errorf("parts: %v, state %d: %+v", parted, r.State, p)
			}
			if len(r.Fields) != 1 || r.Fields[0].Path != "Cell[0012]" || r.Fields[0].Values[p.Group].Kind != Present {
				t.Errorf("parts: %v: %+v", parted, r.Fields)
			}
			if q := r.Peers[0]; q.Why != "" || q.Base != 120 { // the control: nothing is refused there
				t.Errorf("%+v", q)
			}
		}
	}
}

// Rule: a state that was rejected and does not result again is not reproduced; the report says both.
func TestAStateThatIsRefusedAndNotReproduced(t *testing.T) {
	tb := newTable(t, seldom(), toy{size: 400, width: 4, lines: true}, 1, 2)
	tb.seats[1].glitch = flip(119, 50)
	tb.seats[1].game.refuses = func(n uint32) bool { return n == 120 }
	tb.run(260)
	if p := tb.report().Peers[1]; p.Origin != NotReproduced || p.Base != 60 || p.Why != "state 120 was refused: cell 3 of state 120 is too large" {
		t.Errorf("%+v", p)
	}
}

// Rule: if all states are rejected, only a few are tried, each in a slice of its own, and the newest is
// named.
func TestFewStatesAreTried(t *testing.T) {
	tb := newTable(t, everyState(), toy{size: 400, width: 4, lines: true}, 1, 2)
	g := tb.seats[1].game
	g.wrong, g.refuses = flip(100, 50), func(uint32) bool { return true }
	most := 0
	for range 300 {
		before := g.loads
		tb.run(1)
		most = max(most, g.loads-before)
	}
	want := fmt.Sprintf("state %d was refused: cell 3 of state %[1]d is too large", 101)
	if p := tb.report().Peers[1]; p.Origin != Unavailable || p.Why != want || g.loads != maxTries || most != 1 {
		t.Errorf("%d loads, %d at once: %+v", g.loads, most, p)
	}
}
