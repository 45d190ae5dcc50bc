package spectate

import (
	"time"

	"github.com/tickback/tickback/session/peer"
)

// outlet sends datagrams to spectators: to those that are up to date at once, and to those that are catching up as
// fast as the rate of their lane allows.
type outlet struct {
	out              *peer.Outbox // shared with others
	lanes            [2]lane      // of spectators, and of newcomers
	datagrams, bytes uint64
}

// lane is a rate that several spectators share, and the turn of the next one.
type lane struct {
	tokens
	turn uint32
}

// MaxOutgoing limits the number of waiting datagrams.
const MaxOutgoing = 256

func (o *outlet) full() bool { return o.out.Len() >= MaxOutgoing }

// probe sends a spectator a probe if one is due.
func (o *outlet) probe(p *peer.Pipe, now time.Duration) {
	if !o.full() && p.ProbeDue(now) {
		o.seal(p.AppendProbe(o.out.Bytes, now), p)
	}
}

// serve sends a spectator what is due, except one that is catching up: that gets only what keeps its connection
// alive, however low the rate is.
func (o *outlet) serve(p *peer.Pipe, bulk bool, now time.Duration) {
	for !o.full() && p.Due(now) <= now {
		switch {
		case !bulk:
			o.send(p, now)
		case now >= p.Sent+peer.KeepAlive:
			o.seal(p.AppendSign(o.out.Bytes, now), p)
			return
		default:
			return
		}
	}
}

// pump calls next for each of this many spectators in turn, as long as the rate of a lane allows: next sends one
// datagram, and returns its size, or 0 if it sends none.
func (o *outlet) pump(lane, spectators int, now time.Duration, next func(i int) (size int)) {
	l := &o.lanes[lane]
	l.fill(now)
	for idle := 0; idle < spectators && l.any() && !o.full(); idle++ {
		i := int(l.turn % uint32(spectators))
		l.turn++
		if size := next(i); size > 0 {
			l.take(size)
			idle = -1
		}
	}
}

// send sends a spectator what is due in one datagram, and returns its size.
func (o *outlet) send(p *peer.Pipe, now time.Duration) (size int) {
	return o.seal(p.Append(o.out.Bytes, now), p)
}

func (o *outlet) seal(b []byte, p *peer.Pipe) (size int) {
	size = o.out.Seal(b, p.Addr)
	o.datagrams++
	o.bytes += uint64(size)
	return size
}

// tokensAfter is how long to wait for the rate to allow more.
const tokensAfter = 8 * time.Millisecond
