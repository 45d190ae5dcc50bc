package nav

import "math/bits"

// noZone is the zone of a blocked cell. No sector has more than half as many zones as cells.
const noZone = 255

// label finds the zones of a sector: the sets of its cells between which one can walk without leaving the sector. They
// are numbered by their first cells. Since a diagonal step needs the cells beside it, straight steps alone connect the
// same cells.
func (t *terrain) label(sector int) {
	var free [Side]uint16
	corner := t.corner(sector)
	for y := range Side {
		for x, c := range t.cost[corner+y*t.width:][:Side] {
			if c != 0 {
				free[y] |= 1 << x
			}
			t.zone[corner+y*t.width+x] = noZone
		}
	}
	n := uint8(0)
	for y := range Side {
		for free[y] != 0 {
			zone := flood(&free, y)
			for j := y; j < Side; j++ { // the rows above have no cells of this zone
				free[j] &^= zone[j]
				for w := zone[j]; w != 0; w &= w - 1 {
					t.zone[corner+j*t.width+bits.TrailingZeros16(w)] = n
				}
			}
			n++
		}
	}
	t.zones[sector] = n
}

// flood returns the cells connected to the first free cell of a row, as one word for each row.
func flood(free *[Side]uint16, y int) (zone [Side]uint16) {
	zone[y] = free[y] & -free[y]
	for grown := true; grown; {
		for j := range Side {
			spread(free, &zone, j)
		}
		grown = false // if nothing grows upwards, nothing more can grow downwards
		for j := Side - 1; j >= 0; j-- {
			grown = spread(free, &zone, j) || grown
		}
	}
	return zone
}

// spread extends a zone in a row: from the two neighbouring rows, and along the row.
func spread(free, zone *[Side]uint16, y int) (grown bool) {
	w := zone[y]
	if y > 0 {
		w |= zone[y-1]
	}
	if y < Side-1 {
		w |= zone[y+1]
	}
	w &= free[y]
	for {
		more := (w | w<<1 | w>>1) & free[y]
		if more == w {
			break
		}
		w = more
	}
	grown = w != zone[y]
	zone[y] = w
	return grown
}

// components are the sets of cells of the map between which one can walk. They are computed on demand, from the zones
// and the crossings between them.
type components struct {
	known bool
	base  []uint32 // the number of the first zone of each sector
	of    []uint32 // for each zone, the zone that stands for its component
}

// component returns the component of a cell, and false if it is blocked.
func (t *terrain) component(c Cell) (uint32, bool) {
	t.connect()
	at := t.index(c)
	if t.zone[at] == noZone {
		return 0, false
	}
	return t.components.of[t.components.base[t.sector(c)]+uint32(t.zone[at])], true
}

func (t *terrain) connect() {
	c := &t.components
	if c.known {
		return
	}
	c.known = true
	c.base, c.of = c.base[:0], c.of[:0]
	for _, n := range t.zones {
		c.base = append(c.base, uint32(len(c.of)))
		for range n {
			c.of = append(c.of, uint32(len(c.of)))
		}
	}
	for n := range t.crossings {
		for w := t.crossings[n]; w != 0; w &= w - 1 {
			a, b := t.ends(crossing(n*Side + bits.TrailingZeros16(w)))
			c.join(t.zoneNumber(a), t.zoneNumber(b))
		}
	}
	for i := range c.of { // the root of a set always has its lowest number
		c.of[i] = c.of[c.of[i]]
	}
}

func (t *terrain) zoneNumber(at int32) uint32 {
	y := int(at) / t.width
	return t.components.base[y/Side*t.across+(int(at)-y*t.width)/Side] + uint32(t.zone[at])
}

// join joins the components of two zones. The root with the lower number remains.
func (c *components) join(a, b uint32) {
	a, b = c.root(a), c.root(b)
	c.of[max(a, b)] = min(a, b)
}

func (c *components) root(a uint32) uint32 {
	for c.of[a] != a {
		c.of[a] = c.of[c.of[a]]
		a = c.of[a]
	}
	return a
}
