package spectate

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/internal/pieces"
)

// sizes adds up the datagrams of a host.
func (h *hall) sizes() *int {
	bytes := 0
	h.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from == h.addr {
			bytes += len(b)
		}
		return true
	}
	return &bytes
}

// Rule: a large state is compressed for sending, and a small one and noise are sent as they are; all
// arrive unchanged.
func TestStatesAreCompressed(t *testing.T) {
	for _, c := range []struct {
		state       int
		plain       bool
		least, most int
	}{
		{packFrom - 1, true, packFrom - 1, packFrom + 8000},
		{packFrom, true, packFrom / 4, packFrom * 2 / 3},
		{500_001, true, 500_000 / 4, 500_000 / 2},
		{500_001, false, 500_000, 540_000},
	} {
		h := newHall(t, Config{Max: 4})
		h.state, h.plain = c.state, c.plain
		h.run(5 * time.Second)
		sent := h.sizes()
		v := h.enter(1, nil)
		h.run(2 * time.Second)
		want(t, "states", len(v.states), 1)
		if *sent < c.least || *sent > c.most {
			t.Errorf("%d bytes, plain %v: %d are sent, not %d to %d", c.state, c.plain, *sent, c.least, c.most)
		}
	}
}

// Rule: in a period of the match only a few pieces are compressed, and none in the one in which the
// state is encoded; each only once, however many spectators need it.
func TestCompressingIsSpreadOut(t *testing.T) {
	h := newHall(t, Config{Max: 8, Rate: 100 << 20})
	h.state, h.plain = 50*pieceSize, true
	h.run(5 * time.Second)
	for i := range byte(4) {
		h.enter(i, nil)
	}
	most, began, ended := 0, 0, 0
	for tick := 1; ended == 0 && tick < 200; tick++ {
		before := h.pieces()
		h.run(hallPeriod)
		n := h.pieces() - before
		if most = max(most, n); n > 0 && began == 0 {
			began = tick
		}
		if began > 0 && len(h.visitors[0].states) > 0 {
			ended = tick
		}
	}
	if most > 2*packedAtOnce || most == 0 { // the steps of a hall do not divide a period evenly
		t.Errorf("%d pieces are compressed in a tick", most)
	}
	if ended-began < 50/(2*packedAtOnce)-1 {
		t.Errorf("from tick %d to tick %d", began, ended)
	}
	h.run(2 * time.Second)
	for _, v := range h.visitors {
		want(t, "states", len(v.states), 1)
	}
	want(t, "encoded", h.encoded, 1)
}

// Rule: pieces are compressed in each period, even if the calls come a little before it ends; not more
// often than once per period, and nothing is made up for after a pause.
func TestEachPeriodHasItsPieces(t *testing.T) {
	const period = 1000 * time.Microsecond
	for every, least := range map[time.Duration]int{period: 1000, period - 1: 998, period * 98 / 100: 999, period / 3: 998, 3 * period: 333} {
		var p packing
		refills, now := 0, 5*time.Second
		for ; now < 6*time.Second; now += every {
			if p.refill(now, period); p.left > 0 {
				refills++
				p.rest()
			}
		}
		if refills < least || refills > least+3 {
			t.Errorf("every %v: %d refills, not %d", every, refills, least)
		}
		for range 2 {
			now += 50 * period
			p.rest()
			p.refill(now, period)
			p.rest()
			if p.refill(now+period-1, period); p.left != 0 {
				t.Errorf("every %v: after a pause there are two in a period", every)
			}
		}
	}
}

// pieces returns how many pieces of the held states are compressed.
func (h *hall) pieces() (n int) {
	for _, s := range h.audience.states.list {
		for _, b := range s.pieces {
			if len(b) > 0 {
				n++
			}
		}
	}
	return n
}

// Rule: a spectator that has a part of a state from another host, up to any byte, gets the rest.
func TestTheRestOfAStateIsCompressed(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.plain = true
	s := &heldState{bytes: h.encoding(1, packFrom+3*pieceSize+100)}
	for _, have := range []int{0, 1, pieceSize - 1, pieceSize, packFrom + 5, len(s.bytes) - 100, len(s.bytes) - 1} {
		f := &feed{state: s}
		f.left.Begin(s.bytes, have)
		v := NewFollower(FollowerConfig{Hosts: []netip.AddrPort{hostAddr}})
		p := &v.received.partial
		p.digest = canon.HashBytes(s.bytes)
		if err := p.Begin(len(s.bytes), len(s.bytes)); err != nil {
			t.Fatal(err)
		}
		if have > 0 {
			if err := p.Add(s.bytes[:have]); err != nil {
				t.Fatal(err)
			}
		}
		for !f.left.Done() {
			at := len(p.Bytes())
			h.audience.now += hallPeriod
			h.audience.states.packing.refill(h.audience.now, hallPeriod)
			m := f.chunk(nil, &h.audience.states)
			var err error
			switch {
			case len(m) == 0:
				t.Fatalf("from %d on: nothing at %d", have, at)
			case m[0] == messagePacked:
				err = v.received.partial.add(m[1:], true)
			default:
				err = v.received.partial.add(m[1:], false)
			}
			if err != nil || len(p.Bytes()) == at {
				t.Fatalf("from %d on, at %d: %v", have, at, err)
			}
		}
		if !bytes.Equal(p.Bytes(), s.bytes) {
			t.Errorf("from %d on, the state is another one", have)
		}
	}
}

// Rule: a piece that is damaged, or too long for the state, is refused, or detected by the digest; it
// never takes more memory than a piece has.
func TestHostilePieces(t *testing.T) {
	var p pieces.Packer
	h := hall{plain: true}
	good := p.Pack(h.encoding(1, pieceSize))
	zeros := p.Pack(make([]byte, 64*pieceSize))
	r := rand.New(rand.NewPCG(3, 4))
	fed := func(size int, b []byte) (*Follower, error) {
		v := NewFollower(FollowerConfig{Hosts: []netip.AddrPort{hostAddr}})
		if err := v.received.partial.Begin(size, size); err != nil {
			t.Fatal(err)
		}
		return v, v.received.partial.add(b, true)
	}
	if v, err := fed(pieceSize+1, good); err != nil || len(v.received.partial.Bytes()) != pieceSize {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"empty": {}, "too long": zeros, "noise": h.encoding(2, 100)} {
		if v, err := fed(1<<20, b); err == nil || len(v.received.partial.Bytes()) > 0 || cap(v.received.partial.Bytes()) > 2*pieceSize {
			t.Errorf("%s: %v, with %d bytes", name, err, cap(v.received.partial.Bytes()))
		}
	}
	if _, err := fed(pieceSize-1, good); err == nil {
		t.Error("a piece that is too long for its state is taken")
	}
	for n := range len(good) {
		if _, err := fed(1<<20, good[:n]); err == nil {
			t.Fatalf("the first %d bytes are taken", n)
		}
	}
	for range 2000 {
		b := append([]byte(nil), good...)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		if v, _ := fed(1<<20, b); cap(v.received.partial.Bytes()) > 2*pieceSize {
			t.Fatalf("%d bytes of memory", cap(v.received.partial.Bytes()))
		}
	}
}
