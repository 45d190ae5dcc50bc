package nav

// nearest returns the cell that is nearest to one of the targets among those of a component, or
// among all that are passable: the least distance between the centres, then the first row by row.
// It returns Nowhere if there is none.
func (t *terrain) nearest(targets []Cell, component uint32, any bool) Cell {
	t.connect()
	best, least := Nowhere, int64(-1)
	for _, g := range targets {
		sx, sy := g.X()/Side, g.Y()/Side
		for r := 0; r < max(t.across, t.down); r++ {
			// What is r sectors away is more than r-1 whole sectors away.
			if gap := int64(r-1)*Side + 1; r > 0 && least >= 0 && gap*gap > least {
				break
			}
			for y := max(sy-r, 0); y <= min(sy+r, t.down-1); y++ {
				step := 1
				if y > sy-r && y < sy+r {
					step = max(2*r, 1) // only the two ends of the ring's other rows
				}
				for x := sx - r; x <= sx+r; x += step {
					if x < 0 || x >= t.across || !t.holds(y*t.across+x, component, any) {
						continue
					}
					best, least = t.nearestIn(y*t.across+x, g, component, any, best, least)
				}
			}
		}
	}
	return best
}

// holds reports whether a sector has cells of a component.
func (t *terrain) holds(sector int, component uint32, any bool) bool {
	base := int(t.components.base[sector])
	for i := range int(t.zones[sector]) {
		if any || t.components.of[base+i] == component {
			return true
		}
	}
	return false
}

// nearestIn improves the nearest cell known by those of a sector.
func (t *terrain) nearestIn(sector int, target Cell, component uint32, any bool, best Cell, least int64) (Cell, int64) {
	base := int(t.components.base[sector])
	corner := t.corner(sector)
	for y := range Side {
		for x, zone := range t.zone[corner+y*t.width:][:Side] {
			if zone == noZone || !any && t.components.of[base+int(zone)] != component {
				continue
			}
			c := t.cell(int32(corner + y*t.width + x))
			if d := c.squared(target); least < 0 || d < least || d == least && c < best {
				best, least = c, d
			}
		}
	}
	return best, least
}

// Nearest returns the cell that is nearest to this one among those that can be entered: itself if it
// can be, and otherwise the one whose centre has the least distance, and among these the first row by
// row. It is for those that stand where a building has appeared, since no field leads from there. It
// returns [Nowhere] if the whole map is blocked, or the cell is not on it.
func (n *Navigator) Nearest(c Cell) Cell {
	if n.terrain == nil || !n.terrain.on(c) {
		return Nowhere
	}
	return n.terrain.nearest([]Cell{c}, 0, true)
}
