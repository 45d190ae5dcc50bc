package nav

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/tickback/tickback/rng"
)

// Frozen outputs: recorded once, the same for ever and on every architecture. Recordings of games with path finding
// depend on them.

// Rule: the fields of whole maps never change.
func TestFrozenFields(t *testing.T) {
	for seed, want := range []uint64{0xa50586be51863b24, 0xf4996a93c03b015f, 0x5ef647190b6ea53e} {
		r := rng.New(uint64(seed))
		g := randomMap(t, &r, 6*Side, 4*Side)
		n := New(Config{})
		look(t, n, g)
		f, _ := whole(t, n, passableCell(&r, g), passableCell(&r, g))
		if got := fieldHash(f, g); got != want {
			t.Errorf("seed %d: %#x, want %#x", seed, got, want)
		}
	}
}

func fieldHash(f *Field, g *Grid) uint64 {
	h := fnv.New64a()
	for y := range g.height {
		for x := range g.width {
			d, _ := f.Distance(x, y)
			_ = binary.Write(h, binary.LittleEndian, d<<4|uint32(f.At(x, y)))
		}
	}
	return h.Sum64()
}

// Rule: the paths never change either, nor when they are answered, nor where units go.
func TestFrozenGames(t *testing.T) {
	for seed, want := range []uint64{0x688ef1a5dd13d2ec, 0x93ebdf173ecba5ab, 0x96266886845e0d79} {
		s := newGame(t, uint64(seed))
		n := New(Config{})
		h := fnv.New64a()
		for tick := range 60 {
			s.step(t, n, tick)
			for _, part := range []any{s.meter, s.ways, s.arrived, s.strayed} {
				_ = binary.Write(h, binary.LittleEndian, part)
			}
			for _, u := range s.units {
				_ = binary.Write(h, binary.LittleEndian, uint32(u.at))
			}
		}
		if got := h.Sum64(); got != want {
			t.Errorf("seed %d: %#x, want %#x", seed, got, want)
		}
	}
}
