package near

import (
	"cmp"
	"slices"

	"github.com/tickback/tickback/fixed"
)

// Part is a share of the points of a grid, to be added by one goroutine while others add to other
// parts: see [Grid.Divide].
type Part struct {
	grid   *Grid
	points []Point  // as they were added
	cells  []home   // where they are
	fallen bool     // an id was not greater than the one before it
	mixed  bool     // not all are of class 0
	_      [56]byte // neighbours are written by different processors
}

// home is where a point is.
type home struct{ cell, block uint32 }

// Divide begins anew, as [Grid.Clear] does, with so many parts: at least 0. Goroutines may add to
// different parts at the same time, one to each part, until [Grid.Sort]: chunk i of a stage to part
// i, say. What is found does not depend on how points are divided; it is fastest if ids rise from
// part to part. The parts belong to the grid, and must not be added to after the next Clear or
// Divide.
func (g *Grid) Divide(parts int) []Part {
	g.Clear()
	for len(g.parts) < parts {
		g.parts = append(g.parts, Part{})
	}
	g.used = parts
	for i := range parts {
		g.parts[i].begin(g)
	}
	return g.parts[:parts:parts]
}

func (p *Part) begin(g *Grid) {
	p.grid, p.points, p.cells, p.fallen, p.mixed = g, p.points[:0], p.cells[:0], false, false
}

// AddMarked adds a point with a mark, as [Grid.AddMarked] does.
func (p *Part) AddMarked(id uint32, at fixed.Vec2, mark uint32) {
	if n := len(p.points); n > 0 && p.points[n-1].ID >= id {
		p.fallen = true
	}
	p.mixed = p.mixed || mark%Classes != 0
	x, y := p.grid.place(at)
	q := Point{x, y, id, mark}
	p.points = append(p.points, q)
	p.cells = append(p.cells, p.grid.homeOf(q))
}

// homeOf returns where a point is.
func (g *Grid) homeOf(p Point) home {
	row, column := g.row(p.Y), g.column(p.X)
	return home{uint32(row*g.across + column), uint32(row/blockCells*g.blocks.across + column/blockCells)}
}

// order has the points in the order of their ids: as they are, if they were added so, and else in
// one part.
func (g *Grid) order() {
	last, rising := int64(-1), true
	g.each(func(p *Part) {
		if n := len(p.points); n > 0 {
			rising = rising && !p.fallen && int64(p.points[0].ID) > last
			last = int64(p.points[n-1].ID)
		}
	})
	if rising {
		return
	}
	all := &g.added
	for i := range g.used {
		all.points = append(all.points, g.parts[i].points...)
		all.mixed = all.mixed || g.parts[i].mixed
	}
	g.used = 0
	slices.SortFunc(all.points, byID)
	all.cells, all.fallen = all.cells[:0], false
	for _, p := range all.points {
		all.cells = append(all.cells, g.homeOf(p))
	}
}

func (g *Grid) each(do func(p *Part)) {
	do(&g.added)
	for i := range g.used {
		do(&g.parts[i])
	}
}

// byID orders points by id, and those with the same id by where they are and what they carry, so that
// even then the order of adding does not matter.
func byID(a, b Point) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Mark, b.Mark))
}
