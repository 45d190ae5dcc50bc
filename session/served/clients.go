package served

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/wire/datagram"
)

// client is a client as seen by the host.
type client struct {
	pipe  *peer.Pipe
	out   *peer.Outbox
	nonce uint64
	claim
	player Player
	from   Frame // the first tick that it may play
	plays  bool  // it has a place
	bye    bool  // it has been notified that nothing more will come
	gone   string

	faults  Faults
	budget  budget
	view    view
	behind  behind
	inputs  datagram.History
	began   bool // the first of its inputs has arrived
	orders  []order
	margins []sequencer.Margin

	fullStates fullStates
	stateReply stateReply
	unsentNews unsentNews
}

// claim is the identity that a client claims.
type claim struct {
	id   uint64
	wish PlayerSet // the places that it prefers
}

// unsentNews is what has not been sent to a client yet.
type unsentNews struct {
	ticks   uint32 // since the last update
	periods uint32 // the number of periods by which ticks have been postponed
}

// order is an order of a client, for a tick that has not run.
type order struct {
	tick  Frame
	bytes []byte
}

// maxOrders is the maximum number of waiting orders per client.
const maxOrders = 64

// ordersOf removes and returns the orders for a tick, or those for an earlier one that arrived late.
func (c *client) ordersOf(f Frame) []byte {
	for i, o := range c.orders {
		if o.tick <= f {
			c.orders = slices.Delete(c.orders, i, i+1)
			return o.bytes
		}
	}
	return nil
}

// clients holds all clients of a host.
type clients struct {
	list []*client
	last int // the index of the client that was looked up last
	of   [rollback.MaxPlayers]*client
	ids  [rollback.MaxPlayers]uint64 // ID of the last client at each place
	past Faults                      // faults of clients that are gone
}

func (c *clients) len() int { return len(c.list) }

// at returns the client at an address, or nil.
func (c *clients) at(addr netip.AddrPort) *client {
	for range c.list { // from the one after the last: clients send in turns
		if c.last++; c.last >= len(c.list) {
			c.last = 0
		}
		if k := c.list[c.last]; k.pipe.Addr == addr {
			return k
		}
	}
	return nil
}

// player returns the client that has a player, or nil.
func (c *clients) player(p Player) *client {
	if int(p) >= len(c.of) {
		return nil
	}
	return c.of[p]
}

// gone returns the empty places.
func (c *clients) gone(players int) (set PlayerSet) {
	for p := range Player(players) {
		if c.of[p] == nil {
			set |= rollback.SetOf(p)
		}
	}
	return set
}

// place returns a place for a client with this ID: the place that it had before; else the first place of its wish
// that nobody has had, for a client that comes back to a restarted server; else any other place that nobody has
// had; else any empty one. Places that are kept are for those who had them.
func (c *clients) place(id uint64, wish PlayerSet, players int, kept PlayerSet) (p Player, ok bool) {
	best := -1
	for p := range players {
		switch {
		case c.of[p] != nil:
		case c.ids[p] == id:
			return Player(p), true
		case kept.Has(Player(p)):
		case best < 0 || c.ids[best] != 0 && c.ids[p] == 0 || c.ids[p] == 0 && wish.Has(Player(p)) && !wish.Has(Player(best)):
			best = p
		}
	}
	return Player(max(best, 0)), best >= 0
}

// drop removes the clients that are gone.
func (c *clients) drop() {
	c.list = slices.DeleteFunc(c.list, func(k *client) bool {
		if k.gone != "" {
			c.past.add(&k.faults)
		}
		return k.gone != ""
	})
}

// silentFor returns how long nothing has arrived from a client.
func (c *client) silentFor(now time.Duration) time.Duration { return now - c.pipe.Heard }
