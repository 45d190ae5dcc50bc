//go:build !js

package rooms

import "time"

// bucket is a token bucket: so many at once, and so many a second.
type bucket struct {
	level      float64
	burst, per float64 // per second
	last       time.Time
}

func newBucket(burst int, perSecond float64, now time.Time) bucket {
	return bucket{float64(burst), float64(burst), perSecond, now}
}

// take takes what something costs, and reports false if there is not enough.
func (b *bucket) take(cost float64, now time.Time) bool {
	b.fill(now)
	if b.level < cost {
		return false
	}
	b.level -= cost
	return true
}

func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.last); passed > 0 {
		b.level = min(b.burst, b.level+passed.Seconds()*b.per)
	}
	b.last = now
}

// full reports whether the bucket is as a new one is.
func (b *bucket) full(now time.Time) bool {
	b.fill(now)
	return b.level >= b.burst
}
