package session

import "time"

// roundTrip is the smoothed round trip to a peer, as in RFC 6298: the mean moves
// by an eighth of the difference, the deviation by a quarter.
type roundTrip struct {
	smoothed, deviation time.Duration
	samples             int
}

// maxRoundTrip bounds a sample: a peer that claims more lies or has been away.
const maxRoundTrip = 10 * time.Second

func (r *roundTrip) add(sample time.Duration) {
	if sample < 0 || sample > maxRoundTrip {
		return
	}
	r.samples++
	if r.samples == 1 {
		r.smoothed, r.deviation = sample, sample/2
		return
	}
	difference := r.smoothed - sample
	r.deviation += (max(difference, -difference) - r.deviation) / 4
	r.smoothed -= difference / 8
}

// timeout is how long to wait for an answer that the peer may give only a tick
// period after what it answers.
func (r *roundTrip) timeout(period time.Duration) time.Duration {
	if r.samples == 0 {
		return 500 * time.Millisecond
	}
	return r.smoothed + max(4*r.deviation, period) + period
}
