package inputs

import (
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// message is orders of a size in a frame.
func message(p Player, f Frame, size int) []byte {
	return Orders{p, f, make([]byte, size)}.Append(nil)
}

// Orders are those of the peer's players, not longer than allowed, and never empty.
func TestWhoseOrdersAreRead(t *testing.T) {
	m := newMachine(t, 4, 2, 0)
	for _, list := range [][]Player{{2}, {2, 3}} {
		r := m.Peer(list)
		for _, c := range []struct {
			what string
			b    []byte
			want error
		}{
			{"its own", message(2, 900, 1), nil},
			{"the longest", message(2, 900, testOrders), nil},
			{"another's", message(0, 900, 1), datagram.ErrRange},
			{"nobody's", message(200, 900, 1), datagram.ErrRange},
			{"too many", message(2, 900, testOrders+1), datagram.ErrRange},
			{"none", message(2, 900, 0), datagram.ErrShort},
			{"a part of a number", []byte{2, 0, 0}, datagram.ErrShort},
		} {
			o, err := m.ReadOrders(&r, c.b)
			if err != c.want || err == nil && (o.Player != 2 || o.Frame != 900 || len(o.Bytes) != len(c.b)-5) {
				t.Errorf("%v, %s: %v, %v", list, c.what, o, err)
			}
			if kept := m.Keep(&r, c.b); kept != c.want {
				t.Errorf("%v, %s are kept: %v", list, c.what, kept)
			}
		}
		for len(r.early) < testAhead*len(list) {
			if err := m.Keep(&r, message(2, 900+Frame(len(r.early)), 1)); err != nil {
				t.Fatalf("%v: %d are kept: %v", list, len(r.early), err)
			}
		}
		if err := m.Keep(&r, message(2, 2000, 1)); err != datagram.ErrRange || len(r.early) != testAhead*len(list) {
			t.Errorf("%v: %d are kept: %v", list, len(r.early), err)
		}
	}
}

// Early orders of a newcomer count if they are for one of its first frames, up to the number of
// frames that may come early; and no more of them than that.
func TestWhichEarlyOrdersCount(t *testing.T) {
	m := newMachine(t, 3, 2, 0)
	r := m.Peer([]Player{2})
	for _, c := range []struct {
		what   string
		frames []Frame // that the orders are for
		taken  int     // so many of them, the first ones
	}{
		{"nothing", nil, 0},
		{"the first frame", []Frame{900}, 1},
		{"the last one", []Frame{900 + testAhead - 1}, 1},
		{"one before", []Frame{899}, 0},
		{"one too many", []Frame{900 + testAhead}, 0},
		{"far away", []Frame{noLimit}, 0},
		{"both ends and one behind", []Frame{900, 900 + testAhead - 1, 900 + testAhead}, 2},
		{"as many as there may be", slices.Repeat([]Frame{901}, testAhead), testAhead},
		{"and one more", slices.Repeat([]Frame{901}, testAhead+1), testAhead},
	} {
		m.Forget(2)
		for i, f := range c.frames {
			r.early = append(r.early, Orders{2, f, []byte{byte(i)}})
		}
		m.Join(&r, 900)
		got := m.books[2].early
		if len(got) != c.taken || r.early != nil || len(m.books[1].early) != 0 {
			t.Errorf("%s: %d are taken, want %d", c.what, len(got), c.taken)
			continue
		}
		for i, o := range got {
			if o.Frame != c.frames[i] || len(o.Bytes) != 1 || o.Bytes[0] != byte(i) {
				t.Errorf("%s: number %d is %v", c.what, i, o)
			}
		}
	}
}

// Orders that arrive before their input wait for it: as many as inputs may be early, and of
// frames that are not further away. Orders for inputs that have arrived are not taken again.
func TestHowManyOrdersWait(t *testing.T) {
	m := newMachine(t, 2, 2, 0)
	r := m.Peer([]Player{1})
	m.Start(1, 100)
	take := func(f Frame) error { return m.TakeOrders(Orders{1, f, []byte{1}}, false) }
	if err := take(99); err != nil || m.Waiting(&r) != 0 {
		t.Errorf("of a frame before, %d wait: %v", m.Waiting(&r), err)
	}
	if err := take(100 + testAhead); err != datagram.ErrRange || m.Waiting(&r) != 0 {
		t.Errorf("too early: %v", err)
	}
	for n := range Frame(testAhead) {
		if err := take(100 + testAhead - 1 - n); err != nil || m.Waiting(&r) != int(n)+1 {
			t.Fatalf("%d wait: %v", m.Waiting(&r), err)
		}
	}
	if err := take(100); err != datagram.ErrRange {
		t.Errorf("as many wait as may: %v", err)
	}
}

// Waiting items are copies: the bytes of a message belong to its owner.
func TestOrdersThatWaitAreCopied(t *testing.T) {
	m := newMachine(t, 2, 2, 0)
	r := m.Peer([]Player{1})
	now, later := Orders{1, 3, []byte{7}}, Orders{1, 4, []byte{8}}.Append(nil)
	if err := errors.Join(m.TakeOrders(now, false), m.Keep(&r, later)); err != nil {
		t.Fatal(err)
	}
	now.Bytes[0], later[5] = 0, 0
	m.Join(&r, 0)
	for i, o := range m.books[1].early {
		if o.Bytes[0] != byte(7+i) {
			t.Errorf("number %d is %v", i, o)
		}
	}
}

// apartOf returns two machines, and a datagram of the first with a number of frames whose
// orders all travel separately.
func apartOf(t *testing.T, frames int) (a, b machine, back Peer, bytes []byte, orders []Orders) {
	a, b = newMachine(t, 2, 2, 0), newMachine(t, 2, 2, 1)
	for range frames {
		o, _ := a.play(0, testOrders)
		orders = append(orders, o)
	}
	r := a.Peer([]Player{1})
	_, bytes = a.compose(&r, Datagram{Most: 1200})
	return a, b, b.Peer([]Player{0}), bytes, orders
}

// Inputs and orders of a stopped player do not become complete until the player is no longer
// stopped: then they do at once.
func TestOrdersOfOneWhoIsStopped(t *testing.T) {
	_, b, back, bytes, orders := apartOf(t, 4)
	if _, err := b.receive(&back, bytes); err != nil || b.Waiting(&back) != 4 {
		t.Fatalf("%d inputs wait: %v", b.Waiting(&back), err)
	}
	if err := b.Limit(0, 2); err != nil {
		t.Fatal(err)
	}
	for f, o := range orders[:3] {
		if err := b.TakeOrders(o, f >= 2); err != nil {
			t.Fatal(err)
		}
	}
	b.wants("before it is stopped", 0, 0, 1)
	if err := b.Limit(0, 9); err != nil {
		t.Fatal(err)
	}
	b.wants("as long as it is stopped somewhere", 0)
	if err := b.Limit(0, noLimit); err != nil {
		t.Fatal(err)
	}
	b.wants("when it goes on", 0, 2)
	if err := b.TakeOrders(orders[3], false); err != nil {
		t.Fatal(err)
	}
	b.wants("after that", 0, 3)
	if n := b.Waiting(&back); n != 0 {
		t.Errorf("%d wait", n)
	}
}

// An input that the engine refuses is distinguished from an invalid datagram.
func TestWhatTheEngineRefuses(t *testing.T) {
	bad := errors.New("bad")
	_, b, back, bytes, orders := apartOf(t, 2)
	if refused, err := b.receive(&back, bytes[:len(bytes)-1]); refused || err == nil {
		t.Errorf("a datagram that is cut: %v, %v", refused, err)
	}
	if refused, err := b.receive(&back, bytes); refused || err != nil {
		t.Fatal(refused, err)
	}
	b.fault = bad
	if err := b.TakeOrders(orders[0], false); err != bad {
		t.Errorf("orders of an input that is bad: %v", err)
	}
	_ = b.TakeOrders(orders[1], true)
	if err := b.Limit(0, noLimit); err != bad {
		t.Errorf("one who goes on, with an input that is bad: %v", err)
	}
	_, b, back, bytes, orders = apartOf(t, 2)
	if b.fault = bad; b.TakeOrders(orders[0], false) != nil {
		t.Fatal("early orders are taken")
	}
	if refused, err := b.receive(&back, bytes); !refused || err != bad {
		t.Errorf("an input that is bad: %v, %v", refused, err)
	}
}

// Orders in a datagram must not be cut, belong to its frames, and are no longer than allowed.
func TestOrdersInADatagramAreWhole(t *testing.T) {
	a, b := newMachine(t, 3, 2, 0, 1), newMachine(t, 3, 2, 2)
	for range 3 {
		a.play(0, 40)
		a.play(1, 200)
	}
	r, back := a.Peer([]Player{2}), b.Peer([]Player{0, 1})
	h := datagram.Header{}
	a.Compose(&h.Play, &r, Datagram{Most: 1200})
	whole := a.AppendOrders(nil, &r, &h.Play)
	for n := range whole {
		if _, err := b.ConsumeOrders(whole[:n], &back, &h.Play); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(whole))
		}
	}
	rest, err := b.ConsumeOrders(append(slices.Clip(whole), 9), &back, &h.Play)
	orders := b.list
	if err != nil || len(orders) != 6 || len(rest) != 1 || rest[0] != 9 {
		t.Fatalf("%d are read, %v left: %v", len(orders), rest, err)
	}
	for i, o := range orders {
		if want := []int{40, 0}[i/3]; o.Player != i/3 || o.Frame != uint32(i%3) || len(o.Bytes) != want {
			t.Errorf("number %d is %v", i, o)
		}
	}
	for _, size := range []int{testOrders, testOrders + 1} {
		long := datagram.AppendOrder(datagram.AppendUint(nil, 1), datagram.Order{Bytes: make([]byte, size)}, r.Send, h.Play.Ends[0])
		if _, err := b.ConsumeOrders(long, &back, &h.Play); (err == datagram.ErrRange) != (size > testOrders) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// Orders that travelled separately are available for a newcomer: from a frame on, of each local
// player, as long as inputs are held.
func TestWhatHasGoneApart(t *testing.T) {
	m := newMachine(t, 3, 2, 0, 2)
	for f := range 700 {
		m.play(0, []int{0, 128, 129}[f%3])
		m.play(2, []int{0, 0, 0, testOrders}[f%4])
	}
	delete(m.all, at{0, 602})
	m.make(0, 700, 200) // is not sampled yet
	for _, from := range []Frame{0, 100, 600, 699, 700, 900} {
		var want, got []at
		for _, p := range []Player{0, 2} {
			for f := max(from, 700-512); f < 700; f++ {
				if len(m.all[at{p, f}].orders) > 128 {
					want = append(want, at{p, f})
				}
			}
		}
		for o := range m.Apart(from) {
			if string(o.Bytes) != string(m.all[at{o.Player, o.Frame}].orders) {
				t.Fatalf("frame %d of player %d: %d bytes", o.Frame, o.Player, len(o.Bytes))
			}
			got = append(got, at{o.Player, o.Frame})
		}
		if !slices.Equal(got, want) {
			t.Errorf("from frame %d on: %v, want %v", from, got, want)
		}
	}
	for range m.Apart(0) {
		break
	}
}
