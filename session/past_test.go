package session

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Old inputs whose orders no longer fit are dropped, the oldest first; while they are frozen,
// no frame is added without its orders, nor any after it.
func TestThePastHoldsFramesWithTheirOrders(t *testing.T) {
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	p := newPast(plan, 2, 0, 4*(100+ordersCost), true)
	add := func(f, size int) {
		a := rollback.Agreed[uint16]{Frame: Frame(f), Inputs: []uint16{uint16(f), 0}, Orders: make([][]byte, 2)}
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

// As many inputs are kept as fit: the requested number of frames, in powers of two, within the
// given number of bytes; and never fewer than 64.
func TestAsMuchOfThePastAsFits(t *testing.T) {
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	const each = 2*2 + 1 // bytes of a frame: two inputs, and the set of absent players
	for _, c := range []struct{ frames, bytes, want int }{
		{0, 1 << 20, 64},
		{64, 1 << 20, 64},
		{65, 1 << 20, 128},
		{128, 1 << 20, 128},
		{1000, 1 << 20, 1024},
		{1000, 0, 64},
		{1000, 256*each - 1, 128},
		{1000, 256 * each, 256},
	} {
		p := newPast(plan, 2, c.frames, c.bytes, false)
		for f := range 3000 {
			p.add(&rollback.Agreed[uint16]{Frame: Frame(f), Inputs: []uint16{uint16(f), 1}})
		}
		if got := int(p.Next() - p.First()); got != c.want || p.Next() != 3000 {
			t.Errorf("%d frames in %d bytes: %d are held up to %d, want %d", c.frames, c.bytes, got, p.Next(), c.want)
		}
		for f := range uint32(3002) {
			held := p.Frame(f)
			if (held != nil) != (f >= p.First() && f < p.Next()) || held != nil && (held.Number != f || held.Inputs[0] != byte(f) || held.Inputs[1] != byte(f>>8) || held.Orders != nil) {
				t.Fatalf("frame %d is %+v", f, held)
			}
		}
		p.Forget(2990)
		if p.First() != 2990 || p.Frame(2989) != nil || p.Frame(2990) == nil {
			t.Errorf("after it has forgotten there are frames %d to %d", p.First(), p.Next())
		}
		p.Forget(10)
		p.Forget(9000)
		if p.First() != 3000 || p.Next() != 3000 {
			t.Errorf("after it has forgotten all there are frames %d to %d", p.First(), p.Next())
		}
	}
}
