package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Lag is how late the inputs of a peer come, relative to when their frames are due here,
// smoothed; and how late the peer says that ours come there. The difference says who is ahead,
// whatever the round trip, and in unequal directions too.
type Lag struct {
	here, there time.Duration
	known       bool           // here
	told        bool           // there
	end         rollback.Frame // after the newest that was measured
	jitter      time.Duration
}

// weight is over how many datagrams a lag is smoothed: a quarter of a second.
const weight = 16

// most bounds what a peer may tell.
const most = 30 * time.Second

// Fresh reports whether inputs before end have not been measured, and notes that they are now.
func (l *Lag) Fresh(end rollback.Frame) bool {
	if end <= l.end {
		return false
	}
	l.end = end
	return true
}

// Measure adds how late the first datagram with the input of a frame came.
func (l *Lag) Measure(late time.Duration) {
	if !l.known {
		l.here, l.known = late, true
	}
	off := late - l.here
	l.here += off / weight
	l.jitter += (max(off, -off) - l.jitter) / weight
}

// Tell takes the lag that the peer tells, in [datagram.SampleUnit].
func (l *Lag) Tell(units int32) {
	d := time.Duration(units) * datagram.SampleUnit
	l.there, l.told = min(max(d, -most), most), true
}

// Units is the lag here as the peer is told it.
func (l *Lag) Units() int32 { return int32(min(max(l.here, -most), most) / datagram.SampleUnit) }

// Here is how late the peer's inputs come here; less than 0 is early.
func (l *Lag) Here() time.Duration { return l.here }

// There is how late ours come there, as the peer says.
func (l *Lag) There() time.Duration { return l.there }

// Jitter is how far arrivals lie from their mean, smoothed.
func (l *Lag) Jitter() time.Duration { return l.jitter }

const (
	// share is the share of the error that a tick period corrects: at 60 ticks
	// a second, an error is down to a third in a second.
	share = 64
	// limit is the share of a period that it may be stretched or shortened:
	// four percent, which nobody sees or hears.
	limit = 25
)

// Balance compares the worst lags of both directions, of all peers that were added. The zero
// value has none.
type Balance struct {
	in, out time.Duration
	added   bool
	unknown bool // a lag is not known yet
}

// Add adds the lag of a peer.
func (b *Balance) Add(l *Lag) {
	if b.unknown = b.unknown || !l.known || !l.told; !b.added {
		b.in, b.out, b.added = -most, -most, true
	}
	b.in, b.out = max(b.in, l.here), max(b.out, l.there)
}

// Period returns the length of the next tick period: longer than the nominal one for a machine
// that is ahead, shorter for one that is behind, and the nominal one until all lags are known.
//
// A machine is ahead whose worst incoming lag is greater than the worst lag that a peer has with
// it. One that is far from everybody has both, and keeps its pace. When both are equal for all,
// nobody rolls back for another's sake.
func (b *Balance) Period(nominal time.Duration) time.Duration {
	if b.unknown {
		return nominal
	}
	correction := (b.in - b.out) / 2 / share
	return nominal + min(max(correction, -nominal/limit), nominal/limit)
}
