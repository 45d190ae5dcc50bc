package session

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// lag is how late the inputs of a peer come, relative to when their frames are due
// here, smoothed; and how late the peer says that ours come there. The difference
// says who is ahead, whatever the round trip, and in unequal directions too.
type lag struct {
	here, there time.Duration
	known       bool  // here
	told        bool  // there
	end         Frame // after the newest that was measured
}

// measure adds the arrival of the first datagram with the input of a frame, and
// returns how far it was from the mean.
func (g *lag) measure(sample time.Duration) (off time.Duration) {
	if !g.known {
		g.here, g.known = sample, true
		return 0
	}
	off = sample - g.here
	g.here += off / lagWeight
	return max(off, -off)
}

// lagWeight is over how many datagrams a lag is smoothed: a quarter of a second.
const lagWeight = 16

// maxLag bounds what a peer may tell.
const maxLag = 30 * time.Second

func (g *lag) tell(units int32) {
	d := time.Duration(units) * datagram.SampleUnit
	g.there, g.told = min(max(d, -maxLag), maxLag), true
}

func (g *lag) units() int32 {
	return int32(min(max(g.here, -maxLag), maxLag) / datagram.SampleUnit)
}

const (
	// paceShare is the share of the error that a tick period corrects: at 60 ticks
	// a second, an error is down to a third in a second.
	paceShare = 64
	// paceLimit is the share of a period that it may be stretched or shortened:
	// four percent, which nobody sees or hears.
	paceLimit = 25
)

// period returns the length of the next tick period: longer than the nominal one
// for who is ahead, shorter for who is behind.
//
// Ahead is whose worst incoming lag is greater than the worst lag that a peer has
// with us. Who is far from everybody has both, and stays. When both are equal for
// all, nobody rolls back for another's sake.
func (m *Machine) period() time.Duration {
	t := m.nominal
	in, out := -maxLag, -maxLag // the same of both corrects nothing, if nobody is there
	for _, l := range m.links {
		if !l.alive() {
			continue
		}
		if !l.lag.known || !l.lag.told {
			return t
		}
		in, out = max(in, l.lag.here), max(out, l.lag.there)
	}
	correction := (in - out) / 2 / paceShare
	return t + min(max(correction, -t/paceLimit), t/paceLimit)
}

// dueAt returns when a frame was due here, or will be.
func (m *Machine) dueAt(f Frame) time.Duration {
	if d := m.frame - f; int32(d) > 0 && d < dueFrames || m.match.blocked && d == 0 {
		return m.match.due[f%dueFrames]
	}
	ahead := int32(f - m.frame)
	if m.match.blocked {
		ahead--
	}
	return m.match.nextSlot + time.Duration(ahead)*m.nominal
}

// dueFrames is how many frames back it is known when they were due: more than a
// peer can lag behind.
const dueFrames = datagram.HistoryFrames
