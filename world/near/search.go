package near

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/tickback/tickback/fixed"
)

// Neighbour is a point found by a search.
type Neighbour struct {
	ID uint32
	// Squared is the exact square of the distance, in units of [fixed.Epsilon] squared, so that a distance of 1 is 1<<32
	// here.
	Squared uint64
}

// span is a range of columns or rows, both ends included.
type span struct{ first, last int32 }

// maxReach is larger than any distance.
const maxReach = 1 << 31

// reach limits a radius, and reports whether it is valid.
func reach(r fixed.Num) (int64, bool) {
	return min(int64(r), maxReach), r >= 0
}

// columns and rows return the spans that contain all coordinates within r of x: no cell is in both.
func (g *Grid) columns(x int32, r int64) ([2]span, int) {
	return g.spans(int64(x)-r, int64(x)+r, g.width, g.across)
}

func (g *Grid) rows(y int32, r int64) ([2]span, int) {
	return g.spans(int64(y)-r, int64(y)+r, g.height, g.down)
}

func (g *Grid) spans(low, high int64, size, cells int32) ([2]span, int) {
	cell := func(at int64) int32 { return min(g.cellOf(int32(min(max(at, 0), int64(size)))), cells-1) }
	whole := [2]span{{0, cells - 1}}
	switch {
	case !g.torus:
		return [2]span{{cell(low), cell(high)}}, 1
	case low >= 0 && high < int64(size):
		return [2]span{{cell(low), cell(high)}}, 1
	}
	if low < 0 {
		low += int64(size)
	} else {
		high -= int64(size)
	}
	first, last := cell(low), cell(high)
	if last >= first {
		return whole, 1
	}
	return [2]span{{0, last}, {first, cells - 1}}, 2
}

// squared returns the square of the distance between two points.
func (g *Grid) squared(a Point, x, y int32) uint64 {
	dx, dy := int64(a.X)-int64(x), int64(a.Y)-int64(y)
	if g.torus {
		dx, dy = shortest(dx, int64(g.width)), shortest(dy, int64(g.height))
	}
	return uint64(dx*dx) + uint64(dy*dy)
}

func shortest(d, size int64) int64 {
	d = max(d, -d)
	return min(d, size-d)
}

// AppendLists appends lists of points: every point whose distance from p is at most r is in exactly one of them, but
// they contain other points, too. It is for callers that look at many points and decide themselves which ones count.
// The lists belong to the grid: only read them, and only until the next Sort. Their order, and the order in them,
// depends on the points and the cells.
func (g *Grid) AppendLists(to [][]Point, p fixed.Vec2, r fixed.Num) [][]Point {
	distance, ok := reach(r)
	if !ok {
		return to
	}
	x, y := g.place(p)
	if !g.torus { // the common case, without what a torus needs
		columns := span{min(g.cellOf(low(x, distance)), g.across-1), min(g.cellOf(high(x, distance)), g.across-1)}
		last := min(g.cellOf(high(y, distance)), g.down-1)
		for row := min(g.cellOf(low(y, distance)), g.down-1); row <= last; row++ {
			to = append(to, g.stretch(row, columns))
		}
		return to
	}
	columns, nx := g.columns(x, distance)
	rows, ny := g.rows(y, distance)
	for _, rs := range rows[:ny] {
		for row := rs.first; row <= rs.last; row++ {
			for _, cs := range columns[:nx] {
				to = append(to, g.stretch(row, cs))
			}
		}
	}
	return to
}

// low and high return a coordinate minus or plus a distance, limited to the range of coordinates.
func low(x int32, r int64) int32  { return int32(max(int64(x)-r, math.MinInt32)) }
func high(x int32, r int64) int32 { return int32(min(int64(x)+r, math.MaxInt32)) }

// Within appends all points whose distance from p is at most r, by ascending id.
func (g *Grid) Within(to []Neighbour, p fixed.Vec2, r fixed.Num) []Neighbour {
	distance, ok := reach(r)
	if !ok {
		return to
	}
	from := len(to)
	x, y := g.place(p)
	most := uint64(distance * distance)
	columns, nx := g.columns(x, distance)
	rows, ny := g.rows(y, distance)
	for _, rs := range rows[:ny] {
		for row := rs.first; row <= rs.last; row++ {
			for _, cs := range columns[:nx] {
				to = g.filter(to, g.stretch(row, cs), x, y, most)
			}
		}
	}
	sortByID(to[from:])
	return to
}

// filter appends the points that are near enough. Which ones those are is unpredictable, so a branch would cost more
// than an unneeded write.
func (g *Grid) filter(to []Neighbour, points []Point, x, y int32, most uint64) []Neighbour {
	n := len(to)
	to = slices.Grow(to, len(points))[:n+len(points)]
	for _, q := range points {
		d := g.squared(q, x, y)
		to[n] = Neighbour{q.ID, d}
		n += int((d - most - 1) >> 63) // both are at most 1<<63, so the top bit is set if d is at most most
	}
	return to[:n]
}

// sortByID sorts by ascending id, and points with the same id by distance.
func sortByID(list []Neighbour) {
	if len(list) > 64 {
		slices.SortFunc(list, func(a, b Neighbour) int {
			return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Squared, b.Squared))
		})
		return
	}
	for i, n := range list {
		for ; i > 0 && (list[i-1].ID > n.ID || list[i-1].ID == n.ID && list[i-1].Squared > n.Squared); i-- {
			list[i] = list[i-1]
		}
		list[i] = n
	}
}

// stretch returns the points in these columns of a row, which are contiguous in memory.
func (g *Grid) stretch(row int32, columns span) []Point {
	base := row * g.across
	return g.points[g.heads[base+columns.first]:g.heads[base+columns.last+1]]
}

// nearer reports whether a comes before b in the order by distance, then by id.
func nearer(a, b Neighbour) bool {
	return a.Squared < b.Squared || a.Squared == b.Squared && a.ID < b.ID
}

// Nearest returns the point nearest to p, among those within r that keep accepts; of several at the same distance, it
// returns the one with the lowest id. Without keep all are accepted. keep must always give the same answer for the same
// point.
func (g *Grid) Nearest(p fixed.Vec2, r fixed.Num, keep func(id uint32) bool) (Neighbour, bool) {
	var one [1]Neighbour
	found := g.AppendNearest(one[:0], 1, p, r, keep)
	if len(found) == 0 {
		return Neighbour{}, false
	}
	return found[0], true
}

// AppendNearest appends the k points nearest to p, among those within r that keep accepts, or fewer if there are not
// that many: by ascending distance, and those at the same distance by ascending id.
func (g *Grid) AppendNearest(to []Neighbour, k int, p fixed.Vec2, r fixed.Num, keep func(id uint32) bool) []Neighbour {
	distance, ok := reach(r)
	if !ok || k <= 0 {
		return to
	}
	x, y := g.place(p)
	from := len(to)
	// A search within a radius finds all points in it, so it ends once it has found k. The radius doubles, so repeated
	// searches cost less than the last one.
	for radius := min(int64(g.side), distance); ; radius = min(2*radius, distance) {
		to = g.appendNearest(to[:from], k, x, y, radius, keep)
		if len(to)-from == k || radius >= distance {
			return to
		}
	}
}

func (g *Grid) appendNearest(to []Neighbour, k int, x, y int32, radius int64, keep func(id uint32) bool) []Neighbour {
	from := len(to)
	most := uint64(radius * radius)
	columns, nx := g.columns(x, radius)
	rows, ny := g.rows(y, radius)
	for _, rs := range rows[:ny] {
		for row := rs.first; row <= rs.last; row++ {
			for _, cs := range columns[:nx] {
				for _, q := range g.stretch(row, cs) {
					n := Neighbour{q.ID, g.squared(q, x, y)}
					if n.Squared > most || len(to)-from == k && !nearer(n, to[len(to)-1]) || keep != nil && !keep(q.ID) {
						continue
					}
					to = place(to, from, k, n)
				}
			}
		}
	}
	return to
}

// place inserts a neighbour into the list that begins at from, which has room for k, and for this one.
func place(to []Neighbour, from, k int, n Neighbour) []Neighbour {
	if len(to)-from < k {
		to = append(to, n)
	}
	i := len(to) - 1
	for ; i > from && nearer(n, to[i-1]); i-- {
		to[i] = to[i-1]
	}
	to[i] = n
	return to
}

// Pair is a pair of points, with the lower id first.
type Pair struct {
	A, B    uint32
	Squared uint64 // as in [Neighbour]
}

// Pairs visits each pair of points whose distance is at most r once. The order depends only on the points and the
// cells: by the cell of one of the two, row by row.
func (g *Grid) Pairs(r fixed.Num) iter.Seq[Pair] {
	return func(yield func(Pair) bool) { g.pairs(r, yield) }
}

func (g *Grid) pairs(r fixed.Num, yield func(Pair) bool) {
	distance, ok := reach(r)
	if !ok {
		return
	}
	for i, p := range g.points {
		if g.torus {
			ok = g.pairsAround(i, p, distance, yield)
		} else {
			ok = g.pairsAfter(i, p, distance, yield)
		}
		if !ok {
			return
		}
	}
}

// pairsAfter visits the pairs of a point with those sorted after it: in the rest of its row, and in the rows below.
func (g *Grid) pairsAfter(i int, p Point, distance int64, yield func(Pair) bool) bool {
	most := uint64(distance * distance)
	columns, _ := g.columns(p.X, distance)
	rows, _ := g.rows(p.Y, distance)
	row := g.row(p.Y)
	for _, q := range g.points[i+1 : g.heads[row*g.across+columns[0].last+1]] {
		if d := g.squared(q, p.X, p.Y); d <= most && !yield(pair(p, q, d)) {
			return false
		}
	}
	for row++; row <= rows[0].last; row++ {
		for _, q := range g.stretch(row, columns[0]) {
			if d := g.squared(q, p.X, p.Y); d <= most && !yield(pair(p, q, d)) {
				return false
			}
		}
	}
	return true
}

// pairsAround does the same as pairsAfter, but on a torus: it looks at all neighbours, and skips those sorted before
// the point.
func (g *Grid) pairsAround(i int, p Point, distance int64, yield func(Pair) bool) bool {
	most := uint64(distance * distance)
	columns, nx := g.columns(p.X, distance)
	rows, ny := g.rows(p.Y, distance)
	for _, rs := range rows[:ny] {
		for row := rs.first; row <= rs.last; row++ {
			for _, cs := range columns[:nx] {
				base := row * g.across
				first, end := int(g.heads[base+cs.first]), int(g.heads[base+cs.last+1])
				for k := max(first, i+1); k < end; k++ {
					q := g.points[k]
					if d := g.squared(q, p.X, p.Y); d <= most && !yield(pair(p, q, d)) {
						return false
					}
				}
			}
		}
	}
	return true
}

func pair(p, q Point, d uint64) Pair {
	return Pair{min(p.ID, q.ID), max(p.ID, q.ID), d}
}
