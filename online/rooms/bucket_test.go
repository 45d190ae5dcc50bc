//go:build !js

package rooms

import (
	"testing"
	"time"
)

// A bucket allows its burst at once, and then a rate per second; a clock that goes back
// adds nothing, and takes nothing away.
func TestABucket(t *testing.T) {
	f, now := flow{10, 2}, time.Unix(100, 0)
	var b bucket
	for i := range 10 {
		if !b.take(1, f, now) {
			t.Fatalf("unit %d of 10 is refused", i)
		}
	}
	if b.take(1, f, now) || b.take(0.5, f, now) {
		t.Error("more than the burst is let through")
	}
	if now = now.Add(time.Second); !b.take(2, f, now) || b.take(0.1, f, now) {
		t.Error("a second does not bring 2")
	}
	if now = now.Add(-time.Minute); b.take(0.1, f, now) {
		t.Error("a clock that goes back brings something")
	}
	if now = now.Add(time.Second); !b.take(2, f, now) || b.full(f, now) {
		t.Error("a clock that went back takes something away")
	}
	if now = now.Add(time.Hour); !b.full(f, now) || b.take(10.1, f, now) || !b.take(10, f, now) {
		t.Error("a bucket that is left alone holds another burst than a new one")
	}
}

// An overdraft is paid by waiting, until no more than is allowed is used.
func TestADebt(t *testing.T) {
	f, now := flow{10, 2}, time.Unix(100, 0)
	var b bucket
	for _, c := range []struct {
		cost, allowed float64
		wait          time.Duration
	}{{10, 10, 0}, {1, 10, 500 * time.Millisecond}, {4, 10, 2500 * time.Millisecond}, {0, 15, 0}, {0, 12, 1500 * time.Millisecond}} {
		if got := b.charge(c.cost, c.allowed, f, now); got != c.wait {
			t.Errorf("%v with %v allowed: wait %v, want %v", c.cost, c.allowed, got, c.wait)
		}
	}
	if got := b.charge(0, 10, f, now.Add(2*time.Second)); got != 500*time.Millisecond {
		t.Errorf("2 s later: %v", got)
	}
}
