package session

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// shownSum returns a match of the game sum for two players, which is shown without a spectator.
func shownSum(t *testing.T) *shownMatch[sum, uint16] {
	t.Helper()
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	k := &shownMatch[sum, uint16]{game: sumGame(), plan: plan, events: new(event.Queue), config: rollback.Config{HashEvery: 1}}
	if err := k.build(2); err != nil {
		t.Fatal(err)
	}
	if err := k.begin(&datagram.Offer{Match: 3}); err != nil {
		t.Fatal(err)
	}
	return k
}

// Rule: frames run in order, and what they change is told.
func TestAMatchIsShownFrameByFrame(t *testing.T) {
	k := shownSum(t)
	for n, gone := range []uint16{0, 2, 0} {
		if err := k.run(&agreed.Frame{Number: uint32(n), Inputs: make([]byte, 4), Gone: gone}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.run(&agreed.Frame{Number: 4, Inputs: make([]byte, 4)}); !errors.Is(err, agreed.ErrGap) {
		t.Errorf("a frame is missing: %v", err)
	}
	told := ""
	for _, e := range k.events.Take() {
		told += fmt.Sprint(e.What, " ", e.Frame, "; ")
	}
	if want := "started 0; left 1; joined 2; "; told != want || k.engine.Frame() != 3 || k.begun != 1 {
		t.Errorf("%q, not %q; at frame %d", told, want, k.engine.Frame())
	}
}

// Rule: a state that equals the host's makes the match healthy, and one that differs does not by itself: the host may
// be wrong. Once it is known to be right, nothing is compared any more.
func TestAShownMatchIsCompared(t *testing.T) {
	k := shownSum(t)
	ours, err := k.engine.Hash()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		theirs uint64
		differ bool
		health Health
	}{{0, false, Unverified}, {ours + 1, true, Unverified}, {ours, false, Healthy}, {ours + 1, true, Healthy}} {
		if _, differ := k.compare(c.theirs); differ != c.differ || k.health != c.health {
			t.Errorf("%+v: it differs: %v, %v", c, differ, k.health)
		}
	}
	k.desynced(ours, ours+1, "host")
	if _, differ := k.compare(ours + 1); differ || k.health != Desynced {
		t.Errorf("it differs again: %v, %v", differ, k.health)
	}
	if k.finish(&spectate.End{Frames: 9}); !k.over || k.match != 0 || k.outcome.Match != 3 || k.outcome.Health != Desynced {
		t.Errorf("%+v", k.outcome)
	}
}
