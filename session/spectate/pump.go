package spectate

import (
	"time"

	"github.com/tickback/tickback/session/peer"
)

// lane is a rate that several spectators share, and the turn of the next one.
type lane struct {
	tokens
	turn uint32
}

// serve prepares what a spectator gets next, and sends it unless the spectator is catching up.
func (a *Host) serve(g *spectator) {
	if g.gone != "" {
		return
	}
	a.feed(g)
	if !a.full() && g.pipe.ProbeDue(a.now) {
		a.sealed(g.pipe.AppendProbe(a.out.Bytes, a.now), g)
	}
	// A live spectator gets so little that everything unacknowledged is sent again with what is new: the next
	// datagram makes up for a lost one.
	bulk := a.bulk(g)
	g.pipe.Channel.SetEager(!bulk)
	g.pace.apply(g.pipe.Channel, bulk)
	for !a.full() && g.pipe.Due(a.now) <= a.now {
		switch {
		case !a.bulk(g):
			a.send(g)
		case a.now >= g.pipe.Sent+peer.KeepAlive:
			a.sealed(g.pipe.AppendSign(a.out.Bytes, a.now), g) // keep-alive, however low the rate is
			return
		default:
			return
		}
	}
}

// pump sends to the spectators that are catching up.
func (a *Host) pump() {
	a.pumpLane(&a.common, false)
	a.pumpLane(&a.newcomerLane, true)
}

// pumpLane sends one datagram to each spectator of a lane in turn, as long as the rate allows.
func (a *Host) pumpLane(l *lane, seated bool) {
	l.fill(a.now)
	for idle := 0; idle < len(a.spectators) && l.any() && !a.full(); {
		g := a.spectators[l.turn%uint32(len(a.spectators))]
		l.turn++
		if g.isNewcomer() != seated || g.gone != "" || !a.bulk(g) || g.pipe.Due(a.now) > a.now {
			idle++
			continue
		}
		idle = 0
		l.take(a.send(g))
		a.feed(g)
	}
}

// send sends a spectator what is due in one datagram, and returns its size.
func (a *Host) send(g *spectator) (size int) {
	return a.sealed(g.pipe.Append(a.out.Bytes, a.now), g)
}

func (a *Host) sealed(b []byte, g *spectator) (size int) {
	size = a.out.Seal(b, g.pipe.Addr)
	a.stats.Datagrams++
	a.stats.Bytes += uint64(size)
	return size
}

// tokensAfter is how long to wait for the rate to allow more.
const tokensAfter = 8 * time.Millisecond
