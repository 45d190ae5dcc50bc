package spectate

import (
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/reliable"
)

// tokens limits how many bytes per second are sent to spectators that are catching up.
type tokens struct {
	rate int64 // bytes per second
	have int64 // millionths of bytes, negative after a large datagram
	last time.Duration
}

// burst is how long unused bytes remain available.
const burst = 50 * time.Millisecond

func (t *tokens) fill(now time.Duration) {
	passed := int64(min(now-t.last, burst) / time.Microsecond)
	if t.last += time.Duration(passed) * time.Microsecond; now-t.last >= time.Microsecond {
		t.last = now // after a pause
	}
	t.have = min(t.have+passed*t.rate, int64(burst/time.Microsecond)*t.rate)
}

func (t *tokens) any() bool  { return t.have > 0 }
func (t *tokens) take(n int) { t.have -= int64(n) * 1_000_000 }

// pace adapts to the capacity of the path to a spectator: its window grows until datagrams are lost or begin to
// queue, since the players' datagrams would wait in the same queue.
type pace struct {
	window   int // fragments
	climbing bool
	resent   uint64
	next     time.Duration // the time of the next change
}

const (
	firstWindow = 32
	leastWindow = 8

	// queueLimit is how much a round trip may exceed the shortest one plus its jitter. The players' own datagrams
	// cause queues of up to a tick period.
	queueLimit = 25 * time.Millisecond
)

func (p *pace) init() { p.window, p.climbing = firstWindow, true }

// apply limits what is in flight to a spectator. A live spectator gets so little that it has the full window: a
// lost datagram must not delay the next one.
func (p *pace) apply(c *reliable.Channel, bulk bool) {
	window := reliable.Window
	if bulk {
		window = p.window
	}
	c.SetWindow(window)
}

// adjust changes the window of a spectator that is catching up, once per round trip.
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
		// The window is not used.
	case p.climbing && queue < queueLimit/2:
		p.window *= 2
	default:
		p.window += max(p.window/16, 1)
	}
	p.window = min(max(p.window, leastWindow), reliable.Window)
}
