package near_test

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

// Rule: the results of searches, and their order, never change, and are the same on every architecture.
func TestFrozenSearches(t *testing.T) {
	for seed, want := range []uint64{0xf59b034c29eda96a, 0x262f8870f03ef87, 0x790c69f025d4b8f0, 0x2c5b0b8436dc464c} {
		r := rng.New(uint64(seed))
		h := fnv.New64a()
		put := func(v any) { _ = binary.Write(h, binary.LittleEndian, v) }
		for range 20 {
			n := randomGrid(t, &r)
			for range 5 {
				p, radius := n.position(&r), n.radius(&r)
				put(n.Within(nil, p, radius))
				put(n.AppendNearest(nil, 5, p, radius, func(id uint32) bool { return id%2 == 0 }))
			}
			for pair := range n.Pairs(min(n.radius(&r), n.size/fixed.Num(4))) {
				put(pair)
			}
		}
		if got := h.Sum64(); got != want {
			t.Errorf("seed %d: %#x, want %#x", seed, got, want)
		}
	}
}
