package stream

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Rule: an encoded frame contains everything agreed, for up to 16 players, and its inputs are
// decoded unchanged.
func TestFramesAreEncoded(t *testing.T) {
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	e := NewEncoder(plan)
	a := rollback.Agreed[uint16]{Frame: 7, Finished: true, Result: 9, Orders: make([][]byte, rollback.MaxPlayers)}
	for p := range rollback.MaxPlayers {
		a.Inputs = append(a.Inputs, uint16(p*300))
	}
	a.Gone = rollback.SetOf(2, 15)
	for _, orders := range []bool{false, true} {
		if orders {
			a.Orders[5] = []byte("go")
		}
		f := e.Encode(&a)
		if f.Number != 7 || !f.Finished || f.Result != 9 || f.Gone != 1<<2|1<<15 || (f.Orders != nil) != orders {
			t.Errorf("%+v", f)
		}
		back := make([]uint16, rollback.MaxPlayers)
		if err := Decode(plan, back, f); err != nil || !slices.Equal(back, a.Inputs) {
			t.Errorf("the inputs come back as %d: %v", back, err)
		}
	}
	bools, err := canon.PlanFor[bool]()
	if err != nil {
		t.Fatal(err)
	}
	if Decode(bools, make([]bool, 1), &agreed.Frame{Inputs: []byte{2}}) == nil {
		t.Error("an input that is none is taken")
	}
}
