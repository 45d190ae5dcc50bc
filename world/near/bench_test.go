package near_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/world/near"
)

// crowd is 10,000 points in an area of 256 × 256, in squads: about a dozen are within 4 of each.
func crowd(b *testing.B, torus bool) (*near.Grid, []fixed.Vec2) {
	r := seeded(b, 7)
	const side = 256 * fixed.One
	points := make([]fixed.Vec2, 0, 10000)
	for len(points) < cap(points) {
		x, y := between(r, 0, side), between(r, 0, side)
		for range 50 {
			points = append(points, fixed.Vec2{
				X: (x + between(r, -8*fixed.One, 8*fixed.One)).Clamp(0, side-1),
				Y: (y + between(r, -8*fixed.One, 8*fixed.One)).Clamp(0, side-1),
			})
		}
	}
	return grid(b, near.Config{Width: side, Height: side, Cell: 4 * fixed.One, Torus: torus}), points
}

// Measures building a grid of 10,000 points, compared with copying them.
func BenchmarkBuild10000(b *testing.B) {
	g, points := crowd(b, false)
	copied := make([]fixed.Vec2, len(points))
	floor.CompareWhole(b, len(points), func() { copy(copied, points) }, func() { g.Build(points) })
}

// bare searches for points within a distance of a point, in a list that contains only those.
func bare(list []fixed.Vec2, p fixed.Vec2, r int64, to []near.Neighbour) []near.Neighbour {
	for i, q := range list {
		x, y := int64(p.X-q.X), int64(p.Y-q.Y)
		if d := x*x + y*y; d <= r*r {
			to = append(to, near.Neighbour{ID: uint32(i), Squared: uint64(d)})
		}
	}
	return to
}

// Measures searches around 10,000 points, one after the other, compared with looking only at the points that they find.
func BenchmarkSearch10000(b *testing.B) {
	const radius = 4 * fixed.One
	for _, torus := range []bool{false, true} {
		g, points := crowd(b, torus)
		g.Build(points)
		var list []near.Neighbour
		around, found := make([][]fixed.Vec2, len(points)), 0
		for i, p := range points {
			list = g.Within(list[:0], p, radius)
			for _, n := range list {
				around[i] = append(around[i], points[n.ID])
			}
			found += len(list)
		}
		at := 0
		each := func(search func(i int, p fixed.Vec2)) floor.Batch {
			return func(n int) {
				for range n {
					at = (at + 1) % len(points)
					search(at, points[at])
				}
			}
		}
		least := each(func(i int, p fixed.Vec2) { list = bare(around[i], p, int64(radius), list[:0]) })
		suffix := map[bool]string{false: "", true: "_torus"}[torus]
		b.Run("within"+suffix, func(b *testing.B) {
			floor.Compare(b, least, each(func(_ int, p fixed.Vec2) { list = g.Within(list[:0], p, radius) }))
			b.ReportMetric(float64(found)/float64(len(points)), "found")
		})
		b.Run("nearest"+suffix, func(b *testing.B) {
			floor.Compare(b, least, each(func(i int, p fixed.Vec2) {
				g.Nearest(p, 4*radius, func(id uint32) bool { return id != uint32(i) })
			}))
		})
		b.Run("lists"+suffix, func(b *testing.B) {
			lists, sum := make([][]near.Point, 0, 16), 0
			floor.Compare(b, least, each(func(_ int, p fixed.Vec2) {
				for _, list := range g.AppendLists(lists[:0], p, radius) {
					sum += len(list)
				}
			}))
		})
		b.Run("nearest_8"+suffix, func(b *testing.B) {
			floor.Compare(b, least, each(func(_ int, p fixed.Vec2) { list = g.AppendNearest(list[:0], 8, p, 4*radius, nil) }))
		})
	}
}

// Measures finding the nearest point of the other side, where every second squad is of that side, compared with looking
// at all points within 4.
func BenchmarkNearestOf10000(b *testing.B) {
	g, points := crowd(b, false)
	g.Clear()
	for i, p := range points {
		g.AddMarked(uint32(i), p, uint32(i/50%2))
	}
	g.Sort()
	var list []near.Neighbour
	at := 0
	each := func(search func(i int, p fixed.Vec2)) floor.Batch {
		return func(n int) {
			for range n {
				at = (at + 1) % len(points)
				search(at, points[at])
			}
		}
	}
	floor.Compare(b, each(func(_ int, p fixed.Vec2) { list = g.Within(list[:0], p, 4*fixed.One) }),
		each(func(i int, p fixed.Vec2) { g.NearestOf(p, 16*fixed.One, ^near.ClassOf(uint8(i/50%2))) }))
}

// Measures finding all pairs of 10,000 points, per point, compared with looking at those that are found around it.
func BenchmarkPairs10000(b *testing.B) {
	const radius = 4 * fixed.One
	for _, torus := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "torus"}[torus], func(b *testing.B) {
			g, points := crowd(b, torus)
			g.Build(points)
			sum, pairs := uint64(0), 0
			floor.CompareWhole(b, len(points), func() {
				for i := 1; i < len(points); i++ {
					x, y := int64(points[i].X-points[i-1].X), int64(points[i].Y-points[i-1].Y)
					sum += uint64(x*x + y*y)
				}
			}, func() {
				pairs = 0
				for p := range g.Pairs(radius) {
					sum += p.Squared
					pairs++
				}
			})
			b.ReportMetric(float64(pairs)/float64(len(points)), "pairs")
		})
	}
}
