package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Lag is how late a peer's inputs arrive, relative to when their frames are due here, smoothed; and how late ours
// arrive there, as the peer reports. The difference says which side is ahead, whatever the round trip is, even if
// the two directions differ.
type Lag struct {
	here, remote time.Duration
	known        bool           // whether here is known
	told         bool           // whether remote is known
	end          rollback.Frame // the frame after the newest one measured
	jitter       time.Duration
}

// weight is the number of datagrams that the lag is smoothed over: a quarter of a second, see [asLong].
const weight = 16

// most limits the lag that a peer can report.
const most = 30 * time.Second

// Fresh reports whether there are inputs before end that have not been measured, and records that they now are.
func (l *Lag) Fresh(end rollback.Frame) bool {
	if end <= l.end {
		return false
	}
	l.end = end
	return true
}

// Measure adds how late the first datagram with the input of a frame arrived; period is the tick period.
func (l *Lag) Measure(late, period time.Duration) {
	if !l.known {
		l.here, l.known = late, true
	}
	off := late - l.here
	over := asLong(weight, period)
	l.here += off / over
	l.jitter += (max(off, -off) - l.jitter) / over
}

// SetRemote sets the lag that the peer reports, in [datagram.SampleUnit].
func (l *Lag) SetRemote(units int32) {
	d := time.Duration(units) * datagram.SampleUnit
	l.remote, l.told = min(max(d, -most), most), true
}

// Units returns our lag in the unit in which it is reported to the peer.
func (l *Lag) Units() int32 { return int32(min(max(l.here, -most), most) / datagram.SampleUnit) }

// Here returns how late the peer's inputs arrive here; a negative value means early.
func (l *Lag) Here() time.Duration { return l.here }

// There returns how late our inputs arrive there, as the peer reports.
func (l *Lag) There() time.Duration { return l.remote }

// Jitter returns the mean deviation of arrivals, smoothed.
func (l *Lag) Jitter() time.Duration { return l.jitter }

const (
	// share is the divisor of the error that gives the correction of one tick period: a second reduces an error to
	// about a third, see [asLong].
	share = 64
	// limit is the divisor of a period that gives the maximum change of its length: four percent, which is neither
	// seen nor heard.
	limit = 25
)

// asLong converts a number of tick periods at 60 ticks per second to the number of periods of this length that take
// the same time. At lower rates it returns the number unchanged. Smoothing and correcting faster than information
// travels between two machines would cause oscillation.
func asLong(periods, period time.Duration) time.Duration {
	if period >= usual {
		return periods // without a division, at the usual rate
	}
	return periods * usual / period
}

// Balance compares the worst lags in both directions among all peers added to it. The zero value has no peers.
type Balance struct {
	// Even compares our lags as they are reported, rounded towards 0, since those of the others are rounded, too. Without
	// it both sides find themselves ahead by half a unit, and so play slower than the rate by up to 30 millionths: 7 frames
	// in an hour. That is left as it was for rates that are integers, whose datagrams are frozen.
	Even bool

	in, out time.Duration
	added   bool
	unknown bool // some lag is not known yet
}

// Add adds the lag of a peer.
func (b *Balance) Add(l *Lag) {
	if !l.known || !l.told {
		b.unknown = true
	}
	if !b.added {
		b.in, b.out, b.added = -most, -most, true
	}
	here := l.here
	if b.Even {
		here -= here % datagram.SampleUnit
	}
	b.in, b.out = max(b.in, here), max(b.out, l.remote)
}

// Period returns the length of the next tick period: longer than the nominal one on a machine that is ahead,
// shorter on one that is behind, and nominal until all lags are known.
//
// A machine is ahead if its worst incoming lag is greater than the worst lag that a peer reports for it. A machine
// with a long path to all others has both, and keeps its pace. When the two are equal everywhere, nobody rolls back
// because another machine is ahead.
func (b *Balance) Period(nominal time.Duration) time.Duration {
	if b.unknown {
		return nominal
	}
	correction := (b.in - b.out) / 2 / asLong(share, nominal)
	if most := nominal / limit; correction > most || -correction > most {
		return nominal + min(max(correction, -most), most)
	}
	return nominal + correction
}
