package spectate

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/shares"
)

// spectator is one spectator or newcomer.
type spectator struct {
	pipe     *peer.Pipe
	nonce    uint64
	pace     pace
	feed     feed
	gone     string   // why it is gone, or ""
	newcomer Newcomer // set for a newcomer

	revoked   bool // the token that it came with was revoked
	revokedAt time.Duration
}

// bulk reports whether a spectator is catching up.
func (g *spectator) bulk(b *broadcast) bool { return g.feed.bulk(b, g.pipe.Channel.Pending()) }

// crowd holds the spectators and newcomers, and what is new of them.
type crowd struct {
	list []*spectator
	news []News
}

// at returns the one at an address, or nil.
func (c *crowd) at(addr netip.AddrPort) *spectator {
	for _, g := range c.list {
		if g.pipe.Addr == addr {
			return g
		}
	}
	return nil
}

// newcomer returns the newcomer with this ID, or nil, and how many newcomers there are.
func (c *crowd) newcomer(id uint64) (found *spectator, count int) {
	for _, g := range c.list {
		if !g.feed.newcomer || g.gone != "" {
			continue
		}
		if count++; g.newcomer.ID == id && found == nil {
			found = g
		}
	}
	return found, count
}

// add adds a spectator that has just come.
func (c *crowd) add(g *spectator) {
	c.list = append(c.list, g)
	c.tell(News{Addr: g.pipe.Addr, Joined: true, Newcomer: g.newcomer})
}

// remove removes those that are gone, or have acknowledged that they are dismissed, and calls spend with the nonce of
// each.
func (c *crowd) remove(spend func(nonce uint64, why string)) {
	c.list = slices.DeleteFunc(c.list, func(g *spectator) bool {
		if g.feed.bye && g.pipe.Channel.Pending() == 0 {
			g.gone = g.feed.why
		}
		if g.gone != "" {
			c.tell(News{Addr: g.pipe.Addr, Why: g.gone, Newcomer: g.newcomer})
			spend(g.nonce, "")
		}
		return g.gone != ""
	})
}

// tell records that a spectator has come or gone. If the news are not fetched, the list stops at twice the number
// of possible spectators, since spectators can come and go without end.
func (c *crowd) tell(n News) {
	if len(c.news) < 2*(MaxSpectators+MaxNewcomers) {
		c.news = append(c.news, n)
	}
}

// take returns the news since the last call, valid until the next one.
func (c *crowd) take() []News {
	n := c.news
	c.news = c.news[:0]
	return n
}

// count adds up who is there.
func (c *crowd) count(s *Stats) {
	for _, g := range c.list {
		switch {
		case g.gone != "":
		case g.feed.newcomer:
			s.Newcomers++
		case g.feed.bye:
			s.Leaving++
		default:
			s.Spectators++
		}
	}
}

// room returns why there is no room for a spectator from this address, or "". Another one may have to be dismissed.
func (c *crowd) room(from netip.Addr, most, perAddress int, now time.Duration) (dismiss *spectator, why string) {
	watching, same := 0, 0
	for _, g := range c.list {
		if g.feed.newcomer {
			continue
		}
		if watching++; g.pipe.Addr.Addr() == from {
			same++
		}
	}
	ok := watching < most
	if !ok && same < perAddress {
		dismiss, ok = c.yield(from, most, now)
	}
	switch {
	case !ok:
		return nil, "there is no room for another spectator"
	case same >= perAddress:
		return nil, "there is no room for another spectator from this address"
	}
	return dismiss, ""
}

// yield returns the spectator to dismiss when all places are taken: one of the side that has most, a silent one
// first, so that nobody can keep others out by coming often. It returns false if the side of the new spectator has
// as many as any other, or one less.
//
// Sides are defined in package shares. All addresses of package peers, which WebRTC uses, are on one side; there
// the room server decides who may watch, by the addresses that it sees.
func (c *crowd) yield(from netip.Addr, most int, now time.Duration) (dismiss *spectator, ok bool) {
	var watching []*spectator
	leaving := 0
	for _, g := range c.list {
		switch {
		case g.feed.newcomer || g.gone != "":
		case g.feed.bye:
			leaving++
		default:
			watching = append(watching, g)
		}
	}
	if leaving >= MaxSpectators { // they go once they acknowledge it, or fall silent
		return nil, false
	}
	if len(watching) < most {
		return nil, true // one of those that count is already leaving
	}
	// Silent ones, which may be gone already, come last: within a side, the last one is evicted.
	slices.SortStableFunc(watching, func(x, y *spectator) int {
		return cmp.Compare((now-x.pipe.Heard)/time.Second, (now-y.pipe.Heard)/time.Second)
	})
	origins := make([]shares.Origin, len(watching))
	for i, g := range watching {
		origins[i] = shares.Of(g.pipe.Addr.Addr())
	}
	i := shares.Evict(origins, shares.Of(from), 0)
	if i < 0 {
		return nil, false
	}
	return watching[i], true
}
