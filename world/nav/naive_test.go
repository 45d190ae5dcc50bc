package nav

import (
	"flag"
	"testing"

	"github.com/tickback/tickback/rng"
)

var seedFlag = flag.Uint64("nav.seed", 0, "the seed of the random tests; 0: one of each test's own")

// seeded returns a generator, and prints its seed if the test fails.
func seeded(t testing.TB, own uint64) *rng.Xorshift128Plus {
	t.Helper()
	seed := own
	if *seedFlag != 0 {
		seed = *seedFlag
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("again with -nav.seed=%d", seed)
		}
	})
	r := rng.New(seed)
	return &r
}

// rounds returns a fifth of the given number for short tests.
func rounds(long int) int {
	if testing.Short() {
		return long / 5
	}
	return long
}

const (
	maxCost = 254 // of a cell that can be entered
	maxStep = Diagonal * maxCost
)

func below(r *rng.Xorshift128Plus, n int) int { return int(r.Next() % uint64(n)) }

// randomMap has rooms, walls with doors, lakes, single rocks and rough ground.
func randomMap(t testing.TB, r *rng.Xorshift128Plus, width, height int) *Grid {
	t.Helper()
	g, err := NewGrid(width, height, 1)
	if err != nil {
		t.Fatal(err)
	}
	size := width * height
	for range below(r, size/300+1) { // rough ground
		g.Fill(below(r, width), below(r, height), 1+below(r, 20), 1+below(r, 20), uint8(1+below(r, 8)))
	}
	if below(r, 4) == 0 {
		g.Fill(below(r, width), below(r, height), width/3, height/3, maxCost)
	}
	for range below(r, size/400+1) { // walls
		length := 5 + below(r, 40)
		x, y := below(r, width), below(r, height)
		if below(r, 2) == 0 {
			g.Fill(x, y, length, 1, Blocked)
			g.Set(x+below(r, length), y, 1)
		} else {
			g.Fill(x, y, 1, length, 0)
			g.Set(x, y+below(r, length), 2)
		}
	}
	for range below(r, size/1500+1) { // lakes
		g.Fill(below(r, width), below(r, height), 3+below(r, 12), 3+below(r, 12), Blocked)
	}
	rocks := []int{0, size / 100, size / 10, size / 3}[below(r, 4)]
	for range rocks {
		g.Set(below(r, width), below(r, height), Blocked)
	}
	return g
}

// wall reports whether a cell of a map cannot be entered.
func wall(g *Grid, x, y int) bool { c := g.At(x, y); return c == 0 || c == Blocked }

// naiveStep reports whether one can step from a cell in a direction, by the rules as written.
func naiveStep(g *Grid, x, y int, d Direction, within func(x, y int) bool) bool {
	i, j := x+stepX[d], y+stepY[d]
	shut := func(x, y int) bool { return wall(g, x, y) || !within(x, y) }
	return !shut(x, y) && !shut(i, j) && (d < NorthEast || !shut(i, y) && !shut(x, j))
}

func anywhere(int, int) bool { return true }

const naiveFar = 1 << 40

// naiveDistances finds the distance to the nearest goal from each cell, by trying every step until
// nothing changes.
func naiveDistances(g *Grid, goals []Cell, within func(x, y int) bool) []int64 {
	far := make([]int64, g.width*g.height)
	for i := range far {
		far[i] = naiveFar
	}
	for _, c := range goals {
		far[c.Y()*g.width+c.X()] = 0
	}
	for changed := true; changed; {
		changed = false
		for sweep := range 2 {
			for k := range far {
				if sweep == 1 {
					k = len(far) - 1 - k
				}
				x, y := k%g.width, k/g.width
				for d := North; d <= NorthWest; d++ {
					if !naiveStep(g, x, y, d, within) {
						continue
					}
					i, j := x+stepX[d], y+stepY[d]
					if v := far[j*g.width+i] + naiveWeight(g, i, j, d); v < far[k] {
						far[k], changed = v, true
					}
				}
			}
		}
	}
	return far
}

// naiveWeight returns the cost of entering a cell by a step in a direction.
func naiveWeight(g *Grid, x, y int, d Direction) int64 {
	if d < NorthEast {
		return 5 * int64(g.At(x, y))
	}
	return 7 * int64(g.At(x, y))
}

// naiveDirection finds where to go from a cell, given all distances.
func naiveDirection(g *Grid, far []int64, x, y int, within func(x, y int) bool) Direction {
	switch here := far[y*g.width+x]; here {
	case 0:
		return Here
	case naiveFar:
		return Lost
	default:
		for d := North; d <= NorthWest; d++ {
			if naiveStep(g, x, y, d, within) {
				i, j := x+stepX[d], y+stepY[d]
				if far[j*g.width+i]+naiveWeight(g, i, j, d) == here {
					return d
				}
			}
		}
	}
	return Lost
}

// whole returns the field of a whole map.
func whole(t testing.TB, n *Navigator, goals ...Cell) (*Field, *Way) {
	t.Helper()
	var w Way
	answer(t, n, &w, goals, nil)
	return n.Field(&w), &w
}

// answer requests a path and has it answered at once.
func answer(t testing.TB, n *Navigator, w *Way, goals, starts []Cell) {
	t.Helper()
	m := Meter{PerTick: 1 << 30}
	if err := n.Ask(&m, w, goals, starts); err != nil {
		t.Fatal(err)
	}
	list := []Way{*w}
	if got := n.Advance(&m, list); got != 1 {
		t.Fatalf("%d ways answered", got)
	}
	*w = list[0]
}

func look(t testing.TB, n *Navigator, g Costs) {
	t.Helper()
	if err := n.Look(g); err != nil {
		t.Fatal(err)
	}
}

// passableCell returns a random cell that can be entered, or Nowhere.
func passableCell(r *rng.Xorshift128Plus, g *Grid) Cell {
	for range 10000 {
		if x, y := below(r, g.width), below(r, g.height); !wall(g, x, y) {
			return CellAt(x, y)
		}
	}
	return Nowhere
}

// sameAsNaive compares a field with the naive one.
func sameAsNaive(t *testing.T, g *Grid, f *Field, goals []Cell, within func(x, y int) bool) {
	t.Helper()
	far := naiveDistances(g, goals, within)
	for y := range g.height {
		for x := range g.width {
			want := naiveDirection(g, far, x, y, within)
			got := f.At(x, y)
			distance, ok := f.Distance(x, y)
			if got != want || ok != (want != Lost) || ok && int64(distance) != far[y*g.width+x] {
				t.Fatalf("at (%d, %d): %v, %d, %v; want %v, %d", x, y, got, distance, ok, want, far[y*g.width+x])
			}
		}
	}
}
