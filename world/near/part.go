package near

import (
	"cmp"
	"slices"

	"github.com/tickback/tickback/fixed"
)

// Part is a share of the points of a grid, to which one goroutine adds while others add to other parts: see
// [Grid.Divide].
type Part struct {
	grid   *Grid
	shares [bands]share
	many   bool     // at least one point was added
	first  uint32   // the first id that was added
	last   uint32   // and the last one
	fallen bool     // an id was lower than the one before it
	mixed  bool     // not all points are of class 0
	_      [56]byte // padding: neighbours are written by different processors
}

// share has the points of a part that are in one band, in the order of adding.
type share struct {
	points []Point
	cells  []home // the cell and block of each point
}

// home is the cell and block of a point.
type home struct{ cell, block uint32 }

// Divide removes all added points, as [Grid.Clear] does, and divides the grid into the given number of parts, at least
// 0. Until [Grid.Sort], goroutines may add to different parts at the same time, one to each part: for example chunk i
// of a stage to part i. The results do not depend on how the points are divided; it is fastest if ids ascend from part
// to part. The parts belong to the grid, and must not be added to after the next Clear or Divide.
func (g *Grid) Divide(parts int) []Part {
	g.Clear()
	g.used += parts
	for len(g.parts) < g.used {
		g.parts = append(g.parts, Part{})
	}
	added := g.parts[1:g.used:g.used]
	for i := range added {
		added[i].begin(g)
	}
	return added
}

func (p *Part) begin(g *Grid) {
	p.grid, p.many, p.fallen, p.mixed = g, false, false, false
	for i := range p.shares {
		s := &p.shares[i]
		s.points, s.cells = s.points[:0], s.cells[:0]
	}
}

// AddMarked adds a point with a mark, as [Grid.AddMarked] does.
func (p *Part) AddMarked(id uint32, at fixed.Vec2, mark uint32) {
	x, y := p.grid.place(at)
	p.add(Point{x, y, id, mark})
}

func (p *Part) add(q Point) {
	if !p.many {
		p.many, p.first = true, q.ID
	} else if p.last >= q.ID {
		p.fallen = true
	}
	p.last = q.ID
	p.mixed = p.mixed || q.Mark%Classes != 0
	g := p.grid
	row, column := g.row(q.Y), g.column(q.X)
	down := uint32(row / blockCells)
	s := &p.shares[g.bandOf(down)%bands]
	s.points = append(s.points, q)
	s.cells = append(s.cells, home{uint32(row*g.across + column), down*uint32(g.blocks.across) + uint32(column/blockCells)})
}

// order brings the points into the order of their ids: it leaves them as they are if they were added in order, and
// otherwise sorts them in one part.
func (g *Grid) order() {
	last, rising := int64(-1), true
	for i := range g.parts[:g.used] {
		if p := &g.parts[i]; p.many {
			rising = rising && !p.fallen && int64(p.first) > last
			last = int64(p.last)
		}
	}
	if rising {
		return
	}
	all := g.unordered[:0]
	for i := range g.parts[:g.used] {
		for k := range g.parts[i].shares {
			all = append(all, g.parts[i].shares[k].points...)
		}
	}
	slices.SortFunc(all, byID)
	g.Clear()
	for _, q := range all {
		g.parts[0].add(q)
	}
	g.unordered = all
}

// byID orders points by id, and those with the same id by their position and mark, so that even then the order of
// adding does not matter.
func byID(a, b Point) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Mark, b.Mark))
}
