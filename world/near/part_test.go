package near_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world/near"
)

// Points that goroutines add to parts are found like those that one goroutine has added to the grid: whether ids ascend
// or not, with empty parts, with others added to the grid itself, and in a grid used before.
func TestPartsAreTheWhole(t *testing.T) {
	r := seeded(t, 11)
	config := near.Config{Width: 64 * fixed.One, Height: 48 * fixed.One, Cell: fixed.One}
	whole, err := near.New(config)
	if err != nil {
		t.Fatal(err)
	}
	divided, err := near.New(config)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 60 {
		n, parts := below(r, 400), below(r, 9)
		whole.Clear()
		shares := divided.Divide(parts)
		lists := make([][]near.Point, parts+1)
		for i := range n {
			p := near.Point{X: int32(between(r, -fixed.One, 65*fixed.One)), Y: int32(between(r, -fixed.One, 49*fixed.One)), ID: uint32(i), Mark: uint32(below(r, 200))}
			share := i * (parts + 1) / n // they rise
			if round%3 == 1 {
				share = below(r, parts+1)
			}
			if round%3 == 2 {
				p.ID, p.Mark = uint32(below(r, 50)), 0
			}
			lists[share] = append(lists[share], p)
			whole.AddMarked(p.ID, at(p), p.Mark)
		}
		for _, p := range lists[0] {
			divided.AddMarked(p.ID, at(p), p.Mark)
		}
		var wait sync.WaitGroup
		for i, list := range lists[1:] {
			wait.Go(func() {
				for _, p := range list {
					shares[i].AddMarked(p.ID, at(p), p.Mark)
				}
			})
		}
		wait.Wait()
		whole.Sort()
		divided.Sort()
		if whole.Len() != n || divided.Len() != n {
			t.Fatalf("round %d: %d and %d of %d points are there", round, whole.Len(), divided.Len(), n)
		}
		for range 20 {
			p, far := at(near.Point{X: int32(between(r, 0, 64*fixed.One)), Y: int32(between(r, 0, 48*fixed.One))}), between(r, 0, 9*fixed.One)
			a, b := slices.Concat(whole.AppendLists(nil, p, far)...), slices.Concat(divided.AppendLists(nil, p, far)...)
			if !slices.Equal(a, b) {
				t.Fatalf("round %d: in parts %v, else %v", round, b, a)
			}
			classes := r.Next()
			x, okX := whole.NearestOf(p, far, classes)
			y, okY := divided.NearestOf(p, far, classes)
			if x != y || okX != okY {
				t.Fatalf("round %d: the nearest is %v in parts, else %v", round, y, x)
			}
		}
	}
}

func at(p near.Point) fixed.Vec2 { return fixed.Vec2{X: fixed.Num(p.X), Y: fixed.Num(p.Y)} }
