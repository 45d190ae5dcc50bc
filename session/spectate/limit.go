package spectate

import (
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/reliable"
)

// limiter bounds the answers to machines that have proved nothing: from each source, and in all.
// Sources share a place by chance; nobody can choose an address to share the place of
// another one ([cookies.place]).
type limiter struct {
	last    time.Duration
	sources [1024]time.Duration // when one was answered last, by its place
}

const (
	answerEvery       = 4 * time.Millisecond
	answerSourceEvery = 40 * time.Millisecond
)

// open reports whether any source may be answered now.
func (l *limiter) open(now time.Duration) bool { return l.last == 0 || now >= l.last+answerEvery }

// allow reports whether a source with this number may be answered now.
func (l *limiter) allow(place uint64, now time.Duration) bool {
	at := &l.sources[place%uint64(len(l.sources))]
	if !l.open(now) || *at != 0 && now < *at+answerSourceEvery {
		return false
	}
	l.last, *at = now, now
	return true
}

// tokens is how many bytes may be sent to those who are brought up to date.
type tokens struct {
	rate int64 // bytes a second
	have int64 // millionths of bytes, below 0 after a large datagram
	last time.Duration
}

// burst is for how long unused bytes are kept.
const burst = 50 * time.Millisecond

func (t *tokens) fill(now time.Duration) {
	passed := int64(min(now-t.last, burst) / time.Microsecond)
	if t.last += time.Duration(passed) * time.Microsecond; now-t.last >= time.Microsecond {
		t.last = now // a pause
	}
	t.have = min(t.have+passed*t.rate, int64(burst/time.Microsecond)*t.rate)
}

func (t *tokens) any() bool  { return t.have > 0 }
func (t *tokens) take(n int) { t.have -= int64(n) * 1_000_000 }

// pace follows what the way to a guest carries: its window grows until datagrams are
// lost, or begin to queue, since the players' datagrams would wait in the same queue.
type pace struct {
	window   int // fragments
	climbing bool
	resent   uint64
	next     time.Duration // of the next change
}

const (
	firstWindow = 16
	leastWindow = 4

	// queueLimit is how much longer than the shortest a round trip may be, besides its
	// jitter. A tick period of it is the players' own.
	queueLimit = 25 * time.Millisecond
)

func (p *pace) init() { p.window, p.climbing = firstWindow, true }

// apply bounds what is under way to a guest. Of the little that a live one gets, a
// datagram that is lost must not hold back the next.
func (p *pace) apply(c *reliable.Channel, bulk bool) {
	window := reliable.Window
	if bulk {
		window = p.window
	}
	c.SetWindow(window)
}

// adjust changes the window of a guest who is brought up to date, once in a round trip.
func (p *pace) adjust(w *peer.Pipe, now time.Duration) {
	if now < p.next || w.RoundTrip.Samples == 0 {
		return
	}
	p.next = now + max(w.RoundTrip.Smoothed, 10*time.Millisecond)
	queue := w.RoundTrip.Smoothed - w.RoundTrip.Least - 2*w.RoundTrip.Deviation
	resent := w.Channel.Stats().Resent
	lost := resent - p.resent
	p.resent = resent
	switch {
	case lost > uint64(p.window/16):
		p.window, p.climbing = p.window/2, false
	case queue > queueLimit:
		p.window, p.climbing = p.window-p.window/8, false
	case w.Channel.UnderWay() < p.window/2:
		// It is not used.
	case p.climbing && queue < queueLimit/2:
		p.window *= 2
	default:
		p.window += max(p.window/16, 1)
	}
	p.window = min(max(p.window, leastWindow), reliable.Window)
}
