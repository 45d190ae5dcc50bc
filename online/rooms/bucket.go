//go:build !js

package rooms

import "time"

// flow is the burst and the rate per second of a bucket.
type flow struct{ burst, perSecond float64 }

// bucket is a token bucket. The zero value has its whole burst left.
type bucket struct {
	used float64 // of the burst; more than the burst is a debt
	last time.Time
}

// refill returns what has accumulated since the last call.
func (b *bucket) refill(f flow, now time.Time) {
	if passed := now.Sub(b.last); passed > 0 {
		b.used = max(0, b.used-passed.Seconds()*f.perSecond)
	}
	b.last = now
}

// take takes the cost of something, or returns false if there is not enough.
func (b *bucket) take(cost float64, f flow, now time.Time) bool {
	b.refill(f, now)
	if b.used+cost > f.burst {
		return false
	}
	b.used += cost
	return true
}

// charge takes what was spent already, and returns how long to pause until no more than allowed is used.
func (b *bucket) charge(cost, allowed float64, f flow, now time.Time) time.Duration {
	b.refill(f, now)
	b.used += cost
	return time.Duration(max(0, b.used-allowed) / f.perSecond * float64(time.Second))
}

// full reports whether nothing is missing from the bucket, as in a new one.
func (b *bucket) full(f flow, now time.Time) bool {
	b.refill(f, now)
	return b.used == 0
}
