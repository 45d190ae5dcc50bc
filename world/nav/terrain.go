package nav

// terrain is derived from a map, sector by sector: costs and exits for walking, zones and crossings for planning. It
// depends only on the costs.
//
// Cells are counted row by row over the whole map, so that a step in a direction always adds the
// same number.
type terrain struct {
	width, height int
	across, down  int // the size of the map in sectors
	offsets       [directions]int32

	cost  []uint8 // the cost of each cell; 0: blocked
	exits []uint8 // for each cell, the directions in which it can be left, as bits
	zone  []uint8 // for each cell, its zone in its sector; noZone if it is blocked

	zones     []uint8  // for each sector, the number of its zones
	crossings []uint16 // for each sector, the crossings of its borders to the east and to the south; see crossing.go

	components components

	all, west, east Sectors // all sectors, and those at the west and east edges of the map

	pauses
}

func newTerrain(width, height int) *terrain {
	t := &terrain{width: width, height: height, across: width / Side, down: height / Side}
	cells, sectors := width*height, width*height/area
	t.cost, t.exits, t.zone = make([]uint8, cells), make([]uint8, cells), make([]uint8, cells)
	t.zones, t.crossings = make([]uint8, sectors), make([]uint16, 2*sectors)
	for d := range t.offsets {
		t.offsets[d] = int32(stepY[d]*width + stepX[d])
	}
	for i := range sectors {
		t.all.add(i)
	}
	for y := range t.down {
		t.west.add(y * t.across)
		t.east.add(y*t.across + t.across - 1)
	}
	return t
}

// index returns the number of a cell on the map.
func (t *terrain) index(c Cell) int32 { return int32(c.Y()*t.width + c.X()) }

// cell is the inverse of index.
func (t *terrain) cell(at int32) Cell {
	y := int(at) / t.width
	return Cell(y<<16 | (int(at) - y*t.width))
}

func (t *terrain) on(c Cell) bool { return c.X() < t.width && c.Y() < t.height }

func (t *terrain) passable(c Cell) bool { return t.cost[t.index(c)] != 0 }

// sector returns the number of the sector that a cell is in.
func (t *terrain) sector(c Cell) int { return c.Y()/Side*t.across + c.X()/Side }

// corner returns the number of the first cell of a sector.
func (t *terrain) corner(sector int) int {
	return sector/t.across*Side*t.width + sector%t.across*Side
}

// change reads the contents of sectors; the list has no sector twice. It calls other with those sectors, among these
// and those beside them, whose inner ways or crossings have changed.
func (t *terrain) change(sectors []int32, p *pages, other func(sector int)) {
	for _, s := range sectors {
		page, at := p.page(int(s)), t.corner(int(s))
		for y := range Side {
			row := t.cost[at+y*t.width:][:Side]
			for x := range row {
				row[x] = page[y*Side+x]
				if row[x] == Blocked {
					row[x] = 0
				}
			}
		}
	}
	for _, s := range sectors {
		x, y := int(s)%t.across*Side, int(s)/t.across*Side
		for j := max(y-1, 0); j < min(y+Side+1, t.height); j++ {
			for i := max(x-1, 0); i < min(x+Side+1, t.width); i++ {
				t.exits[j*t.width+i] = t.exitsOf(i, j)
			}
		}
		t.spend(area / 2)
	}
	for _, s := range sectors {
		t.label(int(s))
		other(int(s))
		t.spend(area / 4)
	}
	for _, s := range sectors {
		t.cross(int(s), other)
		t.spend(area / 4)
	}
	t.components.known = false
}

// exitsOf finds the directions in which a cell can be left. A diagonal step needs both cells beside it: nothing can
// cut a corner.
func (t *terrain) exitsOf(x, y int) uint8 {
	at := y*t.width + x
	if t.cost[at] == 0 {
		return 0
	}
	open := func(d Direction) uint8 {
		i, j := x+stepX[d], y+stepY[d]
		if uint(i) >= uint(t.width) || uint(j) >= uint(t.height) || t.cost[j*t.width+i] == 0 {
			return 0
		}
		return 1 << d
	}
	exits := open(North) | open(East) | open(South) | open(West)
	for d := NorthEast; d <= NorthWest; d++ {
		if exits&beside[d] == beside[d] {
			exits |= open(d)
		}
	}
	return exits
}

// beside has, for each diagonal direction, the two straight ones beside it.
var beside = [directions]uint8{
	NorthEast: 1<<North | 1<<East,
	SouthEast: 1<<South | 1<<East,
	SouthWest: 1<<South | 1<<West,
	NorthWest: 1<<North | 1<<West,
}
