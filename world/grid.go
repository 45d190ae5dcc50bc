//detlint:ignore concurrency what is remembered here follows from the content, and anybody who computes it gets the same
package world

import (
	"errors"
	"sync/atomic"

	"github.com/tickback/tickback/canon"
)

// A page of a grid has gridSide × gridSide = Rows cells.
const (
	gridBits = 4
	gridSide = 1 << gridBits

	// MaxSide is the maximum number of cells along a side of a grid.
	MaxSide = 1 << 12
)

// Grid is a rectangle of cells, in pages of 16 × 16. It has no cells until [Grid.Resize]. T is
// plain, as [canon.PlanFor] requires.
type Grid[T any] struct {
	pages[[Rows]T]
	width, height int
	across        int           // the number of pages side by side
	version       atomic.Uint64 // 0 if not known
	cell          *canon.Plan[T]
}

func (g *Grid[T]) bind(b *binder, path string, _ *Table, like part) {
	g.attach(b, path, like)
	var err error
	if g.cell, err = canon.PlanFor[T](); err != nil {
		b.refuse(path, err)
	}
}

// Size returns the number of cells along both sides.
func (g *Grid[T]) Size() (width, height int) { return g.width, g.height }

// Resize sets the size of the grid to width × height cells, all zero. It panics with a [*UseError] if a side has more
// than [MaxSide] cells, in a stage, and outside of a step.
func (g *Grid[T]) Resize(width, height int) {
	g.store.changeable("Resize", g.path, noRow)
	if min(width, height) < 0 || max(width, height) > MaxSide {
		panic(&UseError{Call: "Resize", Path: g.path, Row: noRow, Err: ErrFull})
	}
	g.resize(0)
	g.setSize(width, height)
}

func (g *Grid[T]) setSize(width, height int) {
	g.width, g.height = width, height
	g.across = (width + gridSide - 1) / gridSide
	g.resize(g.across * ((height + gridSide - 1) / gridSide))
	g.version.Store(0)
}

// In reports whether there is a cell at x, y: both are from 0 to the size - 1.
func (g *Grid[T]) In(x, y int) bool { return uint(x) < uint(g.width) && uint(y) < uint(g.height) }

// At returns a cell, or zero if there is no such cell.
func (g *Grid[T]) At(x, y int) T {
	if !g.In(x, y) {
		return *new(T)
	}
	return g.list[y>>gridBits*g.across+x>>gridBits].content[y&(gridSide-1)<<gridBits|x&(gridSide-1)]
}

// Page returns the cells of a page, row by row, for reading in place: cell (x, y) of a grid is in page y/16*across +
// x/16, where across is the number of pages side by side. It panics if there is no such page. Writing to it would
// change snapshots. It is valid until the next change of the grid.
func (g *Grid[T]) Page(i int) *[Rows]T { return g.list[i].content }

// Set changes a cell, and returns false if there is no such cell. In a stage or outside of a step it panics with a
// [*UseError].
func (g *Grid[T]) Set(x, y int, v T) bool {
	g.store.changeable("Set", g.path, noRow)
	if !g.In(x, y) {
		return false
	}
	g.version.Store(0)
	g.write(y>>gridBits*g.across + x>>gridBits)[y&(gridSide-1)<<gridBits|x&(gridSide-1)] = v
	return true
}

// Version returns a number that depends only on the size and the cells. Use it as the key of data that is derived from
// them and kept outside of the state, such as routes. Going back to an earlier content brings back its version. Two
// different contents have the same version with a probability of 2^-64. Any goroutine may call it while the grid does
// not change.
func (g *Grid[T]) Version() uint64 {
	if v := g.version.Load(); v != 0 {
		return v
	}
	v := max(digestOf(g), 1)
	g.version.Store(v)
	return v
}

func (g *Grid[T]) copyFrom(from paged) {
	f := from.(*Grid[T])
	g.shareFrom(&f.pages)
	g.width, g.height, g.across = f.width, f.height, f.across
	g.version.Store(f.version.Load())
}

func (g *Grid[T]) reset() { g.setSize(0, 0) }

// finish returns an error if pages at the edges have cells beyond the size.
func (g *Grid[T]) finish() error {
	g.version.Store(0)
	for i, p := range g.list {
		if p == g.zero {
			continue // an encoding of a few bytes can have a grid of the largest size with only empty pages
		}
		for cell := range Rows {
			if x, y := g.place(i, cell); !g.In(x, y) && !g.cell.Equal(&p.content[cell], &g.zero.content[0]) {
				return &UseError{Call: "decoding", Path: g.path, Row: noRow, Err: errOutside}
			}
		}
	}
	return nil
}

// place returns the coordinates of a cell of a page.
func (g *Grid[T]) place(page, cell int) (x, y int) {
	return page%g.across*gridSide + cell%gridSide, page/g.across*gridSide + cell/gridSide
}

var errOutside = errors.New("a cell outside of the grid")

func (g *Grid[T]) head() (heading, int) { return heading{uint64(g.width), uint64(g.height)}, 2 }

func (g *Grid[T]) wanted(h heading) uint64 {
	return min(h[0], 2*MaxSide) * min(h[1], 2*MaxSide) / Rows // a lower bound is enough, since this size is refused
}

func (g *Grid[T]) setHead(h heading) error {
	if max(h[0], h[1]) > MaxSide {
		return ErrFull
	}
	g.setSize(int(h[0]), int(h[1]))
	return nil
}
