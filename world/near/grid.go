package near

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/tickback/tickback/fixed"
)

// The limits of an area.
const (
	// MaxSide is the longest side of an area. Coordinates are limited to it in both directions, so
	// that the square of every distance is exact.
	MaxSide = 16384 * fixed.One
	// MaxCells is the maximum number of cells of a grid.
	MaxCells = 1 << 20
)

// ErrConfig is wrapped by the errors of [New]: the config does not describe a valid area.
var ErrConfig = errors.New("near: this is no area")

// Config describes an area.
type Config struct {
	// Width and Height are the size of the area, which begins at the origin: up to [MaxSide].
	Width, Height fixed.Num
	// Cell is the side of a cell: commonly the radius that is searched most. At most [MaxCells] cells may fit into the
	// area.
	Cell fixed.Num
	// Torus joins the left side to the right one, and the top to the bottom: positions are taken modulo the size, and
	// distances are measured the shortest way around. Without it, a point outside of the area is found like one inside,
	// but more slowly; coordinates beyond [MaxSide] or -MaxSide count as those values.
	Torus bool
}

// Grid is a spatial hash: points, sorted by the cells that they are in. It must not be searched while it is being
// filled, but several goroutines may search it at once.
type Grid struct {
	width, height int32 // the area, in ulp
	across, down  int32 // cells
	torus         bool
	side          int32
	reciprocal    uint64 // of the length of a cell's side; see cellOf

	heads  []uint32 // the index of the first point of each cell, and of the end
	points []Point  // the points, sorted by cell
	parts  []Part   // added points: those from Add in the first part; unused parts keep their memory
	used   int      // the number of parts in use

	perRow    uint64        // bands, by rows of blocks, in 1/2^32: see bandOf
	bases     [bands]uint32 // for each band, the number of points in the bands before it
	unordered []Point       // memory for sorting points whose ids do not ascend

	blocks
}

// Point is a point in a grid.
type Point struct {
	X, Y int32 // as in [fixed.Num]; on a torus in the area, and else at most [MaxSide] away from 0
	ID   uint32
	Mark uint32 // the mark given when it was added; the lowest bits are its class
}

// Class returns the class of the point.
func (p Point) Class() uint8 { return uint8(p.Mark % Classes) }

// New returns an empty grid.
func New(c Config) (*Grid, error) {
	switch {
	case c.Width <= 0 || c.Height <= 0 || c.Width > MaxSide || c.Height > MaxSide:
		return nil, fmt.Errorf("%w: %v × %v; each side is more than 0, and at most %v", ErrConfig, c.Width, c.Height, MaxSide)
	case c.Cell <= 0 || c.Cell > MaxSide:
		return nil, fmt.Errorf("%w: cells of %v; they are more than 0, and at most %v", ErrConfig, c.Cell, MaxSide)
	}
	across, down := (int64(c.Width)+int64(c.Cell)-1)/int64(c.Cell), (int64(c.Height)+int64(c.Cell)-1)/int64(c.Cell)
	if across*down > MaxCells {
		return nil, fmt.Errorf("%w: %d × %d cells of %v are more than %d: take larger ones", ErrConfig, across, down, c.Cell, MaxCells)
	}
	g := &Grid{
		width: int32(c.Width), height: int32(c.Height), across: int32(across), down: int32(down),
		torus: c.Torus, side: int32(c.Cell), heads: make([]uint32, across*down+1), parts: make([]Part, 1),
		reciprocal: math.MaxUint64/uint64(c.Cell) + 1, // rounded up
	}
	g.blocks = blocks{across: (g.across + blockCells - 1) / blockCells, down: (g.down + blockCells - 1) / blockCells}
	g.perRow = bands << 32 / uint64(g.blocks.down)
	g.Clear()
	return g, nil
}

// Build fills the grid with points whose ids are their indices in the list.
func (g *Grid) Build(points []fixed.Vec2) {
	g.Clear()
	for i, p := range points {
		g.Add(uint32(i), p)
	}
	g.Sort()
}

// Clear removes all added points. Searches find the previous points until Sort.
func (g *Grid) Clear() {
	g.parts[0].begin(g)
	g.used = 1
}

// Add adds a point, to be found after Sort. The order of adding does not matter, but ascending ids are faster.
func (g *Grid) Add(id uint32, p fixed.Vec2) { g.parts[0].AddMarked(id, p, 0) }

// AddMarked adds a point with a mark, which [Grid.AppendLists] returns with the point. mark % [Classes] is its class,
// for [Grid.NearestOf].
func (g *Grid) AddMarked(id uint32, p fixed.Vec2, mark uint32) { g.parts[0].AddMarked(id, p, mark) }

// Sort makes the points added since Clear or Divide available to searches, with a counting sort over the cells. It
// allocates only if there are more points than ever before. Use [Grid.Bands] to sort on several goroutines.
func (g *Grid) Sort() {
	for band := range g.Bands() {
		g.SortBand(band)
	}
}

// Len returns how many points can be found.
func (g *Grid) Len() int { return len(g.points) }

// place returns the effective coordinates of a position.
func (g *Grid) place(p fixed.Vec2) (x, y int32) {
	if g.torus {
		return around(p.X, g.width), around(p.Y, g.height)
	}
	return int32(p.X.Clamp(-MaxSide, MaxSide)), int32(p.Y.Clamp(-MaxSide, MaxSide))
}

func around(n fixed.Num, size int32) int32 {
	if uint64(n) < uint64(size) {
		return int32(n)
	}
	m := int64(n) % int64(size)
	if m < 0 {
		m += int64(size)
	}
	return int32(m)
}

// column and row return the cell of a coordinate; coordinates outside of the area belong to a cell at its edge.
func (g *Grid) column(x int32) int32 { return min(g.cellOf(x), g.across-1) }
func (g *Grid) row(y int32) int32    { return min(g.cellOf(y), g.down-1) }

// cellOf divides by the side of a cell. The product with the reciprocal, which is too large by less
// than 1/2^64 of it, is exact in the upper half for the 31 bits of a coordinate.
func (g *Grid) cellOf(x int32) int32 {
	x = max(x, 0)
	if g.side == 1 { // the reciprocal of 1 has overflowed to 0
		return x
	}
	high, _ := bits.Mul64(uint64(x), g.reciprocal)
	return int32(high)
}
