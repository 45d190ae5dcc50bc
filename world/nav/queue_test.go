package nav

import (
	"slices"
	"testing"
)

// Rule: a queue returns the lowest distance, and then all cells at that distance; nodes that were given back are
// reused.
func TestAQueueIsNaive(t *testing.T) {
	r := seeded(t, 61)
	q := newQueue()
	for range 50 {
		waits := map[uint32][]int32{}
		now := uint32(below(r, 1<<29))
		push := func() {
			at, d := int32(below(r, 1<<18)), now+uint32(below(r, maxStep+1))
			q.push(at, d)
			waits[d] = append(waits[d], at)
		}
		for range 1 + below(r, 30) {
			push()
		}
		for len(waits) > 0 {
			least := uint32(1<<32 - 1)
			for d := range waits {
				least = min(least, d)
			}
			d, any := q.next(now)
			if !any || d != least {
				t.Fatalf("%d comes next after %d: %v, want %d", d, now, any, least)
			}
			now = d
			var got []int32
			for n := q.take(d); n != 0; {
				here := q.nodes[n]
				got = append(got, here.at)
				q.give(n)
				n = here.next
			}
			slices.Sort(got)
			slices.Sort(waits[d])
			if !slices.Equal(got, waits[d]) {
				t.Fatalf("at %d wait %v, want %v", d, got, waits[d])
			}
			delete(waits, d)
			if below(r, 3) == 0 {
				push()
			}
		}
		if _, any := q.next(now); any {
			t.Fatal("an empty queue has something")
		}
	}
	if len(q.nodes) > 64 {
		t.Errorf("%d nodes were made for 40 that wait at most", len(q.nodes))
	}
}

// Rule: a heap returns its least key.
func TestAHeapSorts(t *testing.T) {
	r := seeded(t, 62)
	for range 100 {
		var h heap
		var waits []uint64
		for range 60 {
			if below(r, 3) > 0 {
				key := uint64(below(r, 40))
				h.push(key)
				waits = append(waits, key)
				slices.Sort(waits)
				continue
			}
			key, ok := h.pop()
			if ok != (len(waits) > 0) || ok && key != waits[0] {
				t.Fatalf("%d, %v; there were %v", key, ok, waits)
			}
			waits = waits[min(1, len(waits)):]
		}
		if len(h) != len(waits) {
			t.Fatalf("%d are left of %d", len(h), len(waits))
		}
	}
}
