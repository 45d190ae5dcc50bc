//go:build !js

package lan

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/online/peers"
)

// How long to wait for what, before it is said or tried again.
const (
	greetEvery = time.Second            // while there is no connection
	greetLeast = 100 * time.Millisecond // between two greetings, whatever the other side says
	askEvery   = 200 * time.Millisecond // at all addresses, while none answers
	askAlive   = time.Second            // at the one that is used
	silence    = 3500 * time.Millisecond
	failAfter  = 12 * time.Second // then the state is Failed
)

// maxRoutes is from how many addresses datagrams of one peer are taken.
const maxRoutes = 8

// outlet takes what a link sends.
type outlet interface {
	greet(id uint32, g *greeting)
	send(to netip.AddrPort, p probe)
}

// link is a peer, and the ways to it. It has no socket and no clock; its owner locks.
type link struct {
	id     uint32
	out    outlet
	mine   key
	here   []netip.AddrPort // where we are
	theirs key              // 0: not known yet
	known  bool             // the peer has our key
	ways   []netip.AddrPort // where the peer may be
	best   netip.AddrPort   // the one that has answered
	routes []netip.AddrPort // that have shown both keys, the newest last

	heard, greeted, asked time.Time

	state       peers.State
	reason      peers.Reason
	since       time.Time // of the state
	broken      time.Time // when it was last not connected any more
	connections int
}

func newLink(id uint32, mine key, here []netip.AddrPort, out outlet, now time.Time) *link {
	return &link{id: id, mine: mine, here: here, out: out, since: now, broken: now}
}

// peer is what others see.
func (l *link) peer(now time.Time) peers.Peer {
	return peers.Peer{
		ID: l.id, Addr: peers.AddrOf(l.id), State: l.state, Reason: l.reason, For: now.Sub(l.since), Connections: l.connections,
	}
}

// enter is the only place where the state changes.
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

// hears takes a greeting; ways are its addresses, as they are called here. A key that is
// new is a transport that is new: the one before has ended with its match.
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

// ask asks at the address that is used, or at all of them.
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

// probed takes a probe that was for us, from an address. It reports whether it has shown
// both keys.
func (l *link) probed(p probe, from netip.AddrPort, now time.Time) bool {
	if p.from != l.theirs || p.to != l.mine || l.theirs == 0 {
		return false
	}
	l.route(from)
	if p.kind == asks {
		l.out.send(from, probe{answers, l.mine, l.theirs})
		if len(l.ways) < maxWays && !slices.Contains(l.ways, from) {
			l.ways = append(l.ways, from) // it can be reached where it did not know it
		}
		return true
	}
	if l.state != peers.Connected || from == l.best {
		l.best, l.heard = from, now
		l.enter(peers.Connected, peers.NoReason, now)
	}
	return true
}

// route remembers an address from which datagrams are taken.
func (l *link) route(from netip.AddrPort) {
	if i := slices.Index(l.routes, from); i >= 0 {
		return
	}
	if len(l.routes) == maxRoutes {
		l.routes = slices.Delete(l.routes, 0, 1)
	}
	l.routes = append(l.routes, from)
}

// look does what is due.
func (l *link) look(now time.Time) {
	if l.state == peers.Connected && now.Sub(l.heard) > silence {
		l.enter(peers.Interrupted, peers.NoReason, now) // datagrams go on: some may get through
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

// checkFailed says that a peer has failed, and why.
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
