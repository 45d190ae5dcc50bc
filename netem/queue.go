package netem

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// entry is an arrival in the queue. It is compared as a 128-bit number: the time, then the order of sending, whose low
// bits contain the number of the slot. Four entries fill a cache line.
type entry struct {
	at    uint64 // with 2^63 added, so that negative times come first
	order uint64 // the datagram's number << slotBits | slot
}

// slotBits are enough for MaxInFlight, and leave 44 bits for the number of
// sending: a million datagrams a second for half a year.
const slotBits = 20

func newEntry(at time.Duration, number uint64, slot uint32) entry {
	return entry{uint64(at) ^ 1<<63, number<<slotBits | uint64(slot)}
}

func (e entry) time() time.Duration { return time.Duration(e.at ^ 1<<63) }
func (e entry) number() uint64      { return e.order >> slotBits }
func (e entry) slot() uint32        { return uint32(e.order & (1<<slotBits - 1)) }

// before returns a mask: all ones if e comes before o, else 0; it is the borrow of a subtraction. This avoids a
// branch, which the processor could not predict.
func (e entry) before(o entry) uint64 {
	_, borrow := bits.Sub64(e.order, o.order, 0)
	_, borrow = bits.Sub64(e.at, o.at, borrow)
	return -borrow
}

// or returns o if the mask is all ones, e if it is 0.
func (e entry) or(o entry, mask uint64) entry {
	return entry{e.at ^ (e.at^o.at)&mask, e.order ^ (e.order^o.order)&mask}
}

// never is an entry that comes after all others.
var never = entry{math.MaxUint64, math.MaxUint64}

// queue is a heap in which each entry has four children. The root is at index 3, and the children of i are at 4i-8 to
// 4i-5: each group of siblings is one cache line. After the last entry there are at least four entries with the value
// never, so that every group is complete.
type queue struct {
	e []entry
	n int // the index after the last entry
}

const root = 3

func newQueue() queue {
	q := queue{n: root}
	q.grow()
	return q
}

func (q *queue) grow() {
	q.e = slices.Grow(q.e, max(64, len(q.e)))
	//detlint:ignore capacity what is behind the entries is never due, however much of it there is
	for len(q.e) < cap(q.e) {
		q.e = append(q.e, never)
	}
}

func (q *queue) len() int { return q.n - root }

// min returns the first entry; if the queue is empty, that is never.
func (q *queue) min() entry { return q.e[root] }

func (q *queue) push(x entry) {
	if q.n+4 >= len(q.e) {
		q.grow()
	}
	i := q.n
	q.n++
	q.up(i, x)
}

// up puts x at i or at an ancestor of i, and moves the entries in between down.
func (q *queue) up(i int, x entry) {
	e := q.e
	for i > root {
		parent := i>>2 + 2
		if x.before(e[parent]) == 0 {
			break
		}
		e[i] = e[parent]
		i = parent
	}
	e[i] = x
}

// pop removes the first entry. The hole moves down to a leaf, always to the smallest child, and is then filled with the
// last entry, which belongs near the leaves anyway.
func (q *queue) pop() {
	e := q.e
	q.n--
	n := q.n
	last := e[n]
	e[n] = never
	if n == root {
		return
	}
	i := root
	for c := 4*i - 8; c < n; c = 4*i - 8 {
		family := (*[4]entry)(e[c : c+4])
		second, fourth := family[1].before(family[0]), family[3].before(family[2])
		left, right := family[0].or(family[1], second), family[2].or(family[3], fourth)
		side := right.before(left)
		e[i] = left.or(right, side)
		i = c + int(2&side|1&(second^(second^fourth)&side))
	}
	q.up(i, last)
}
