package inputs

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// Inputs of another player, with their orders, travel in messages of about 2 KiB, as far as
// the engine holds them, and arrive unchanged.
func TestWhatIsFilledInIsWhatWasThere(t *testing.T) {
	a, b := newMachine(t, 3, 2, 0), newMachine(t, 3, 2, 2)
	for f := range Frame(60) {
		a.make(1, f, int(f%4)*100)
	}
	wanted := func(p Player, f Frame) bool { return p == 1 && f%2 == 0 }
	for _, c := range []struct{ from, end, until Frame }{{0, 60, 60}, {58, 70, 60}, {60, 70, 60}, {9, 9, 9}} {
		b.all, b.taken = map[at]given{}, nil
		next := c.from
		for {
			m, n := a.AppendFill(nil, 1, next, c.end)
			if least := 2 << 10; len(m) >= least+2+2+testOrders || n < c.until && len(m) < least {
				t.Errorf("frames %d to %d: a message has %d bytes", next, n, len(m))
			}
			if err := b.TakeFill(m, wanted); err != nil {
				t.Fatal(err)
			}
			if n == next {
				break
			}
			next = n
		}
		if next != c.until {
			t.Errorf("frames %d to %d are sent, want %d", c.from, next, c.until)
		}
		var want []Frame
		for f := c.from; f < c.until; f++ {
			if f%2 > 0 {
				continue
			}
			want = append(want, f)
			if got, sent := b.all[at{1, f}], a.all[at{1, f}]; string(got.input) != string(sent.input) || string(got.orders) != string(sent.orders) {
				t.Errorf("frame %d: %v, not %v", f, got, sent)
			}
		}
		b.wants("those that are wanted", 1, want...)
	}
}

// A message ends with the first input that makes it 2 KiB long.
func TestHowLongAFillIs(t *testing.T) {
	a := newMachine(t, 3, 2, 0)
	for last, want := range map[int]Frame{210: 9, 211: 8} { // 5 bytes, and 4 for each frame
		for f := range Frame(20) {
			a.make(1, f, []int{testOrders, testOrders, testOrders, testOrders, testOrders, testOrders, last, 0, 0}[min(f, 8)])
		}
		if b, next := a.AppendFill(nil, 1, 0, 20); next != want || len(b) != 2047+last-210+4*int(want-8) {
			t.Errorf("%d bytes, up to frame %d", len(b), next)
		}
	}
}

// A message that is cut, or about a local or unknown player, is invalid, and so is one with
// orders that are too long. If the engine refuses an input, that is an error.
func TestAFillIsWholeOrNone(t *testing.T) {
	a, b := newMachine(t, 3, 2, 0), newMachine(t, 3, 2, 2)
	never := func(Player, Frame) bool { return false }
	for f := range Frame(3) {
		a.make(1, f, 10)
	}
	whole, _ := a.AppendFill(nil, 1, 0, 3)
	for n := range whole {
		want := datagram.ErrShort
		switch at := n - 5; {
		case at >= 0 && at%14 == 0:
			want = nil
		case at%14 >= 4:
			want = datagram.ErrRange // its orders are longer than the rest
		}
		if err := b.TakeFill(whole[:n], never); err != want {
			t.Errorf("%d of %d bytes: %v, want %v", n, len(whole), err, want)
		}
	}
	for p, want := range map[byte]error{0: nil, 1: nil, 2: datagram.ErrRange, 3: datagram.ErrRange} {
		if whole[0] = p; b.TakeFill(whole, never) != want {
			t.Errorf("of player %d: %v", p, b.TakeFill(whole, never))
		}
	}
	whole[0] = 1
	for size, want := range map[int]error{testOrders: nil, testOrders + 1: datagram.ErrRange} {
		a.make(1, 0, size)
		if m, _ := a.AppendFill(nil, 1, 0, 1); b.TakeFill(m, never) != want {
			t.Errorf("%d bytes of orders: %v", size, b.TakeFill(m, never))
		}
	}
	b.fault = errors.New("bad")
	if err := b.TakeFill(whole, func(Player, Frame) bool { return true }); err != b.fault {
		t.Errorf("an input that is bad: %v", err)
	}
}
