package inputs

import (
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Positions are plausible if inputs are no earlier than allowed, and no more is acknowledged than
// exists, for each player.
func TestWhichPositionsArePlausible(t *testing.T) {
	m := newMachine(t, 4, 2, 0, 3)
	for range 5 {
		m.play(0, 0)
	}
	m.play(3, 0)
	r := m.Peer([]Player{1, 2})
	for _, c := range []struct {
		ends, acks [2]uint32
		want       bool
	}{
		{[2]uint32{0, 0}, [2]uint32{0, 0}, true},
		{[2]uint32{10 + testAhead - 1, 10 + testAhead - 1}, [2]uint32{5, 1}, true},
		{[2]uint32{10 + testAhead, 0}, [2]uint32{0, 0}, false},
		{[2]uint32{0, 10 + testAhead}, [2]uint32{0, 0}, false},
		{[2]uint32{0, 0}, [2]uint32{6, 0}, false},
		{[2]uint32{0, 0}, [2]uint32{0, 2}, false},
	} {
		p := datagram.Play{}
		copy(p.Ends[:], c.ends[:])
		copy(p.Acks[:], c.acks[:])
		p.Ends[2], p.Acks[2] = 1000, 1000 // of nobody
		if got := m.Plausible(&r, &p, 10); got != c.want {
			t.Errorf("ends %v, acknowledged %v: %v", c.ends, c.acks, got)
		}
	}
}

// An acknowledgement counts for its player, and is never taken back. With several players, the one
// with the most missing inputs counts.
func TestWhatIsNotAcknowledged(t *testing.T) {
	m := newMachine(t, 3, 2, 0, 2)
	for range 10 {
		m.play(0, 0)
	}
	for range 520 {
		m.play(2, 0)
	}
	if m.Sampled() != 10 || m.Next(0) != 10 || m.Next(2) != 520 || m.Next(1) != 0 {
		t.Errorf("there are %d", m.Sampled())
	}
	r := m.Peer([]Player{1})
	p := datagram.Play{}
	for _, c := range []struct {
		acks    [2]uint32
		want    uint32
		inReach bool
	}{
		{[2]uint32{0, 0}, 520, false},
		{[2]uint32{10, 8}, 512, false},
		{[2]uint32{10, 9}, 511, true},
		{[2]uint32{0, 515}, 5, true},
		{[2]uint32{0, 0}, 5, true},
		{[2]uint32{0, 520}, 0, true},
		{[2]uint32{11, 0}, 1<<32 - 1, false}, // more than there is
	} {
		p.Acks = [datagram.MaxPlayers]uint32{c.acks[0], c.acks[1], 1000}
		r.Acknowledge(&p)
		if got := m.Unacknowledged(&r); got != c.want || m.InReach(&r) != c.inReach {
			t.Errorf("acknowledged %v: %d are not; in reach: %v", c.acks, got, m.InReach(&r))
		}
	}
	if r.Needs(7); m.Unacknowledged(&r) != 513 {
		t.Errorf("from frame 7 on it has not %d", m.Unacknowledged(&r))
	}
}

// A player who is idle does nothing until a frame, without orders. Agreed inputs take the same
// place as sent ones. A new match begins empty.
func TestThoseWhoRest(t *testing.T) {
	a, b := newMachine(t, 2, 3, 0), newMachine(t, 2, 3, 1)
	for f := range Frame(4) {
		a.play(0, 20)
		if f < 2 {
			b.TakeInput(0, f, a.all[at{0, f}].input, nil)
			b.Append(0, a.all[at{0, f}].input)
		}
	}
	a.Idle(0, 3) // it is further already
	a.Idle(0, 7)
	r, back := a.Peer([]Player{1}), b.Peer([]Player{0})
	r.Needs(2)
	if b.Next(0) != 2 || a.Next(0) != 7 {
		t.Fatalf("%d are there, of %d", b.Next(0), a.Next(0))
	}
	h, bytes := a.compose(&r, Datagram{Most: 1200})
	if n := a.CountOrders(&h.Play); n != 2 {
		t.Errorf("there are orders in %d frames", n)
	}
	b.taken = nil
	if _, err := b.receive(&back, bytes); err != nil {
		t.Fatal(err)
	}
	b.wants("inputs, and rest", 0, 2, 3, 4, 5, 6)
	for f := Frame(2); f < 7; f++ {
		got := b.all[at{0, f}]
		if done := f < 4; string(got.orders) != string(a.all[at{0, f}].orders) || !done && string(got.input) != "\x00\x00\x00" {
			t.Errorf("frame %d: %v", f, got)
		}
	}
	_ = b.TakeOrders(Orders{0, 9, []byte{1}}, false)
	if b.Waiting(&back) != 1 {
		t.Error("orders do not wait")
	}
	if b.Reset(); b.Next(0) != 0 || b.Waiting(&back) != 0 {
		t.Errorf("after that, frame %d is next, and %d wait", b.Next(0), b.Waiting(&back))
	}
	if b.Start(0, 30); b.Next(0) != 30 || b.Next(1) != 0 {
		t.Errorf("it begins with frame %d", b.Next(0))
	}
}

// An idle player gives no orders, even if the orders of 512 frames before were recorded in the
// same place.
func TestThoseWhoRestGiveNoOrders(t *testing.T) {
	m := newMachine(t, 2, 2, 0)
	for range datagram.HistoryFrames {
		m.play(0, 20)
	}
	m.Idle(0, datagram.HistoryFrames+3)
	r := m.Peer([]Player{1})
	r.Needs(datagram.HistoryFrames)
	if h, _ := m.compose(&r, Datagram{Most: 1200}); h.Play.Counts[0] != 3 || m.CountOrders(&h.Play) != 0 {
		t.Errorf("in %d frames there are orders of %d", h.Play.Counts[0], m.CountOrders(&h.Play))
	}
}

// Two windows of 120 frames and two delays may be in flight; of the inputs held, 64 are left for
// those that a late duplicate repeats.
func TestHowManyInputsMayWait(t *testing.T) {
	if MaxUnacknowledged < 2*(120+rollback.MaxDelay) || datagram.HistoryFrames-MaxUnacknowledged != 64 {
		t.Error(MaxUnacknowledged)
	}
}

// The inputs of several players come in one datagram, each block but the last with its length. The
// datagram is invalid if it is cut before the beginning of the last block, or within a change.
func TestInputsOfSeveralPlayersAreWhole(t *testing.T) {
	a := newMachine(t, 4, 5, 0, 1, 2)
	for range 12 {
		for p := range Player(3) {
			a.play(p, 0)
		}
	}
	r := a.Peer([]Player{3})
	h, whole := a.compose(&r, Datagram{Most: 1200})
	last := len(h.Append(nil, r.Send))
	for range 2 {
		last += 2 + int(le.Uint16(whole[last:]))
	}
	for n := range len(whole) + 1 {
		b := newMachine(t, 4, 5, 3)
		back := b.Peer([]Player{0, 1, 2})
		if refused, err := b.receive(&back, whole[:n:n]); refused || (n < last || n == len(whole)-1) && err == nil || n == len(whole) && (err != nil || len(b.taken) != 36) {
			t.Errorf("%d of %d bytes: %v, %v", n, len(whole), refused, err)
		}
		for _, got := range b.taken {
			if (n < last || n == len(whole)) && string(b.all[got].input) != string(a.all[got].input) {
				t.Errorf("%d of %d bytes: frame %d of player %d is %v", n, len(whole), got.f, got.p, b.all[got])
			}
		}
	}
}
