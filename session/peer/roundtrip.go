package peer

import "time"

// RoundTrip is the smoothed round trip to a peer, as in RFC 6298: the mean moves by an
// eighth of the difference, the deviation by a quarter.
type RoundTrip struct {
	Smoothed, Deviation time.Duration
	// Latest is the newest sample, and Least the shortest.
	Latest, Least time.Duration
	// Samples is the number of samples.
	Samples int
}

// maxRoundTrip limits a sample: a peer that claims more lies or has been interrupted.
const maxRoundTrip = 10 * time.Second

// Add adds a sample, unless it is impossible.
func (r *RoundTrip) Add(sample time.Duration) {
	if sample < 0 || sample > maxRoundTrip {
		return
	}
	r.Samples++
	r.Latest = sample
	if r.Samples == 1 {
		r.Smoothed, r.Deviation, r.Least = sample, sample/2, sample
		return
	}
	r.Least = min(r.Least, sample)
	difference := r.Smoothed - sample
	r.Deviation += (max(difference, -difference) - r.Deviation) / 4
	r.Smoothed -= difference / 8
}

// Timeout returns how long to wait for an answer, which the peer may send up to a tick period after the datagram
// arrived.
func (r *RoundTrip) Timeout(period time.Duration) time.Duration {
	if r.Samples == 0 {
		return 500 * time.Millisecond
	}
	return r.Smoothed + max(4*r.Deviation, period) + period
}
