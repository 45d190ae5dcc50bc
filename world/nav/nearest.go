package nav

import "math"

// nearest returns the cell nearest to one of the targets, among those of a component or among all passable cells: the
// one with the least distance between the centres, and of several the first row by row. It returns Nowhere if there is
// none.
func (t *terrain) nearest(targets []Cell, component uint32, any bool) Cell {
	t.connect()
	best, least := Nowhere, int64(math.MaxInt64)
	for _, g := range targets {
		sx, sy := g.X()/Side, g.Y()/Side
		for r := 0; r < max(t.across, t.down); r++ {
			// A sector at a distance of r sectors has more than r-1 whole sectors in between.
			if gap := int64(r-1)*Side + 1; r > 0 && gap*gap > least {
				break
			}
			for y := max(sy-r, 0); y <= min(sy+r, t.down-1); y++ {
				step := 1
				if y > sy-r && y < sy+r {
					step = max(2*r, 1) // only the two ends of the other rows of the ring
				}
				for x := sx - r; x <= sx+r; x += step {
					if x < 0 || x >= t.across || t.gap(x, y, g) > least || !t.holds(y*t.across+x, component, any) {
						continue
					}
					best, least = t.nearestIn(y*t.across+x, g, component, any, best, least)
				}
			}
		}
	}
	return best
}

// gap returns the square of the distance between a cell and the nearest one of the sector in column x and
// row y of sectors.
func (t *terrain) gap(x, y int, c Cell) int64 {
	return c.squared(Cell(min(max(c.Y(), y*Side), y*Side+Side-1)<<16 | min(max(c.X(), x*Side), x*Side+Side-1)))
}

// holds reports whether a sector has cells of the component, or any passable cells if any is set.
func (t *terrain) holds(sector int, component uint32, any bool) bool {
	base := int(t.components.base[sector])
	for i := range int(t.zones[sector]) {
		if any || t.components.of[base+i] == component {
			return true
		}
	}
	return false
}

// nearestIn compares the nearest known cell with those of a sector, nearest rows first, and returns the better one.
func (t *terrain) nearestIn(sector int, target Cell, component uint32, any bool, best Cell, least int64) (Cell, int64) {
	top := sector / t.across * Side
	middle := min(max(target.Y(), top), top+Side-1)
	for y := middle; y < top+Side && !further(y, target, least); y++ {
		best, least = t.nearestInRow(sector, y, target, component, any, best, least)
	}
	for y := middle - 1; y >= top && !further(y, target, least); y-- {
		best, least = t.nearestInRow(sector, y, target, component, any, best, least)
	}
	return best, least
}

// further reports whether all cells of a row are further away than a cell at the squared distance least.
func further(y int, target Cell, least int64) bool {
	down := int64(y - target.Y())
	return down*down > least
}

func (t *terrain) nearestInRow(sector, y int, target Cell, component uint32, any bool, best Cell, least int64) (Cell, int64) {
	of := t.components.of[t.components.base[sector]:]
	left := sector % t.across * Side
	for x, zone := range t.zone[y*t.width+left:][:Side] {
		if zone == noZone || !any && of[zone] != component {
			continue
		}
		c := Cell(y<<16 | (left + x))
		if d := c.squared(target); d < least || d == least && c < best {
			best, least = c, d
		}
	}
	return best, least
}

// Nearest returns the nearest cell that can be entered: the given cell itself if possible, and otherwise the one whose
// centre is closest, and of several the first row by row. It is for units where a building has appeared, since no field
// leads from there. It returns [Nowhere] if the whole map is blocked, or if the cell is not on it.
func (n *Navigator) Nearest(c Cell) Cell {
	if n.terrain == nil || !n.terrain.on(c) {
		return Nowhere
	}
	if n.terrain.passable(c) {
		return c
	}
	return n.terrain.nearest([]Cell{c}, 0, true)
}
