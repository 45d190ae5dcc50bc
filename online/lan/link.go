//go:build !js

package lan

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/internal/links"
	"github.com/tickback/tickback/online/peers"
)

// Intervals and time-outs.
const (
	greetEvery = time.Second            // between greetings while there is no connection
	greetLeast = 100 * time.Millisecond // minimum between two greetings, whatever the other side sends
	askEvery   = 200 * time.Millisecond // between probes to all addresses, while none answers
	askAlive   = time.Second            // between probes to the address in use
	silence    = 3500 * time.Millisecond
)

// maxRoutes is the maximum number of addresses from which datagrams of one peer are accepted.
const maxRoutes = 8

// outlet sends the messages of a link.
type outlet interface {
	greet(id uint32, g *greeting)
	send(to netip.AddrPort, p probe)
}

// link is a peer, with the addresses at which it may be reached. It has no socket and no clock, and its owner locks.
type link struct {
	id     uint32
	status *links.Status
	out    outlet
	ring   *inbox.Ring // of the owner
	mine   key
	here   []netip.AddrPort // our own addresses
	theirs key              // the peer's key; 0: not known yet
	known  bool             // the peer has our key
	ways   []netip.AddrPort // addresses at which the peer may be reached
	best   netip.AddrPort   // the address that has answered
	routes []netip.AddrPort // addresses that have presented both keys, the newest last

	heard, greeted, asked time.Time
}

func newLink(id uint32, mine key, here []netip.AddrPort, out outlet, now time.Time) *link {
	return &link{id: id, status: links.NewStatus(id, now), mine: mine, here: here, out: out}
}

// hears handles a greeting. ways are the peer's addresses, with the zones of this machine. A new key means a new
// transport: the previous one has ended with its match.
func (l *link) hears(g *greeting, ways []netip.AddrPort, now time.Time) {
	changed := g.mine != l.theirs
	if changed {
		l.theirs, l.best, l.routes = g.mine, netip.AddrPort{}, nil
		l.status.Restart(now)
	}
	l.ways = append([]netip.AddrPort(nil), ways[:min(len(ways), maxWays)]...)
	l.known = g.yours == l.mine
	if (changed || !l.known) && now.Sub(l.greeted) >= greetLeast {
		l.sendHello(now)
	}
	if l.known && l.status.State() != peers.Connected {
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
	if l.status.State() == peers.Connected {
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
			l.ways = append(l.ways, from) // the peer did not know this address
		}
		return true
	}
	if l.status.State() != peers.Connected || from == l.best {
		l.best, l.heard = from, now
		l.status.Enter(peers.Connected, peers.NoReason, now)
	}
	return true
}

// route adds an address from which datagrams are accepted.
func (l *link) route(from netip.AddrPort) {
	if slices.Contains(l.routes, from) {
		return
	}
	if len(l.routes) == maxRoutes {
		l.routes = slices.Delete(l.routes, 0, 1)
	}
	l.routes = append(l.routes, from)
}

// look does the work that is due now.
func (l *link) look(now time.Time) {
	if l.status.State() == peers.Connected && now.Sub(l.heard) > silence {
		l.status.Enter(peers.Interrupted, peers.NoReason, now) // datagrams are still sent, since some may get through
	}
	connected := l.status.State() == peers.Connected
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
	l.status.Fail(links.FailAfter, l.theirs != 0, peers.Firewalled, now)
}
