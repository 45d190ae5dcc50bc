package session

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Inputs of the past whose orders do not fit any more are let go from the oldest on; while
// they are frozen, no frame comes in without its orders, nor any behind it.
func TestThePastHoldsFramesWithTheirOrders(t *testing.T) {
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	p := newPast(plan, 2, 0, 4*(100+ordersCost), true)
	add := func(f, size int) {
		a := rollback.Agreed[uint16]{Frame: Frame(f), Inputs: []uint16{uint16(f), 0}, Statuses: make([]rollback.Status, 2), Orders: make([][]byte, 2)}
		a.Orders[1] = bytes.Repeat([]byte{byte(f)}, size)
		p.add(&a)
	}
	held := func(what string, from, to uint32) {
		t.Helper()
		if p.First() != from || p.Next() != to {
			t.Fatalf("%s: frames %d to %d are held, want %d to %d", what, p.First(), p.Next(), from, to)
		}
		for f := from; f < to; f++ {
			got := p.Frame(f)
			if got == nil || len(got.Orders) != 2 || len(got.Orders[1]) != 100 || got.Orders[1][0] != byte(f) {
				t.Fatalf("%s: frame %d is %+v", what, f, got)
			}
		}
	}
	for f := range 4 {
		add(f, 100)
	}
	held("all fit", 0, 4)
	add(4, 100)
	held("one more", 1, 5)
	p.Freeze()
	add(5, 100)
	held("frozen, and full", 1, 5)
	add(6, 0)
	held("the next one, without orders", 1, 5)
}
