package near

import (
	"math"

	"github.com/tickback/tickback/fixed"
)

// Classes is the number of classes of points, such as sides.
const Classes = 64

// blockCells is how many cells along each side form a block. With fewer, a search for a distant point looks at more
// blocks; with more, it looks at more points needlessly.
const blockCells = 4

// blocks record the classes of the points in each block of a grid.
type blocks struct {
	across, down int32
	classes      []uint64 // for each block: bit c is set if it has a point of class c. Not valid while all points are of class 0
	mixed        bool     // not all points are of class 0
}

// room allocates memory for the classes once there are any.
func (b *blocks) room() {
	if b.mixed && b.classes == nil {
		b.classes = make([]uint64, b.across*b.down)
	}
}

// ClassOf returns the set with one class, for [Grid.NearestOf].
func ClassOf(class uint8) uint64 { return 1 << (class % Classes) }

// NearestOf returns the point nearest to p, among those within r that have one of the classes (bit c for class c); of
// several at the same distance, it returns the one with the lowest id. It skips parts of the area that have none of the
// classes, so it is fast even if many points of other classes are nearer.
func (g *Grid) NearestOf(p fixed.Vec2, r fixed.Num, classes uint64) (Neighbour, bool) {
	distance, ok := reach(r)
	if !ok {
		return Neighbour{}, false
	}
	x, y := g.place(p)
	s := quest{g: g, x: x, y: y, classes: classes, best: Neighbour{Squared: uint64(distance * distance)}}
	home := [2]int32{g.column(x) / blockCells, g.row(y) / blockCells}
	s.block(home[0], home[1]) // a close match rules out most other blocks
	columns, nx := g.columns(x, distance)
	rows, ny := g.rows(y, distance)
	for _, rs := range rows[:ny] {
		for by := rs.first / blockCells; by <= rs.last/blockCells; by++ {
			if s.beyond(y, by, g.blocks.down) {
				continue
			}
			for _, cs := range columns[:nx] {
				for bx := cs.first / blockCells; bx <= cs.last/blockCells; bx++ {
					if [2]int32{bx, by} != home && !s.beyond(x, bx, g.blocks.across) {
						s.block(bx, by)
					}
				}
			}
		}
	}
	return s.best, s.found
}

// quest is a search for the nearest point of certain classes.
type quest struct {
	g       *Grid
	x, y    int32
	classes uint64
	best    Neighbour // the best point so far; at first only a distance
	found   bool
}

// beyond reports whether a block is farther away along one axis than the best point. Blocks at the edge of a plane
// extend without limit; on a torus, where there is a way around, no block is ruled out.
func (s *quest) beyond(at, block, blocks int32) bool {
	if s.g.torus {
		return false
	}
	size := int64(s.g.side) * blockCells
	first, last := int64(block)*size, int64(block)*size+size-1
	if block == 0 {
		first = math.MinInt32
	}
	if block == blocks-1 {
		last = math.MaxInt32
	}
	d := max(first-int64(at), int64(at)-last, 0)
	return uint64(d*d) > s.best.Squared
}

// block looks at the points of a block.
func (s *quest) block(bx, by int32) {
	g := s.g
	if g.mixed && g.classes[by*g.blocks.across+bx]&s.classes == 0 {
		return
	}
	columns := span{bx * blockCells, min(bx*blockCells+blockCells, g.across) - 1}
	for row := by * blockCells; row < min((by+1)*blockCells, g.down); row++ {
		for _, q := range g.stretch(row, columns) {
			if s.classes>>q.Class()&1 == 0 {
				continue
			}
			n := Neighbour{q.ID, g.squared(q, s.x, s.y)}
			if nearer(n, s.best) || n.Squared == s.best.Squared && !s.found {
				s.best, s.found = n, true
			}
		}
	}
}
