package nav

import "fmt"

// Side is how many cells a sector has along a side.
const Side = 16

// The limits of maps.
const (
	// MaxCells is the maximum number of cells of a map, such as 512 × 512. Every distance on such a map fits into the 29
	// bits that a field has for it, however winding the way.
	MaxCells = 1 << 18

	area       = Side * Side
	maxSectors = MaxCells / area
)

// The weights of a step; the cost of a step is the weight times the cost of the cell that it enters.
const (
	// Straight is the weight of a step to the north, east, south or west.
	Straight = 5
	// Diagonal is the weight of a diagonal step.
	Diagonal = 7
)

// Blocked is the cost of a cell that nothing can enter. A cost of 0 is the same.
const Blocked = 255

// Page has the costs of a sector, row by row: that of its cell (x, y) is at y*Side + x.
type Page = [area]uint8

// Costs is a map: the cost to enter each cell, from 1 for plain ground to 254, and 0 or [Blocked] for cells that cannot
// be entered.
type Costs interface {
	// Size returns the width and height in cells: multiples of [Side], and always the same.
	Size() (width, height int)
	// Version identifies the contents: if two versions are equal, all costs are. A digest of the contents will do. It is a
	// shortcut: a navigator that gets the same version as last time does not read the pages.
	Version() uint64
	// Page returns the costs of a sector; sectors are counted row by row, from 0. The navigator
	// only reads them, and not after Look has returned.
	Page(sector int) *Page
}

// Grid is a map in memory, for tests, tools, and games whose map never changes. It is not plain data: a game whose map
// changes must keep the costs in its state.
type Grid struct {
	width, height int
	pages         []Page
	version       uint64
}

// NewGrid returns a map in which all cells have the same cost.
func NewGrid(width, height int, cost uint8) (*Grid, error) {
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	g := &Grid{width: width, height: height, pages: make([]Page, width*height/area)}
	for i := range g.pages {
		for j := range g.pages[i] {
			g.pages[i][j] = cost
		}
	}
	for y := range height {
		for x := range width {
			g.version += digest(x, y, cost)
		}
	}
	return g, nil
}

// Size implements [Costs].
func (g *Grid) Size() (width, height int) { return g.width, g.height }

// Version implements [Costs]: it is the sum, over all cells, of a hash of the cell and its cost, so equal contents have
// equal versions.
func (g *Grid) Version() uint64 { return g.version }

// Page implements [Costs].
func (g *Grid) Page(sector int) *Page { return &g.pages[sector] }

// At returns the cost of a cell, or [Blocked] outside of the map.
func (g *Grid) At(x, y int) uint8 {
	if uint(x) >= uint(g.width) || uint(y) >= uint(g.height) {
		return Blocked
	}
	return *g.at(x, y)
}

// Set sets the cost of a cell. Outside of the map it does nothing.
func (g *Grid) Set(x, y int, cost uint8) {
	if uint(x) >= uint(g.width) || uint(y) >= uint(g.height) {
		return
	}
	c := g.at(x, y)
	g.version += digest(x, y, cost) - digest(x, y, *c)
	*c = cost
}

// Fill sets the costs of a rectangle of cells, or of the part of it that is on the map.
func (g *Grid) Fill(x, y, width, height int, cost uint8) {
	for j := max(y, 0); j < min(y+height, g.height); j++ {
		for i := max(x, 0); i < min(x+width, g.width); i++ {
			g.Set(i, j, cost)
		}
	}
}

func (g *Grid) at(x, y int) *uint8 {
	return &g.pages[y/Side*(g.width/Side)+x/Side][y%Side*Side+x%Side]
}

// digest hashes a cell and its cost with the output function of splitmix64.
func digest(x, y int, cost uint8) uint64 {
	return mix(uint64(y)<<32 | uint64(x)<<8 | uint64(cost))
}

func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func checkSize(width, height int) error {
	if width < Side || height < Side || width%Side != 0 || height%Side != 0 || width > MaxCells/Side || height > MaxCells/Side || width*height > MaxCells {
		return fmt.Errorf("%w: %d × %d", ErrSize, width, height)
	}
	return nil
}
