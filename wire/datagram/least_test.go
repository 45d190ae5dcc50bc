package datagram

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// flight is a block on its way.
type flight struct {
	b      []byte
	start  uint32
	count  int
	arrive int
}

// Rule: a history that begins with little room takes what one with all of it takes, and holds what is needed to read
// what comes, whatever the delay of acknowledgements is and however long they stay away; a new match begins with little
// room again.
func TestAHistoryThatGrows(t *testing.T) {
	grown := 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		width := []int{1, 2, 4, 8, 9, 64}[r.IntN(6)]
		var sent, large History
		small := History{Least: uint32(1) << r.IntN(8)}
		for range 2 { // matches
			next := uint32(r.IntN(3)) * 1000
			before := bytes.Repeat([]byte{byte(seed)}, width)
			for _, h := range []*History{&sent, &large, &small} {
				h.Start(width, next, before)
			}
			if len(small.inputs) > width*int(small.Least)+max(width, wordSize) {
				t.Fatalf("seed %d: a match begins with %d bytes", seed, len(small.inputs))
			}
			agreed := r.IntN(200)
			for range agreed { // what a newcomer is told by its host
				in := bytes.Repeat([]byte{byte(r.IntN(2))}, width)
				sent.Push(in)
				large.Push(in)
				small.Push(in)
			}
			if grow(t, r, &sent, &large, &small, next) {
				grown++
			}
		}
	}
	if grown == 0 {
		t.Error("none has grown")
	}
}

// grow plays a match of some seconds, and reports whether the small history had to grow for it.
func grow(t *testing.T, r *rand.Rand, sent, large, small *History, acked uint32) bool {
	var flying []flight
	in, back := make([]byte, sent.width), 1+r.IntN(100)
	known := []uint32{acked} // what was acknowledged, by tick
	ring := small.ring
	for tick := range 900 {
		if sent.Next()-acked < HistoryFrames-1 {
			if r.IntN(6) == 0 {
				in[r.IntN(len(in))] ^= byte(1 + r.IntN(255))
			}
			sent.Push(in)
		}
		if away := tick%400 > 350; !away && tick > back { // acknowledgements stay away for a while
			acked = max(acked, known[tick-back])
		}
		b, end := sent.AppendBlock(nil, acked, sent.Next(), 1000)
		if count := int(end - acked); r.IntN(4) > 0 {
			late := r.IntN(1 + back/2)
			flying = append(flying, flight{b, acked, count, tick + late})
			if r.IntN(20) == 0 {
				flying = append(flying, flight{b, acked, count, tick + 300}) // a copy, long after
			}
		}
		left := flying[:0]
		for _, f := range flying {
			if f.arrive > tick {
				left = append(left, f)
				continue
			}
			want, wantErr := large.ConsumeBlock(f.b, f.start, f.count)
			if got, err := small.ConsumeBlock(f.b, f.start, f.count); got != want || err != wantErr || wantErr != nil {
				t.Fatalf("tick %d, %d frames from %d, next %d: %d, %v; with all room %d, %v", tick, f.count, f.start, small.Next(), got, err, want, wantErr)
			}
			for f := small.Next() - uint32(want); f != small.Next(); f++ {
				if !bytes.Equal(small.At(f), large.At(f)) || !bytes.Equal(small.At(f), sent.At(f)) {
					t.Fatalf("tick %d: frame %d is % x, % x with all room, and was sent as % x", tick, f, small.At(f), large.At(f), sent.At(f))
				}
			}
		}
		flying = left
		known = append(known, small.Next())
	}
	return small.ring > ring
}

// Rule: no block makes a history hold more than the most, whatever it claims.
func TestAHistoryGrowsNoFartherThanItMay(t *testing.T) {
	for _, keep := range []uint32{0, 128} {
		h := History{Keep: keep, Least: 16}
		h.Init(4)
		for _, count := range []int{1 << 30, 1<<16 - 1, 700} {
			if _, err := h.ConsumeBlock([]byte{0}, 0, count); err != ErrInputCode {
				t.Errorf("%d: %v", count, err)
			}
		}
		if h.ring+1 != h.most() {
			t.Errorf("%d frames are held, at most %d", h.ring+1, h.most())
		}
	}
}
