package nav

import "math/bits"

// vertex is one side of a crossing: crossing*2, plus 1 for the far side.
type vertex int32

// links are the vertices of a sector and the exact distances between them inside it. They are computed when a search
// first reaches the sector.
type links struct {
	known    bool
	vertices []vertex
	cells    []int32  // the cells of the vertices
	distance []uint32 // the distance from vertex i to vertex j is at j*len(vertices)+i; unreached if there is no way
}

// linksOf returns the links of a sector.
func (p *planner) linksOf(sector int) *links {
	l := &p.links[sector]
	if l.known {
		return l
	}
	l.known = true
	p.list(l, sector)
	l.distance = l.distance[:0]
	for i, at := range l.cells {
		p.slot[l.vertices[i]] = uint8(i)
		p.inside(sector, at)
		for _, from := range l.cells {
			l.distance = append(l.distance, p.distanceFrom(from))
		}
		p.leave(sector)
	}
	return l
}

// list finds the vertices of a sector: east, south, west, north, and along each border.
func (p *planner) list(l *links, sector int) {
	l.vertices, l.cells = l.vertices[:0], l.cells[:0]
	x, y := sector%p.across, sector/p.across
	p.listBorder(l, 2*sector, 0)
	p.listBorder(l, 2*sector+1, 0)
	if x > 0 {
		p.listBorder(l, 2*(sector-1), 1)
	}
	if y > 0 {
		p.listBorder(l, 2*(sector-p.across)+1, 1)
	}
}

func (p *planner) listBorder(l *links, border int, side vertex) {
	for w := p.crossings[border]; w != 0; w &= w - 1 {
		c := crossing(border*Side + bits.TrailingZeros16(w))
		ends := [2]int32{}
		ends[0], ends[1] = p.ends(c)
		l.vertices = append(l.vertices, vertex(c)*2+side)
		l.cells = append(l.cells, ends[side])
	}
}

// inside computes the distances from the cells of a sector to the goals, within the sector. distanceFrom can read them
// until leave is called.
func (p *planner) inside(sector int, goals ...int32) {
	var set Sectors
	set.add(sector)
	p.desk.clear()
	p.desk.open([]int32{int32(sector)}, &set)
	p.desk.integrate(goals)
}

func (p *planner) distanceFrom(at int32) uint32 {
	if v := p.desk.value[at]; v != unreached {
		return v / 8
	}
	return unreached
}

func (p *planner) leave(sector int) { p.desk.shut([]int32{int32(sector)}) }

// forget drops the links of a sector, because it or its crossings have changed.
func (p *planner) forget(sector int) { p.links[sector].known = false }
