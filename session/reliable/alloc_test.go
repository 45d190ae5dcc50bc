package reliable

import (
	"testing"
	"time"
)

// exchange sends a message each way over a link without faults.
func exchange(tb testing.TB, a, b *Channel, message, buffer []byte, now time.Duration) {
	for _, way := range [][2]*Channel{{a, b}, {b, a}, {a, b}} {
		if way[0] != b || now%2 == 0 {
			_ = way[0].Send(message)
		}
		buffer = way[0].Append(buffer[:0], FullRoom, now)
		if _, err := way[1].Consume(buffer, now); err != nil {
			tb.Fatal(err)
		}
		for {
			if _, ok := way[1].Next(); !ok {
				break
			}
		}
	}
}

// With nothing to do, and with small messages after a warm-up, nothing is allocated.
func TestNoAllocations(t *testing.T) {
	a, b := twoEnds(t)
	buffer, message := make([]byte, 0, 1200), make([]byte, 100)
	if got := testing.AllocsPerRun(100, func() {
		buffer = a.Append(buffer[:0], 1000, 0)
		_, _ = a.Consume(buffer, 0)
		a.Due(0)
		a.Next()
	}); got != 0 || len(buffer) > 0 {
		t.Errorf("idle: %v allocations, %d bytes", got, len(buffer))
	}
	now := time.Duration(0)
	run := func() {
		now += tick
		exchange(t, a, b, message, buffer, now)
	}
	for range 1000 {
		run()
	}
	if got := testing.AllocsPerRun(1000, run); got != 0 {
		t.Errorf("small messages: %v allocations", got)
	}
}

func BenchmarkIdle(b *testing.B) {
	c, _ := twoEnds(b)
	buffer := make([]byte, 0, 1200)
	for b.Loop() {
		buffer = c.Append(buffer, 1000, 0)
		_, _ = c.Consume(buffer, 0)
		c.Due(0)
	}
}

func BenchmarkThreeMessagesOf100Bytes(b *testing.B) {
	x, y := twoEnds(b)
	buffer, message := make([]byte, 0, 1200), make([]byte, 100)
	now := time.Duration(0)
	for b.Loop() {
		now += tick
		exchange(b, x, y, message, buffer, now)
	}
}
