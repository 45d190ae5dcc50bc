package realtime

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The schedule returns datagrams in the order of a stable sort: by time, and of those with the same time the one added
// first. It reports correctly whether an added datagram is the next one.
func TestScheduleSorts(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		var s schedule
		var naive []item
		for number := range uint64(300) {
			if len(naive) > 0 && rnd.IntN(3) == 0 {
				if at, ok := s.next(); !ok || at != naive[0].at {
					t.Fatalf("seed %d: next at %v, want %v", seed, at, naive[0].at)
				}
				got := s.take()
				if got.number != naive[0].number || string(got.datagram) != fmt.Sprint(got.number) {
					t.Fatalf("seed %d: %d %q, want %d", seed, got.number, got.datagram, naive[0].number)
				}
				s.recycle(got.datagram)
				naive = naive[1:]
				continue
			}
			i := item{at: time.Duration(rnd.IntN(20)), number: number}
			naive = append(naive, i)
			slices.SortStableFunc(naive, func(a, b item) int { return int(a.at - b.at) })
			if first, ok := s.add(i, fmt.Append(nil, number), 0); !ok || first != (naive[0].number == number) {
				t.Fatalf("seed %d: first %v, %v", seed, first, ok)
			}
		}
	}
}

// Buffers are reused: in the steady state nothing is allocated.
func TestScheduleAllocatesNothing(t *testing.T) {
	var s schedule
	datagram := make([]byte, 100)
	cycle := func() {
		for n := range 10 {
			s.add(item{at: time.Duration(n % 3)}, datagram, 1)
		}
		for range 10 {
			s.recycle(s.take().datagram)
		}
	}
	cycle()
	if n := testing.AllocsPerRun(100, cycle); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
