//go:build !js

package rooms

import "time"

// flow is what a bucket lets through: so much at once, and so much a second.
type flow struct{ burst, perSecond float64 }

// bucket is a token bucket. The zero value has its whole burst left.
type bucket struct {
	used float64 // of the burst; what is above it is a debt
	last time.Time
}

// refill gives back what time has brought.
func (b *bucket) refill(f flow, now time.Time) {
	if passed := now.Sub(b.last); passed > 0 {
		b.used = max(0, b.used-passed.Seconds()*f.perSecond)
	}
	b.last = now
}

// take takes what something costs, and reports false if there is not enough.
func (b *bucket) take(cost float64, f flow, now time.Time) bool {
	b.refill(f, now)
	if b.used+cost > f.burst {
		return false
	}
	b.used += cost
	return true
}

// charge takes what was spent already, and returns how long to spend nothing more: until
// no more than allowed is used.
func (b *bucket) charge(cost, allowed float64, f flow, now time.Time) time.Duration {
	b.refill(f, now)
	b.used += cost
	return time.Duration(max(0, b.used-allowed) / f.perSecond * float64(time.Second))
}

// full reports whether the bucket is as a new one is.
func (b *bucket) full(f flow, now time.Time) bool {
	b.refill(f, now)
	return b.used == 0
}
