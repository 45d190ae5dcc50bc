package nav

import "slices"

// repair updates the values of an older map to the current one, in which these sectors have changed. The goals are the
// same, and passable. The result is the same as that of integrate.
//
// First it finds what a change can make worse, nearest first: a cell keeps its value as long as a nearer neighbour that
// has kept its own value still gives it; otherwise the cell loses its value, and all cells that relied on it have to be
// examined. Then the cells that have lost their value, and those that can improve, are computed again from the values
// that are right. (This follows Ramalingam and Reps, "An Incremental Algorithm for a Generalization of the
// Shortest-Path Problem", 1996.)
func (d *desk) repair(changed []int32) {
	d.lost, d.found = d.lost[:0], d.found[:0]
	d.markChanged(changed)
	slices.Sort(d.keys)
	for now, k := uint32(0), 0; ; {
		next, any := d.nearest(now, k)
		if !any {
			break
		}
		now = next
		for ; k < len(d.keys) && uint32(d.keys[k]>>32) == now; k++ {
			d.examine(int32(uint32(d.keys[k])), now)
		}
		for n := d.queue.take(now); n != 0; {
			here := d.queue.nodes[n]
			d.queue.give(n)
			n = here.next
			d.examine(here.at, now)
		}
	}
	d.keys = d.keys[:0]
	for _, at := range d.lost {
		if d.value[at] == unreached { // the cell may be on the list twice
			d.value[at] = d.best(at)
			d.begin(at)
		}
	}
	for _, at := range d.found {
		d.begin(at)
	}
	d.settle()
}

func (d *desk) begin(at int32) {
	if d.value[at] != unreached {
		d.keys = append(d.keys, uint64(d.value[at]/8)<<32|uint64(at))
	}
}

// markChanged lists the cells that have changed, and their neighbours: only the weights of their steps have changed.
func (d *desk) markChanged(changed []int32) {
	d.keys = d.keys[:0]
	for _, s := range changed {
		x, y := int(s)%d.across*Side, int(s)/d.across*Side
		for j := max(y-1, 0); j < min(y+Side+1, d.height); j++ {
			for i := max(x-1, 0); i < min(x+Side+1, d.width); i++ {
				at := int32(j*d.width + i)
				if v := d.value[at]; v != unreached {
					d.keys = append(d.keys, uint64(v/8)<<32|uint64(at))
				} else if d.exits[at] != 0 {
					d.lost = append(d.lost, at) // the cell may have become passable
				}
			}
		}
	}
}

// examine checks whether a cell whose value has this distance keeps its value.
func (d *desk) examine(at int32, now uint32) {
	if d.value[at]/8 != now || now == 0 {
		return // it has lost its value already, or it is a goal
	}
	best := d.best(at)
	if best/8 <= now {
		d.value[at] = best
		if best/8 < now {
			d.found = append(d.found, at)
		}
		return
	}
	d.value[at] = unreached
	d.lost = append(d.lost, at)
	c := uint32(d.cost[at])
	for i, offset := range d.offsets {
		if d.exits[at]>>i&1 == 0 {
			continue
		}
		to := at + offset
		if distance := now + weights[i]*c; d.value[to] != unreached && d.value[to]/8 == distance {
			d.queue.push(to, distance)
		}
	}
}
