package near_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world/near"
)

// Rule: bands that are sorted by several goroutines, in any order, give the same grid as Sort, in areas of any shape,
// and also in a grid that had other points before.
func TestBandsAreTheWhole(t *testing.T) {
	r := seeded(t, 12)
	for round := range 120 {
		c := near.Config{
			Width: fixed.FromInt(int64(1 + below(r, 90))), Height: fixed.FromInt(int64(1 + below(r, 90))), Cell: fixed.One * fixed.Num(1+below(r, 12)) / 4,
			Torus: round%2 == 0,
		}
		whole, divided := grid(t, c), grid(t, c)
		for range 3 {
			whole.Clear()
			shares := divided.Divide(4)
			for i := range below(r, 300) {
				p := fixed.Vec2{X: between(r, -fixed.One, c.Width+fixed.One), Y: between(r, -fixed.One, c.Height+fixed.One)}
				mark := uint32(below(r, 3) * round)
				whole.AddMarked(uint32(i), p, mark)
				shares[i*4/300].AddMarked(uint32(i), p, mark)
			}
			whole.Sort()
			bands := divided.Bands()
			var wait sync.WaitGroup
			for i := range bands {
				wait.Go(func() { divided.SortBand(bands - 1 - i) })
			}
			wait.Wait()
			far := c.Width + c.Height
			a, b := slices.Concat(whole.AppendLists(nil, fixed.Vec2{}, far)...), slices.Concat(divided.AppendLists(nil, fixed.Vec2{}, far)...)
			if len(a) != whole.Len() || !slices.Equal(a, b) {
				t.Fatalf("%+v: %d points: in bands %v, else %v", c, whole.Len(), b, a)
			}
			p, classes := fixed.Vec2{X: between(r, 0, c.Width), Y: between(r, 0, c.Height)}, r.Next()
			x, okX := whole.NearestOf(p, far, classes)
			if y, okY := divided.NearestOf(p, far, classes); x != y || okX != okY {
				t.Fatalf("%+v: the nearest is %v in bands, else %v", c, y, x)
			}
		}
	}
}
