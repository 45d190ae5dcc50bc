//go:build !js

package lan

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/online/peers"
)

// Intervals and time-outs.
const (
	greetEvery = time.Second            // while there is no connection
	greetLeast = 100 * time.Millisecond // between two greetings, whatever the other side sends
	askEvery   = 200 * time.Millisecond // at all addresses, while none answers
	askAlive   = time.Second            // at the address in use
	silence    = 3500 * time.Millisecond
	failAfter  = 12 * time.Second // then the state is Failed
)

// maxRoutes is from how many addresses of one peer datagrams are accepted.
const maxRoutes = 8

// outlet sends the messages of a link.
type outlet interface {
	greet(id uint32, g *greeting)
	send(to netip.AddrPort, p probe)
}

// link is a peer, and the addresses to reach it at. It has no socket and no clock; its owner locks.
type link struct {
	id     uint32
	out    outlet
	mine   key
	here   []netip.AddrPort // our own addresses
	theirs key              // 0: not known yet
	known  bool             // the peer has our key
	ways   []netip.AddrPort // where the peer may be reached
	best   netip.AddrPort   // the one that has answered
	routes []netip.AddrPort // that have presented both keys, the newest last

	heard, greeted, asked time.Time

	state       peers.State
	reason      peers.Reason
	since       time.Time // of the state
	broken      time.Time // when the connection was last lost
	connections int
}

func newLink(id uint32, mine key, here []netip.AddrPort, out outlet, now time.Time) *link {
	return &link{id: id, mine: mine, here: here, out: out, since: now, broken: now}
}

// peer returns the state of the peer, for callers of the package.
func (l *link) peer(now time.Time) peers.Peer {
	return peers.Peer{
		ID: l.id, Addr: peers.AddrOf(l.id), State: l.state, Reason: l.reason, For: now.Sub(l.since), Connections: l.connections,
	}
}

// enter sets the state. Nothing else changes it.
func (l *link) enter(s peers.State, r peers.Reason, now time.Time) {
	if l.state == s && l.reason == r {
		return
	}
	switch {
	case s == peers.Connected:
		l.connections++
	case l.state == peers.Connected:
		l.broken = now
	}
	l.state, l.reason, l.since = s, r, now
}

// hears handles a greeting; ways are the peer's addresses as they are called here. A new key means a new transport:
// the previous one has ended with its match.
func (l *link) hears(g *greeting, ways []netip.AddrPort, now time.Time) {
	changed := g.mine != l.theirs
	if changed {
		l.theirs, l.best, l.routes = g.mine, netip.AddrPort{}, nil
		l.enter(peers.Connecting, peers.NoReason, now)
		l.broken = now
	}
	l.ways = append([]netip.AddrPort(nil), ways[:min(len(ways), maxWays)]...)
	l.known = g.yours == l.mine
	if (changed || !l.known) && now.Sub(l.greeted) >= greetLeast {
		l.sendHello(now)
	}
	if l.known && l.state != peers.Connected {
		l.ask(now)
	}
}

func (l *link) sendHello(now time.Time) {
	l.greeted = now
	l.out.greet(l.id, &greeting{l.mine, l.theirs, l.here})
}

// ask sends a probe to the address in use, or to all of them.
func (l *link) ask(now time.Time) {
	l.asked = now
	if l.state == peers.Connected {
		l.out.send(l.best, probe{asks, l.mine, l.theirs})
		return
	}
	for _, w := range l.ways {
		l.out.send(w, probe{asks, l.mine, l.theirs})
	}
}

// probed handles a probe for us that came from an address. It reports whether that address has presented both keys.
func (l *link) probed(p probe, from netip.AddrPort, now time.Time) bool {
	if p.from != l.theirs || p.to != l.mine || l.theirs == 0 {
		return false
	}
	l.route(from)
	if p.kind == asks {
		l.out.send(from, probe{answers, l.mine, l.theirs})
		if len(l.ways) < maxWays && !slices.Contains(l.ways, from) {
			l.ways = append(l.ways, from) // an address of which the peer did not know
		}
		return true
	}
	if l.state != peers.Connected || from == l.best {
		l.best, l.heard = from, now
		l.enter(peers.Connected, peers.NoReason, now)
	}
	return true
}

// route adds an address from which datagrams are accepted.
func (l *link) route(from netip.AddrPort) {
	if i := slices.Index(l.routes, from); i >= 0 {
		return
	}
	if len(l.routes) == maxRoutes {
		l.routes = slices.Delete(l.routes, 0, 1)
	}
	l.routes = append(l.routes, from)
}

// look does what is due now.
func (l *link) look(now time.Time) {
	if l.state == peers.Connected && now.Sub(l.heard) > silence {
		l.enter(peers.Interrupted, peers.NoReason, now) // datagrams are still sent: some may get through
	}
	connected := l.state == peers.Connected
	if !(connected && l.known) && now.Sub(l.greeted) >= greetEvery {
		l.sendHello(now)
	}
	every := askEvery
	if connected {
		every = askAlive
	}
	if l.theirs != 0 && now.Sub(l.asked) >= every {
		l.ask(now)
	}
	l.checkFailed(now)
}

// checkFailed sets the state to Failed, with the reason, if the peer could not be reached in time.
func (l *link) checkFailed(now time.Time) {
	if l.state == peers.Connected || now.Sub(l.broken) < failAfter {
		return
	}
	switch {
	case l.connections > 0:
		l.enter(peers.Failed, peers.Gone, now)
	case l.theirs == 0:
		l.enter(peers.Failed, peers.NoAnswer, now)
	default:
		l.enter(peers.Failed, peers.Firewalled, now)
	}
}
