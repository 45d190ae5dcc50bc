package fleet

import (
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Offline, each match begins with its own state 0, and its frames follow; a hash is computed if the frame has one.
func TestMatchesAreReplayedOffline(t *testing.T) {
	start := func(p session.Parameters) (func(*ledger), error) {
		if p.Seed == 0 {
			return nil, nil
		}
		return func(l *ledger) { l.Bias += uint32(p.Seed) }, nil
	}
	game := ledgerGame(nil)
	fresh := func() *offline[ledger, note] {
		o, err := newOffline[ledger, note](game, 2, start)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	play := func(o *offline[ledger, note], match uint32, seed uint64, frame rollback.Frame, hashed bool) uint64 {
		hash, _ := o.play(match, session.Parameters{Seed: seed}, &rollback.Agreed[note]{
			Frame: frame, Inputs: []note{1, 2}, Statuses: make([]rollback.Status, 2), Orders: make([][]byte, 2), Hashed: hashed,
		})
		return hash
	}
	o := fresh()
	first := play(o, 1, 5, 0, true)
	if second := play(o, 1, 5, 1, true); first == 0 || second == 0 || second == first {
		t.Errorf("the hashes are %x and %x", first, second)
	}
	if play(o, 1, 5, 2, false) != 0 {
		t.Error("a frame without a hash has one")
	}
	if again := play(o, 2, 5, 0, true); again != first {
		t.Error("the next match, with the same seed, does not begin like the one before")
	}
	if other := play(o, 3, 6, 0, true); other == first || other != play(fresh(), 1, 6, 0, true) {
		t.Error("a match with another seed does not begin as it would alone")
	}
	if plain := play(o, 4, 0, 0, true); plain != play(fresh(), 1, 0, 0, true) {
		t.Error("a match without a start of its own does not begin with the state 0 of the game")
	}
	game.Init = func(l *ledger) { l.Bias = 9 }
	if play(fresh(), 1, 5, 0, true) != first || play(fresh(), 1, 0, 0, true) != play(fresh(), 1, 9, 0, true) {
		t.Error("a start of its own is not given the zero value, or the game's own state 0 is not used without one")
	}
}

// An agreement depends on all inputs, orders and statuses of a frame, and on how orders are divided among the players.
func TestAnAgreementHasAllOfAFrame(t *testing.T) {
	c, err := newCondenser[note]()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]int{}
	for i, change := range []func(a *rollback.Agreed[note]){
		func(*rollback.Agreed[note]) {},
		func(a *rollback.Agreed[note]) { a.Inputs[1] = 3 },
		func(a *rollback.Agreed[note]) { a.Statuses[1] = rollback.Disconnected },
		func(a *rollback.Agreed[note]) { a.Orders[0] = []byte{1} },
		func(a *rollback.Agreed[note]) { a.Orders[1] = []byte{1} },
	} {
		for range 2 {
			a := rollback.Agreed[note]{Frame: 9, Inputs: []note{1, 2}, Statuses: make([]rollback.Status, 2), Orders: make([][]byte, 2), Hash: 4, Hashed: true, Result: 6, Finished: true}
			for p := range a.Statuses {
				a.Statuses[p] = rollback.Confirmed
			}
			change(&a)
			x := c.condense(3, 7, &a)
			if other, ok := seen[x.inputs]; ok && other != i {
				t.Errorf("changes %d and %d make no difference", other, i)
			}
			seen[x.inputs] = i
			want := agreement{machine: 3, match: 7, frame: 9, inputs: x.inputs, hash: 4, hashed: true, result: 6, finished: true}
			if i == 2 {
				want.without = rollback.SetOf(1)
			}
			if x != want {
				t.Errorf("change %d: %+v, want %+v", i, x, want)
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d digests, want 5", len(seen))
	}
}
