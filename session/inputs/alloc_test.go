package inputs

import (
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// rich is an engine that gives and takes without allocating.
type rich struct{ orders []byte }

func (*rich) InputSize() int { return 4 }

func (e *rich) AppendInput(b []byte, _ Player, f Frame) (input, orders []byte) {
	return append(b, byte(f), byte(f>>3), 0, 0), e.orders
}

func (e *rich) OrdersOf(Player, Frame) (orders []byte, held bool) { return e.orders, true }

func (*rich) TakeInput(Player, Frame, []byte, []byte) error { return nil }

func (*rich) TakePlain(Player, Frame, []byte) error { return nil }

// A frame allocates nothing: it is made, sent and taken, with its orders.
func TestAFrameAllocatesNothing(t *testing.T) {
	input, given := make([]byte, 4), make([]byte, 20)
	a := machine{Store: New(Config{Players: 2, Local: []Player{0}, MaxOrders: 100, Ahead: 1 << 20}, &rich{given})}
	b := machine{Store: New(Config{Players: 2, Local: []Player{1}, MaxOrders: 100, Ahead: 1 << 20}, &rich{})}
	a.Reset()
	b.Reset()
	there, back := a.Peer([]Player{1}), b.Peer([]Player{0})
	out := make([]byte, 0, 1200)
	n := testing.AllocsPerRun(1000, func() {
		f := a.Next(0)
		a.Push(0, append(input[:0], byte(f), byte(f>>3), 0, 0), given)
		var h, got datagram.Header
		block := a.Compose(&h.Play, &there, Datagram{Most: 1200})
		h.HasPlay, h.HasOrders = true, a.CountOrders(&h.Play) > 0
		out = append(a.AppendOrders(h.Append(out[:0], there.Send), &there, &h.Play), block...)
		rest, err := got.Consume(out, back.Receive, uint32(b.Next(0)))
		if err != nil {
			t.Fatal(err)
		}
		rest, err = b.ConsumeOrders(rest, &back, &got.Play)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Accept(&back, &got, rest); err != nil || b.Next(0) != a.Next(0) {
			t.Fatal(err)
		}
		if a.Next(0)%8 == 0 {
			there.Needs(a.Next(0))
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
