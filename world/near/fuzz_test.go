package near_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/world/near"
)

// pointSize is how many bytes of a fuzzer make a point: two coordinates and a mark.
const pointSize = 8 + 8 + 4

// Whatever the area, the positions, the marks and the radius are, nothing panics, and the results are those of the
// naive model; also if the points are added in parts.
func FuzzSearches(f *testing.F) {
	r := rng.New(8)
	for _, c := range []near.Config{
		{Width: fixed.One, Height: fixed.One, Cell: fixed.One / 4},
		{Width: near.MaxSide, Height: fixed.One, Cell: near.MaxSide / 1000, Torus: true},
		{Width: 1, Height: 1, Cell: 1, Torus: true},
	} {
		data := make([]byte, 20*pointSize)
		for i := range data {
			data[i] = byte(r.Next())
		}
		f.Add(int64(c.Width), int64(c.Height), int64(c.Cell), c.Torus, int64(c.Width/2), data)
		f.Add(int64(c.Width), int64(c.Height), int64(c.Cell), c.Torus, int64(1)<<62, make([]byte, 64))
	}
	f.Fuzz(func(t *testing.T, width, height, cell int64, torus bool, radius int64, data []byte) {
		c := near.Config{Width: fixed.Num(width), Height: fixed.Num(height), Cell: fixed.Num(cell), Torus: torus}
		g, err := near.New(c)
		if err != nil {
			return
		}
		n := naive{c, map[uint32]fixed.Vec2{}}
		var points []fixed.Vec2
		var marks []uint32
		for ; len(data) >= pointSize && len(points) < 100; data = data[pointSize:] {
			marks = append(marks, binary.LittleEndian.Uint32(data[16:]))
			p := fixed.Vec2{X: fixed.Num(binary.LittleEndian.Uint64(data)), Y: fixed.Num(binary.LittleEndian.Uint64(data[8:]))}
			n.points[uint32(len(points))] = p
			points = append(points, p)
		}
		g.Build(points)
		pairs := 0
		for i, p := range points {
			want := n.nearest(p, fixed.Num(radius))
			if got := g.AppendNearest(nil, len(points), p, fixed.Num(radius), nil); !slices.Equal(got, want) {
				t.Fatalf("%+v: around %d at %v: %v, want %v", c, i, p, got, want)
			}
			if got := g.Within(nil, p, fixed.Num(radius)); !slices.Equal(got, byID(want)) {
				t.Fatalf("%+v: around %d at %v: %v, want %v", c, i, p, got, byID(want))
			}
			pairs += max(len(want)-1, 0)
		}
		for range g.Pairs(fixed.Num(radius)) {
			pairs -= 2
		}
		if pairs != 0 {
			t.Fatalf("%+v: %d pairs too few", c, pairs/2)
		}
		parts := g.Divide(3)
		for i, p := range points {
			parts[marks[i]>>8%3].AddMarked(uint32(i), p, marks[i])
		}
		g.Sort()
		for i, p := range points {
			var want near.Neighbour
			classes := uint64(marks[i])*0x9E3779B97F4A7C15 | near.ClassOf(uint8(i))
			at := slices.IndexFunc(n.nearest(p, fixed.Num(radius)), func(o near.Neighbour) bool {
				return classes&near.ClassOf(uint8(marks[o.ID]%near.Classes)) != 0
			})
			if at >= 0 {
				want = n.nearest(p, fixed.Num(radius))[at]
			}
			if got, ok := g.NearestOf(p, fixed.Num(radius), classes); ok != (at >= 0) || ok && got != want {
				t.Fatalf("%+v: the nearest of %x around %d is %v, %v, want %v", c, classes, i, got, ok, want)
			}
		}
	})
}
