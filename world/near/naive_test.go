package near_test

import (
	"cmp"
	"flag"
	"slices"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/world/near"
)

var seedFlag = flag.Uint64("near.seed", 0, "the seed of the random tests; 0: one of each test's own")

// seeded returns a generator, and prints its seed if the test fails.
func seeded(t testing.TB, own uint64) *rng.Xorshift128Plus {
	t.Helper()
	seed := own
	if *seedFlag != 0 {
		seed = *seedFlag
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("again with -near.seed=%d", seed)
		}
	})
	r := rng.New(seed)
	return &r
}

func below(r *rng.Xorshift128Plus, n int) int { return int(r.Next() % uint64(n)) }

// between returns a random number, all of whose bits matter.
func between(r *rng.Xorshift128Plus, low, high fixed.Num) fixed.Num {
	return low + fixed.Num(r.Next()%uint64(high-low))
}

// naive has the points of a grid, and searches by looking at all of them.
type naive struct {
	config near.Config
	points map[uint32]fixed.Vec2
}

// along returns the distance between two coordinates.
func (n *naive) along(a, b, size fixed.Num) uint64 {
	if n.config.Torus {
		d := (a%size - b%size + 2*size) % size
		return uint64(min(d, size-d))
	}
	a, b = a.Clamp(-near.MaxSide, near.MaxSide), b.Clamp(-near.MaxSide, near.MaxSide)
	return uint64((a - b).Abs())
}

func (n *naive) squared(p, q fixed.Vec2) uint64 {
	x, y := n.along(p.X, q.X, n.config.Width), n.along(p.Y, q.Y, n.config.Height)
	return x*x + y*y
}

// nearest lists the points within r, the nearest first.
func (n *naive) nearest(p fixed.Vec2, r fixed.Num) (list []near.Neighbour) {
	r = min(r, 1<<31)
	for id, q := range n.points {
		if d := n.squared(p, q); r >= 0 && d <= uint64(r)*uint64(r) {
			list = append(list, near.Neighbour{ID: id, Squared: d})
		}
	}
	slices.SortFunc(list, func(a, b near.Neighbour) int {
		return cmp.Or(cmp.Compare(a.Squared, b.Squared), cmp.Compare(a.ID, b.ID))
	})
	return list
}

func byID(list []near.Neighbour) []near.Neighbour {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b near.Neighbour) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// random is a grid and its naive counterpart, both filled.
type random struct {
	*near.Grid
	naive
	size fixed.Num // of the longer side
}

func randomGrid(t testing.TB, r *rng.Xorshift128Plus) *random {
	t.Helper()
	sizes := []fixed.Num{1, 100, fixed.One, 16 * fixed.One, 100*fixed.One + 7, near.MaxSide}
	c := near.Config{Width: sizes[below(r, len(sizes))], Height: sizes[below(r, len(sizes))], Torus: below(r, 2) == 0}
	size := max(c.Width, c.Height)
	c.Cell = max(size/fixed.Num(1+below(r, 40)), 1)
	g, err := near.New(c)
	if err != nil {
		t.Fatal(err)
	}
	n := &random{g, naive{c, map[uint32]fixed.Vec2{}}, size}
	n.fill(r, below(r, 200))
	return n
}

// fill adds the same points to both, in a random order.
func (n *random) fill(r *rng.Xorshift128Plus, count int) {
	n.Clear()
	clear(n.points)
	for range count {
		id := uint32(r.Next())
		if _, there := n.points[id]; there {
			continue
		}
		p := n.position(r)
		n.points[id] = p
		n.Add(id, p)
	}
	n.Sort()
}

// position returns a random position: in the area or around it, far away, or one that others have, too, or in line with
// them.
func (n *random) position(r *rng.Xorshift128Plus) fixed.Vec2 {
	p := fixed.Vec2{X: between(r, 0, n.config.Width), Y: between(r, 0, n.config.Height)}
	switch below(r, 8) {
	case 0:
		p = fixed.Vec2{X: between(r, -n.size, 2*n.size), Y: between(r, -n.size, 2*n.size)}
	case 1:
		p.X = fixed.Num(r.Next())
	case 2, 3:
		step := max(n.size/8, 1)
		p.X, p.Y = p.X/step*step, p.Y/step*step
	case 4:
		p.X = n.config.Cell * fixed.Num(below(r, 5))
	}
	return p
}

func (n *random) radius(r *rng.Xorshift128Plus) fixed.Num {
	switch below(r, 6) {
	case 0:
		return 0
	case 1:
		return fixed.Num(r.Next())
	case 2:
		return n.config.Cell
	}
	return between(r, 0, n.size/fixed.Num(1+below(r, 10))+1)
}
