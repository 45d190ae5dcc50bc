package nav

import (
	"math/bits"
	"slices"
)

// integrate computes the values of all cells in the open sectors from which the goals can be reached. All goals must be
// passable.
func (d *desk) integrate(goals []int32) {
	d.keys = d.keys[:0]
	for _, at := range goals {
		d.value[at] = 0
		d.keys = append(d.keys, uint64(at))
	}
	d.settle()
}

// settle starts from the cells in keys, each at its distance, and improves values until none can be improved. It is
// Dijkstra's algorithm, backwards from the goals.
func (d *desk) settle() {
	slices.Sort(d.keys)
	for now, k := uint32(0), 0; ; {
		next, any := d.nearest(now, k)
		if !any {
			return
		}
		now = next
		for ; k < len(d.keys) && uint32(d.keys[k]>>32) == now; k++ {
			d.queue.push(int32(uint32(d.keys[k])), now)
		}
		d.spend(d.settleAt(now))
	}
}

// nearest returns the least distance, at least now, of the cells in the queue and of those in keys from the k-th on, and
// whether there are any.
func (d *desk) nearest(now uint32, k int) (distance uint32, any bool) {
	distance, any = d.queue.next(now)
	if k < len(d.keys) && (!any || uint32(d.keys[k]>>32) < distance) {
		return uint32(d.keys[k] >> 32), true
	}
	return distance, any
}

// settleAt does the work of settle for the cells at one distance, and returns how many there were. The cells that they
// improve are further away.
//
// Most of the time is spent here, so the eight directions are unrolled by hand: a loop takes twice as long.
func (d *desk) settleAt(now uint32) (cells int) {
	value, exits, cost, q, w := d.value, d.exits, d.cost, d.queue, int32(d.width)
	for n := q.take(now); n != 0; {
		here := q.nodes[n]
		q.give(n)
		n = here.next
		cells++
		at := here.at
		if value[at]/8 != now {
			continue // its value was improved after it was queued
		}
		c := uint32(cost[at])
		straight, diagonal := (now+Straight*c)*8, (now+Diagonal*c)*8
		open := exits[at]
		if open>>North&1 != 0 && improve(value, at-w, straight|uint32(South)) {
			q.push(at-w, straight/8)
		}
		if open>>East&1 != 0 && improve(value, at+1, straight|uint32(West)) {
			q.push(at+1, straight/8)
		}
		if open>>South&1 != 0 && improve(value, at+w, straight|uint32(North)) {
			q.push(at+w, straight/8)
		}
		if open>>West&1 != 0 && improve(value, at-1, straight|uint32(East)) {
			q.push(at-1, straight/8)
		}
		if open>>NorthEast&1 != 0 && improve(value, at-w+1, diagonal|uint32(SouthWest)) {
			q.push(at-w+1, diagonal/8)
		}
		if open>>SouthEast&1 != 0 && improve(value, at+w+1, diagonal|uint32(NorthWest)) {
			q.push(at+w+1, diagonal/8)
		}
		if open>>SouthWest&1 != 0 && improve(value, at+w-1, diagonal|uint32(NorthEast)) {
			q.push(at+w-1, diagonal/8)
		}
		if open>>NorthWest&1 != 0 && improve(value, at-w-1, diagonal|uint32(SouthEast)) {
			q.push(at-w-1, diagonal/8)
		}
	}
	return cells
}

// improve sets the value of a cell if the new one is less, and reports whether the cell is now nearer.
func improve(value []uint32, at int32, candidate uint32) bool {
	old := value[at]
	if candidate >= old {
		return false
	}
	value[at] = candidate
	return old^candidate >= 8
}

// best returns the best value that a cell can get from its neighbours.
func (d *desk) best(at int32) uint32 {
	least := uint32(unreached)
	for open := d.exits[at]; open != 0; open &= open - 1 {
		i := bits.TrailingZeros8(open) % directions
		to := at + d.offsets[i]
		if d.value[to] == unreached {
			continue
		}
		least = min(least, (d.value[to]/8+weights[i]*uint32(d.cost[to]))*8|uint32(i))
	}
	return least
}

// weights are the weights of steps by direction.
var weights = [directions]uint32{Straight, Straight, Straight, Straight, Diagonal, Diagonal, Diagonal, Diagonal}
