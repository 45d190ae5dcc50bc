package nav

import "math/bits"

const (
	// ring is how many buckets there are: more than the longest step, so that no two distances
	// that wait at the same time share one.
	ring  = 2048
	words = ring / 64
)

// queue is Dial's priority queue: a ring of buckets, one for each distance, and a bit for each
// bucket that holds something. Within a bucket there is no order that anyone may rely on.
type queue struct {
	heads    [ring]int32
	occupied [words]uint64
	nodes    []node // the first is no node
	free     int32
}

// node is a cell in a bucket. The nodes that wait form lists, and so do the free ones.
type node struct {
	at   int32
	next int32
}

func newQueue() *queue { return &queue{nodes: make([]node, 1, 1024)} }

// push adds a cell at a distance, which is less than ring above the lowest one that waits.
func (q *queue) push(at int32, distance uint32) {
	n := q.free
	if n == 0 {
		n = int32(len(q.nodes))
		q.nodes = append(q.nodes, node{})
	} else {
		q.free = q.nodes[n].next
	}
	b := distance % ring
	q.nodes[n] = node{at, q.heads[b]}
	q.heads[b] = n
	q.occupied[b/64] |= 1 << (b % 64)
}

// next returns the lowest distance that waits, which is at least this one, and whether any does.
func (q *queue) next(from uint32) (uint32, bool) {
	w := from / 64 % words
	if o := q.occupied[w] >> (from % 64); o != 0 {
		return from + uint32(bits.TrailingZeros64(o)), true
	}
	base := from | 63
	for range words {
		w = (w + 1) % words
		if o := q.occupied[w]; o != 0 {
			return base + 1 + uint32(bits.TrailingZeros64(o)), true
		}
		base += 64
	}
	return 0, false
}

// take removes all that waits at a distance, and returns the first node of its list. The caller
// gives every node back, after it has read what is next.
func (q *queue) take(distance uint32) int32 {
	b := distance % ring
	n := q.heads[b]
	q.heads[b] = 0
	q.occupied[b/64] &^= 1 << (b % 64)
	return n
}

func (q *queue) give(n int32) {
	q.nodes[n].next = q.free
	q.free = n
}
