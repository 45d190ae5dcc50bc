package nav

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/tickback/tickback/rng"
)

// wayOf makes a way from bytes, as a state from the network may contain it.
func wayOf(data []byte) (w Way) {
	full := make([]byte, binary.Size(w))
	copy(full, data)
	if _, err := binary.Decode(full, binary.LittleEndian, &w); err != nil {
		panic(err) // it has the size of a way
	}
	return w
}

// Whatever a way contains, nothing panics, all navigators give the same result, and no unit is led into a wall.
func FuzzHostileWays(f *testing.F) {
	generator := rng.New(41)
	r := &generator
	g := randomMap(f, r, gameWidth, gameHeight)
	n := New(Config{})
	look(f, n, g)
	for i := range 3 {
		w := Way{}
		answer(f, n, &w, []Cell{passableCell(r, g)}, []Cell{passableCell(r, g), passableCell(r, g)})
		data, err := binary.Append(nil, binary.LittleEndian, w)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint32(5000), uint32(i), uint32(7))
		f.Add(data[:40], uint32(1<<32-1), uint32(1<<32-1), uint32(1<<32-1))
	}
	f.Add(slices.Repeat([]byte{0xFF}, binary.Size(Way{})), uint32(0), uint32(0), uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, perTick, credit, tickets uint32) {
		start := wayOf(data)
		ways := [2][2]Way{{start, start}, {start, start}}
		for i, nav := range []*Navigator{n, New(Config{Cache: -1})} {
			look(t, nav, g)
			m := Meter{PerTick: perTick, Credit: credit, Tickets: tickets}
			nav.Advance(&m, ways[i][:1])
			if err := nav.ReportOffField(&m, &ways[i][0], CellAt(20, 20)); err == nil && !ways[i][0].Waiting() {
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

// Whatever a map contains and becomes, its fields are those of the naive model, and a repaired field equals one that is
// computed from nothing.
func FuzzMaps(f *testing.F) {
	f.Add([]byte{1}, []byte{0, 1, 2}, uint16(17))
	f.Add([]byte{1, 1, 1, 0, 255, 1, 9}, []byte{3, 70, 1, 2, 200, 0}, uint16(300))
	f.Add(slices.Repeat([]byte{254, 254, 254, 254, 254, 254, 254, 254, 254, 0}, 40), []byte{1, 90, 254}, uint16(5))
	f.Fuzz(func(t *testing.T, costs, changes []byte, goal uint16) {
		g, err := NewGrid(2*Side, 2*Side, 1)
		if err != nil || len(costs) == 0 {
			return
		}
		for i := range 4 * area {
			g.Set(i%(2*Side), i/(2*Side), costs[i%len(costs)])
		}
		n := New(Config{})
		look(t, n, g)
		c := n.Nearest(CellAt(int(goal)%(2*Side), int(goal)/(2*Side)%(2*Side)))
		if c == Nowhere {
			return
		}
		field, w := whole(t, n, c)
		sameAsNaive(t, g, field, w.ends(), anywhere)
		for ; len(changes) >= 3; changes = changes[3:] {
			if x, y := int(changes[0])%(2*Side), int(changes[1])%(2*Side); c != CellAt(x, y) {
				g.Set(x, y, changes[2])
			}
		}
		look(t, n, g)
		sameAsNaive(t, g, n.Field(w), w.ends(), anywhere)
	})
}

// Rule: costs may have any value; 0 and 255 are walls.
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
