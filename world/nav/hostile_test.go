package nav

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/tickback/tickback/rng"
)

// wayOf makes a way of bytes, as a state from the network may hold it.
func wayOf(data []byte) (w Way) {
	full := make([]byte, binary.Size(w))
	copy(full, data)
	if _, err := binary.Decode(full, binary.LittleEndian, &w); err != nil {
		panic(err) // it has the size of a way
	}
	return w
}

// Whatever a way holds, nothing panics, all navigators make the same of it, and nobody is led into a
// wall.
func FuzzHostileWays(f *testing.F) {
	generator := rng.New(41)
	r := &generator
	g := randomMap(f, r, gameWidth, gameHeight)
	n := New(Config{})
	look(f, n, g)
	for range 3 {
		w := Way{}
		answer(f, n, &w, []Cell{passableCell(r, g)}, []Cell{passableCell(r, g), passableCell(r, g)})
		data, err := binary.Append(nil, binary.LittleEndian, w)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint32(5000))
		f.Add(data[:40], uint32(1<<32-1))
	}
	f.Add(slices.Repeat([]byte{0xFF}, binary.Size(Way{})), uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, perTick uint32) {
		start := wayOf(data)
		ways := [2][2]Way{{start, start}, {start, start}}
		for i, nav := range []*Navigator{n, New(Config{Cache: -1})} {
			look(t, nav, g)
			m := Meter{PerTick: perTick}
			nav.Advance(&m, ways[i][:1])
			if err := nav.Stray(&m, &ways[i][0], CellAt(20, 20)); err == nil && !ways[i][0].Waiting() {
				t.Error("it does not wait")
			}
			nav.Advance(&m, ways[i][:])
		}
		if ways[0] != ways[1] {
			t.Fatalf("%+v\n%+v", ways[0], ways[1])
		}
		field := n.Field(&ways[0][0])
		for y := range gameHeight {
			for x := range gameWidth {
				if field == nil {
					return
				}
				if d := field.At(x, y); d < directions && !naiveStep(g, x, y, d, anywhere) {
					t.Fatalf("%v from (%d, %d) leads into a wall", d, x, y)
				}
			}
		}
	})
}

// Rule: costs may be anything; 0 and 255 are walls.
func TestAnyCostsAreAMap(t *testing.T) {
	r := seeded(t, 42)
	g, err := NewGrid(3*Side, 2*Side, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := New(Config{})
	for range rounds(20) {
		for s := range g.pages {
			for i := range g.pages[s] {
				g.pages[s][i] = uint8(max(r.Next()%256, r.Next()%256)) // more walls
			}
		}
		g.version++
		look(t, n, g)
		if c := passableCell(r, g); c != Nowhere {
			f, w := whole(t, n, c)
			sameAsNaive(t, g, f, w.ends(), anywhere)
		}
	}
}
