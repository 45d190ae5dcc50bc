package nav

import (
	"slices"
)

// Field is a flow field: for each cell that it covers, the direction to go and the distance to the nearest end of its
// way. It is derived from the map; it is not state.
//
// It may be read by several goroutines at once, and is valid until the next [Navigator.Look].
type Field struct {
	values  []uint32 // a block for each sector; see desk
	blocks  []int32  // the number of the block of each sector, or -1
	across  int
	down    int
	sectors Sectors
	list    []int32 // the same sectors as a list, ascending

	ends    [MaxEnds]Cell
	count   int
	serials []uint32 // the serial numbers of the sectors' contents
	used    uint64   // when it was last requested
}

// At returns the direction to go from a cell: [Here] if the cell is an end, and [Lost] if no way leads from it within
// the corridor, or if it is not covered, not passable or not on the map.
func (f *Field) At(x, y int) Direction {
	v := f.value(x, y)
	if v < directions {
		return Here // the distance is 0
	}
	if v == unreached {
		return Lost
	}
	return Direction(v % directions)
}

// Distance returns the distance from a cell to the nearest end, as a sum of weights of steps times costs, or false if
// At returns [Lost].
func (f *Field) Distance(x, y int) (uint32, bool) {
	v := f.value(x, y)
	return v / directions, v != unreached
}

// Covers reports whether a field covers a cell: it does if the cell's sector is on the way's route, or within the
// margin around it.
func (f *Field) Covers(x, y int) bool {
	return f.block(x, y) >= 0
}

func (f *Field) block(x, y int) int32 {
	sx, sy := x/Side, y/Side
	if x < 0 || y < 0 || sx >= f.across || sy >= f.down {
		return -1
	}
	return f.blocks[sy*f.across+sx]
}

func (f *Field) value(x, y int) uint32 {
	b := f.block(x, y)
	if b < 0 {
		return unreached
	}
	return f.values[int(b)*area+y%Side*Side+x%Side]
}

// cover makes room for the sectors of a field.
func (f *Field) cover(t *terrain, sectors *Sectors) {
	n := t.across * t.down
	f.across, f.down, f.sectors = t.across, t.down, *sectors
	f.list = sectors.list(f.list[:0], n)
	f.blocks = slices.Grow(f.blocks[:0], n)[:n]
	for i := range f.blocks {
		f.blocks[i] = -1
	}
	for i, s := range f.list {
		f.blocks[s] = int32(i)
	}
	f.values = slices.Grow(f.values[:0], len(f.list)*area)[:len(f.list)*area]
}

// identify records the inputs from which a field is computed.
func (f *Field) identify(ends []Cell, p *pages) {
	f.count = copy(f.ends[:], ends)
	f.serials = f.serials[:0]
	for _, s := range f.list {
		f.serials = append(f.serials, p.serials[s])
	}
}

// sameWay reports whether two fields have the same ends and cover the same sectors.
func (f *Field) sameWay(g *Field) bool {
	return f.count == g.count && f.ends == g.ends && f.sectors == g.sectors
}

// changed appends the sectors whose contents differ between two fields of the same way, and stops once there are too
// many.
func (f *Field) changed(g *Field, to []int32, most int) []int32 {
	for i, s := range f.serials {
		if s != g.serials[i] {
			if to = append(to, f.list[i]); len(to) > most {
				break
			}
		}
	}
	return to
}
