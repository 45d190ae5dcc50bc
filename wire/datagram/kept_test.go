package datagram

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rule: a block that is kept has the bytes of one that is made anew, whatever has been acknowledged or added since, and
// however much room there is.
func TestAKeptBlockIsLikeANewOne(t *testing.T) {
	moved, cut := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		var h History
		var k Block
		width, calm := 1+int(seed%6), 1+r.IntN(12)
		h.Init(width)
		input, from := make([]byte, width), uint32(0)
		for range 1500 {
			for range r.IntN(3) {
				if r.IntN(calm) == 0 {
					input[r.IntN(width)] ^= byte(1 + r.IntN(255))
				}
				h.Push(input)
			}
			switch r.IntN(8) {
			case 0: // another peer, which lacks more
				from -= min(from, uint32(r.IntN(9)))
			case 1, 2, 3, 4:
				from += min(h.Next()-from, uint32(r.IntN(4)))
			}
			from = max(from, h.Next()-min(h.Next(), HistoryFrames))
			to, room := h.Next(), []int{40, 400, 2000, 2000}[r.IntN(4)]
			if r.IntN(9) == 0 {
				to = from // a datagram without inputs
			}
			if k.made && to-from > shortBlock && from-k.from <= k.to-k.from && int32(to-k.to) >= 0 {
				c := k
				if c.Bytes = slices.Clone(k.Bytes); h.slide(&c, from, to, room) {
					moved++
				}
			}
			h.MakeBlock(&k, from, to, room)
			want, end := h.AppendBlock(nil, from, to, room)
			if !bytes.Equal(k.Bytes, want) || k.End() != end {
				t.Fatalf("seed %d: frames %d to %d are % x up to %d, and anew % x up to %d", seed, from, to, k.Bytes, k.End(), want, end)
			}
			if end != to {
				cut++
			}
			if k.Holds(from, to, room) && end != to || !k.Holds(from, end, 1<<20) || k.Holds(from+1, end, 1<<20) {
				t.Fatalf("seed %d: it says that it holds other frames than %d to %d", seed, from, end)
			}
		}
		if k.Discard(); k.Holds(from, k.End(), 1<<20) {
			t.Fatal("it holds what may have become other inputs")
		}
	}
	if t.Logf("%d blocks were moved on, %d were cut", moved, cut); moved < 1000 || cut < 1000 {
		t.Error("the test does not try enough")
	}
}
