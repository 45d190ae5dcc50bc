package nav

import "math/bits"

// crossing is a place at which plans cross from one sector into the next: position i of the border to the east of
// sector s is crossing 2*s*Side + i, and position i of the border to the south is crossing (2*s+1)*Side + i.
//
// A portal is a maximal run of positions of a border at which the cells on both sides are passable. All of its cells on
// one side are in the same zone. A short portal has one crossing in its middle; a longer one has crossings at its ends,
// and in between so that no two neighbours are far apart.
type crossing int32

const (
	wideForTwo = 4 // portals at least this wide have crossings at both ends
	spacing    = 5 // the maximum distance between crossings
)

// cross finds the crossings on the borders of a sector. It calls other with the sectors whose crossings have changed.
func (t *terrain) cross(sector int, other func(sector int)) {
	x, y := sector%t.across, sector/t.across
	if x < t.across-1 && t.border(2*sector) {
		other(sector + 1)
	}
	if y < t.down-1 && t.border(2*sector+1) {
		other(sector + t.across)
	}
	if x > 0 && t.border(2*(sector-1)) {
		other(sector - 1)
	}
	if y > 0 && t.border(2*(sector-t.across)+1) {
		other(sector - t.across)
	}
}

// border finds the crossings of one border, and reports whether they have changed.
func (t *terrain) border(n int) (changed bool) {
	var open uint16
	for i := range Side {
		a, b := t.ends(crossing(n*Side + i))
		if t.cost[a] != 0 && t.cost[b] != 0 {
			open |= 1 << i
		}
	}
	before := t.crossings[n]
	t.crossings[n] = chosen(open)
	return t.crossings[n] != before
}

// chosen returns the crossings of a border, given the positions that are open.
func chosen(open uint16) (set uint16) {
	for open != 0 {
		first := bits.TrailingZeros16(open)
		width := bits.TrailingZeros32(^(uint32(open) >> first))
		last := first + width - 1
		if width < wideForTwo {
			set |= 1 << (first + (width-1)/2)
		} else {
			parts := (last - first + spacing - 1) / spacing
			for i := range parts + 1 {
				set |= 1 << (first + (last-first)*i/parts)
			}
		}
		open &^= uint16(1<<width-1) << first
	}
	return set
}

// ends returns the cells of a crossing: the one in the sector whose east or south border it is, and the one beyond the
// border.
func (t *terrain) ends(c crossing) (near, far int32) {
	n, i := int(c)/Side, int(c)%Side
	corner := t.corner(n / 2)
	if n%2 == 0 {
		near = int32(corner + i*t.width + Side - 1)
		return near, near + 1
	}
	near = int32(corner + (Side-1)*t.width + i)
	return near, near + int32(t.width)
}
