//go:build !js

package rooms

import "time"

// flow is the burst and the rate per second of a bucket.
type flow struct{ burst, perSecond float64 }

// bucket is a token bucket. The zero value has its whole burst left.
type bucket struct {
	used float64 // the part of the burst that is used; more than the burst is a debt
	last time.Time
}

// refill returns the tokens that have accumulated since the last call.
func (b *bucket) refill(f flow, now time.Time) {
	if passed := now.Sub(b.last); passed > 0 {
		b.used = max(0, b.used-passed.Seconds()*f.perSecond)
	}
	b.last = now
}

// take takes cost tokens from the bucket, or returns false if there are not enough.
func (b *bucket) take(cost float64, f flow, now time.Time) bool {
	b.refill(f, now)
	if b.used+cost > f.burst {
		return false
	}
	b.used += cost
	return true
}

// charge takes tokens for something that has already happened, and returns how long to pause until no more than
// allowed is used.
func (b *bucket) charge(cost, allowed float64, f flow, now time.Time) time.Duration {
	b.refill(f, now)
	b.used += cost
	return time.Duration(max(0, b.used-allowed) / f.perSecond * float64(time.Second))
}

// full reports whether the bucket has its whole burst left, like a new one.
func (b *bucket) full(f flow, now time.Time) bool {
	b.refill(f, now)
	return b.used == 0
}
