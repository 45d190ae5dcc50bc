package netem

import (
	"slices"
	"testing"
	"time"
)

// The queue returns entries in the same order as a sorted slice: by time, then in the order of sending.
func TestQueueSorts(t *testing.T) {
	for seed := range uint64(200) {
		q := newQueue()
		var naive []entry
		for i := range uint64(2000) {
			word := mix(seed<<32 + i)
			// It grows for a while, then shrinks, and so on.
			if word>>32%8 < 3+i/300%3 {
				x := newEntry(time.Duration(word%64)-32, i, uint32(word%999))
				q.push(x)
				at, _ := slices.BinarySearchFunc(naive, x, func(a, b entry) int { return 1 - 2*int(a.before(b)&1) })
				naive = slices.Insert(naive, at, x)
			} else if len(naive) > 0 {
				if q.min() != naive[0] {
					t.Fatalf("seed %d, step %d: %v, want %v", seed, i, q.min(), naive[0])
				}
				q.pop()
				naive = naive[1:]
			}
			if q.len() != len(naive) || len(naive) == 0 && q.min() != never {
				t.Fatalf("seed %d, step %d: %d in the queue, want %d", seed, i, q.len(), len(naive))
			}
		}
	}
}

// An entry returns the values it was made from, and negative times come first.
func TestEntry(t *testing.T) {
	for _, at := range []time.Duration{-maxTime, -1, 0, 1, maxTime} {
		e := newEntry(at, 1<<43, MaxInFlight)
		if e.time() != at || e.number() != 1<<43 || e.slot() != MaxInFlight {
			t.Errorf("%v, %d, %d", e.time(), e.number(), e.slot())
		}
		if e.before(newEntry(at+1, 0, 0)) == 0 || e.before(newEntry(at, 1<<43+1, 0)) == 0 || e.before(never) == 0 {
			t.Errorf("the entry at %v does not come first", at)
		}
		if e.before(e) != 0 || e.before(newEntry(at-1, 1<<43+1, 0)) != 0 || never.before(e) != 0 {
			t.Errorf("the entry at %v comes first", at)
		}
	}
}
