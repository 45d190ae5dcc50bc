package membership

import (
	"errors"
	"testing"
)

// still is a match in which all inputs before a frame are here.
type still Frame

func (s still) Next(Player) Frame { return Frame(s) }
func (s still) Floor() Frame      { return Frame(s) - 2 }

// Rule: what a guard has stopped or agreed to stays so until the next slot, and a later gate replaces no earlier one.
func TestAGuardOnlyGrows(t *testing.T) {
	g := guard{match: still(10)}
	g.begin()
	g.stop(4)
	g.stop(0)
	g.agree(gate{newcomer{8, 1}, 20})
	g.agree(gate{newcomer{8, 1}, 3}) // it has run farther
	g.agree(gate{newcomer{8, 1}, 30})
	if g.stopped != 4 || g.gated != 8 || g.gate.frame != 30 {
		t.Errorf("%+v", g)
	}
	if g.begin(); g.stopped != 0 || g.gated != NoFrame || g.gate != (gate{}) || g.match == nil {
		t.Errorf("in the next slot: %+v", g)
	}
}

// Rule: an entry must remove what is stopped, where the inputs that are here end, and let nobody join behind a gate.
func TestWhatContradictsAGuard(t *testing.T) {
	s := Begin([]PlayerSet{1, 2, 4}, 8)
	g := guard{match: still(10)}
	g.begin()
	g.stop(4)
	g.complete(&s, 2, 10)
	g.complete(&s, 1, 11) // not all of its inputs are here
	g.agree(gate{newcomer{8, 1}, 20})
	for _, c := range []struct {
		e  Entry
		ok bool
	}{
		{Entry{}, true},
		{Entry{Kind: Drop, Players: 4, Cuts: [maxPlayers]Frame{2: 10}}, true},
		{Entry{Kind: Drop, Players: 4, Cuts: [maxPlayers]Frame{2: 9}}, false},
		{Entry{Kind: Kick, Players: 2, Cuts: [maxPlayers]Frame{1: 10}}, false},
		{Entry{Kind: Leave, Players: 2, Frame: 10}, true},
		{Entry{Kind: Leave, Players: 2, Frame: 11}, false},
		{Entry{Kind: Leave, Players: 1, Frame: 10}, false},
		{Entry{Kind: Join, Players: 8, Frame: 20, ID: 1}, true},
		{Entry{Kind: Join, Players: 8, Frame: 19, ID: 1}, false},
	} {
		if err := g.contradicts(&s, c.e); c.ok && err != nil || !c.ok && !errors.Is(err, errConflict) {
			t.Errorf("%v: %v", c.e, err)
		}
	}
}

// Rule: a claim says which inputs of the stopped and the leaving are here, and of nobody else.
func TestAClaimDescribesTheGuard(t *testing.T) {
	s := Begin([]PlayerSet{1, 2, 4}, 0)
	g := guard{match: still(10)}
	g.begin()
	g.stop(4)
	g.complete(&s, 2, 10)
	var c claim
	if g.describe(&c, &s); c.stopped != 4 || c.whole != 2 || c.held != [maxPlayers]Frame{1: 10, 2: 10} {
		t.Errorf("%+v", c)
	}
}

// Rule: a member that joined has arrived when all inputs of the others before its first frame are here.
func TestWhoHasArrived(t *testing.T) {
	s := Begin([]PlayerSet{1, 2}, 0)
	for back, want := range map[Frame]bool{NoFrame: true, 9: true, 10: true, 11: false} {
		s.Absent[1].Back = back
		g := guard{match: still(10)}
		if got := g.arrived(&s, 2); got != want {
			t.Errorf("it joined at %d: %v", back, got)
		}
	}
}
