package session

import (
	"iter"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/pace"
)

// peers holds the other machines of the session, and those that want to join its match. It answers queries about
// all of them.
type peers struct {
	links     []*link
	where     []netip.AddrPort  // address at which each link was found last: see linkTo
	guess     int               // index of the link that most likely sends the next datagram
	at        [MaxPlayers]*link // link to each player; nil: local
	newcomers []*newcomer
	eagerly   bool // whether control streams are eager
	exact     bool // the tick rate is no integer: lags are compared evenly, see [pace.Balance]
}

// host returns the link to the host.
func (p *peers) host() *link { return p.at[0] }

// allLinks yields the links to peers and newcomers.
func (p *peers) allLinks() iter.Seq[*link] {
	return func(yield func(*link) bool) {
		for _, l := range p.links {
			if !yield(l) {
				return
			}
		}
		for _, c := range p.newcomers {
			if !yield(c.link) {
				return
			}
		}
	}
}

// newcomerOf returns the newcomer that has this link, or nil.
func (p *peers) newcomerOf(l *link) *newcomer {
	for _, c := range p.newcomers {
		if c.link == l {
			return c
		}
	}
	return nil
}

// putNewcomer adds a newcomer.
func (p *peers) putNewcomer(c *newcomer) { p.newcomers = append(p.newcomers, c) }

// dropNewcomers removes the newcomers for which drop returns true.
func (p *peers) dropNewcomers(drop func(*newcomer) bool) {
	p.newcomers = slices.DeleteFunc(p.newcomers, drop)
}

// replace makes these the links to all other machines.
func (p *peers) replace(links []*link) {
	p.links = links
	for _, l := range links {
		for _, q := range l.List {
			p.at[q] = l
		}
	}
}

// linkTo returns the link to an address, or nil. A peer that is not gone takes precedence. It is called for every
// datagram. Peers often send in the same order in each frame, so the search begins after the link that was found last.
func (p *peers) linkTo(addr netip.AddrPort) *link {
	if i := p.guess; i < len(p.links) { // nearly always the guess is right
		if l := p.links[i]; l.Addr == addr && l.state != gone {
			if p.guess++; p.guess >= len(p.links) {
				p.guess = 0
			}
			return l
		}
	}
	return p.scan(addr)
}

// scan looks for the link when the guess was wrong. The addresses are kept side by side in where: those of the links are
// behind two pointers each. An entry counts only if its link still has that address.
func (p *peers) scan(addr netip.AddrPort) *link {
	for range p.where {
		i := p.guess
		if p.guess++; p.guess >= len(p.where) {
			p.guess = 0
		}
		if i < len(p.where) && p.where[i] == addr && i < len(p.links) {
			if l := p.links[i]; l.Addr == addr && l.state != gone {
				return l
			}
		}
	}
	return p.search(addr)
}

// search does the work of linkTo without the table, and fills it in.
func (p *peers) search(addr netip.AddrPort) (found *link) {
	for i, l := range p.links {
		if l.Addr != addr {
			continue
		}
		if found = l; l.state != gone {
			if len(p.where) != len(p.links) {
				p.where = make([]netip.AddrPort, len(p.links))
			}
			p.where[i] = addr
			return l
		}
	}
	for _, c := range p.newcomers {
		if c.Addr == addr {
			return c.link
		}
	}
	return found
}

// linkToPlayers returns the link to exactly these players, or nil. A peer that is not gone takes precedence, then a
// connected newcomer.
func (p *peers) linkToPlayers(players PlayerSet) (found *link) {
	for _, l := range p.links {
		if l.players == players {
			if found = l; l.state != gone {
				return l
			}
		}
	}
	for _, c := range p.newcomers {
		if c.players == players && c.state == connected {
			return c.link
		}
	}
	return found
}

// add makes the link of a newcomer the link of a peer. It replaces one that is gone.
func (p *peers) add(l *link) {
	at := -1
	for i, old := range p.links {
		if old.players == l.players && old.state == gone {
			at = i
		}
	}
	if at < 0 {
		at = len(p.links)
		p.links = append(p.links, nil)
	}
	p.put(at, l)
}

// put makes l the link of the i-th peer.
func (p *peers) put(i int, l *link) {
	p.links[i] = l
	for _, player := range l.List {
		p.at[player] = l
	}
}

// playersWhere returns the players of all peers for which is returns true.
func (p *peers) playersWhere(is func(*link) bool) (players PlayerSet) {
	for _, l := range p.links {
		if is(l) {
			players |= l.players
		}
	}
	return players
}

// notGone returns the players of all peers that are not gone.
func (p *peers) notGone() PlayerSet {
	return p.playersWhere(func(l *link) bool { return l.state != gone })
}

// needed returns the players of peers that are gone and without which no further match is possible: the host, or
// any peer if matches do not continue without one. It also returns whether all of them have announced that they
// leave.
func (p *peers) needed(continues bool) (players PlayerSet, left bool) {
	left = true
	for _, l := range p.links {
		if l.state != connected && (!continues || l == p.host()) {
			players |= l.players
			left = left && l.said
		}
	}
	return players, left
}

// slowest returns the players of the peers that have reported the fewest frames.
func (p *peers) slowest() (players PlayerSet) {
	least := NoFrame
	for _, l := range p.links {
		if l.state != connected || l.confirmed > least {
			continue
		}
		if l.confirmed < least {
			least, players = l.confirmed, 0
		}
		players |= l.players
	}
	return players
}

// told returns how many frames, at most n, all members of the match have reported to have. ended is the number of
// frames of the match, as reported by peers that are at its end, or 0: all members had these frames, including those
// that are gone now.
func (p *peers) told(core *membership.Core, n Frame) (told, ended Frame) {
	for _, l := range p.links {
		if l.confirmed < n && core != nil && core.State().Has(l.players) {
			n = l.confirmed
		}
		if l.done && l.state == connected {
			ended = max(ended, l.summary.Frames)
		}
	}
	return n, ended
}

// equal returns the newest state that is known to be equal at all peers and here, or NoFrame without peers.
func (p *peers) equal() Frame {
	all := NoFrame
	for _, l := range p.links {
		if l.state == connected {
			all = min(all, l.chain.Equal())
		}
	}
	return all
}

// farthest returns the longest round trip to a peer, with its jitter.
func (p *peers) farthest() (trip time.Duration) {
	for _, l := range p.links {
		if l.alive() {
			trip = max(trip, l.RoundTrip.Smoothed+2*l.RoundTrip.Deviation)
		}
	}
	return trip
}

// period returns the length of the next tick period; see [pace.Balance].
func (p *peers) period(nominal time.Duration) time.Duration {
	b := pace.Balance{Even: p.exact}
	for _, l := range p.links {
		if l.alive() {
			b.Add(&l.lag)
		}
	}
	return b.Period(nominal)
}

// eager makes every datagram repeat all that is not acknowledged, as long as that is little. Before and after a
// match, and until its start has arrived, latency matters more than bytes.
func (p *peers) eager(on bool) {
	p.eagerly = on
	for _, l := range p.links {
		l.Channel.SetEager(on || l.state == gone)
	}
}

// stopEager turns this repetition off once everything has been acknowledged.
func (p *peers) stopEager() {
	for _, l := range p.links {
		if l.state == connected && l.Channel.Pending() != 0 {
			return
		}
	}
	p.eager(false)
}
