package nav

// unreached is the value of a cell from which no way to a goal is known.
const unreached = 1<<32 - 1

// desk is the memory in which a field is computed: values for the whole map, although only those in the open sectors
// are used. Between two computations the newest field stays in it, so that repairing that field, as after each change
// of a building, need not copy it; all other sectors are shut, and their values unreached.
//
// The value of a cell is its distance to a goal, times 8, plus the direction of the first step. Comparing two values
// compares the distances, and where these are equal the directions. So it does not matter in which order a queue
// returns cells of the same distance: the value of a cell is the least that its neighbours give it, and once the last
// of them has its final value, so does the cell.
type desk struct {
	*terrain
	value []uint32
	exits []uint8 // the exits of the terrain that stay within the open sectors
	queue *queue

	keys  []uint64 // the cells to begin with, with their distances
	lost  []int32  // for repairs: cells that have lost their value
	found []int32  // for repairs: cells that have a better value now

	held   *Field  // the field whose values are here, or nil
	opened []int32 // the sectors that are open
	again  []int32 // those of them that are reopened after a change
}

func newDesk(t *terrain) *desk {
	d := &desk{terrain: t, value: make([]uint32, len(t.cost)), exits: make([]uint8, len(t.cost)), queue: newQueue()}
	for i := range d.value {
		d.value[i] = unreached
	}
	return d
}

// The columns and rows at the edges of a sector, as directions that lead out of it.
const (
	toNorth = 1<<North | 1<<NorthEast | 1<<NorthWest
	toEast  = 1<<East | 1<<NorthEast | 1<<SouthEast
	toSouth = 1<<South | 1<<SouthEast | 1<<SouthWest
	toWest  = 1<<West | 1<<SouthWest | 1<<NorthWest
)

// open restricts ways to these sectors: a cell outside of them counts as blocked, also as the corner of a diagonal
// step.
func (d *desk) open(list []int32, set *Sectors) {
	w := d.width
	for _, s := range list {
		corner := d.corner(int(s))
		for y := range Side {
			at := corner + y*w
			*(*[Side]uint8)(d.exits[at:]) = *(*[Side]uint8)(d.terrain.exits[at:])
		}
		// Nothing leads off the map, so it does not matter which sector counts as the one beside the edge.
		if !set.Has(int(s) - d.across) {
			d.close(corner, 1, toNorth)
		}
		if !set.Has(int(s) + d.across) {
			d.close(corner+(Side-1)*w, 1, toSouth)
		}
		if !set.Has(int(s) - 1) {
			d.close(corner, w, toWest)
		}
		if !set.Has(int(s) + 1) {
			d.close(corner+Side-1, w, toEast)
		}
		d.closeCorners(int(s), corner, set)
	}
}

// close removes directions along an edge of a sector.
func (d *desk) close(at, step int, exits uint8) {
	for range Side {
		d.exits[at] &^= exits
		at += step
	}
}

// closeCorners removes the steps into sectors that touch only at a corner.
func (d *desk) closeCorners(sector, corner int, set *Sectors) {
	last := Side - 1
	for dir, at := range [directions]int{NorthEast: corner + last, SouthEast: corner + last*d.width + last, SouthWest: corner + last*d.width, NorthWest: corner} {
		if dir >= diagonal && !set.Has(sector+stepY[dir]*d.across+stepX[dir]) {
			d.exits[at] &^= 1 << dir
		}
	}
}

// shut undoes open.
func (d *desk) shut(list []int32) {
	blank := [Side]uint32{}
	for i := range blank {
		blank[i] = unreached
	}
	for _, s := range list {
		at := d.corner(int(s))
		for range Side {
			*(*[Side]uint8)(d.exits[at:]) = [Side]uint8{}
			*(*[Side]uint32)(d.value[at:]) = blank
			at += d.width
		}
	}
}

// take takes the values of a field whose sectors are open as the current ones. The map may have changed since then, in
// the sectors listed in changed.
func (d *desk) take(f *Field, changed []int32) {
	if d.held != f {
		d.clear()
		d.open(f.list, &f.sectors)
		d.load(f.list, f.values)
		return
	}
	// A changed cell also changes the exits of its neighbours.
	d.again = d.again[:0]
	for _, s := range changed {
		x, y := int(s)%d.across, int(s)/d.across
		for j := max(y-1, 0); j < min(y+2, d.down); j++ {
			for i := max(x-1, 0); i < min(x+2, d.across); i++ {
				if f.sectors.Has(j*d.across + i) {
					d.again = append(d.again, int32(j*d.across+i))
				}
			}
		}
	}
	d.open(d.again, &f.sectors)
}

// hold records the field to which the values here belong from now on.
func (d *desk) hold(f *Field) {
	d.held, d.opened = f, append(d.opened[:0], f.list...)
}

// clear shuts all sectors.
func (d *desk) clear() {
	d.shut(d.opened)
	d.held, d.opened = nil, d.opened[:0]
}

// load copies the values of sectors from a field, and store copies them to one.
func (d *desk) load(list []int32, values []uint32) {
	for i, s := range list {
		block, at := (*[area]uint32)(values[i*area:]), d.corner(int(s))
		for y := range Side {
			*(*[Side]uint32)(d.value[at:]) = *(*[Side]uint32)(block[y*Side:])
			at += d.width
		}
	}
}

func (d *desk) store(list []int32, values []uint32) {
	for i, s := range list {
		block, at := (*[area]uint32)(values[i*area:]), d.corner(int(s))
		for y := range Side {
			*(*[Side]uint32)(block[y*Side:]) = *(*[Side]uint32)(d.value[at:])
			at += d.width
		}
	}
}
