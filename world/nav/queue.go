package nav

import "math/bits"

const (
	// ring is the number of buckets: more than the longest step, which costs 7 times 254, so that no two distances in the
	// queue share a bucket.
	ring  = 2048
	words = ring / 64
)

// queue is Dial's priority queue: a ring of buckets, one for each distance, and a bit for each bucket that is not
// empty. The order within a bucket is undefined.
type queue struct {
	heads    [ring]int32
	occupied [words]uint64
	nodes    []node // element 0 is not used
	free     int32
}

// node is a cell in a bucket. The nodes of each bucket form a list, and so do the free nodes.
type node struct {
	at   int32
	next int32
}

func newQueue() *queue { return &queue{nodes: make([]node, 1, 1024)} }

// push adds a cell at a distance, which must be less than ring above the lowest distance in the queue.
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

// next returns the lowest distance in the queue, at least from, and whether there is one.
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

// take removes all cells at a distance, and returns the first node of their list. The caller must give every node back,
// after it has read the next one.
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
