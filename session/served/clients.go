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

// client is a client as the host knows it.
type client struct {
	pipe  *peer.Pipe
	out   *peer.Outbox
	nonce uint64
	claim
	player Player
	from   Frame // the first tick that it may play
	plays  bool  // it has a place
	bye    bool  // it was told that nothing more comes
	gone   string

	faults  Faults
	budget  budget
	view    view
	behind  behind
	inputs  datagram.History
	began   bool // the first of its inputs has come
	orders  []order
	margins []sequencer.Margin

	fullStates fullStates
	stateReply stateReply
	unsentNews unsentNews
}

// claim is who a client says it is.
type claim struct {
	id   uint64
	wish PlayerSet // the places that it would have
}

// unsentNews is what a client has not been told of.
type unsentNews struct {
	ticks   uint32 // since the last update
	periods uint32 // by which ticks are due later than before
}

// order is what a client orders, in a tick that has not run.
type order struct {
	tick  Frame
	bytes []byte
}

// maxOrders is how many orders of a client wait at most.
const maxOrders = 64

// ordersOf takes the orders for a tick. What has come late counts now.
func (c *client) ordersOf(f Frame) []byte {
	for i, o := range c.orders {
		if o.tick <= f {
			c.orders = slices.Delete(c.orders, i, i+1)
			return o.bytes
		}
	}
	return nil
}

// clients are all clients of a host.
type clients struct {
	list []*client
	of   [rollback.MaxPlayers]*client
	ids  [rollback.MaxPlayers]uint64 // who had a place last
	past Faults                      // of those that have gone
}

func (c *clients) len() int { return len(c.list) }

// at returns the client at an address, or nil.
func (c *clients) at(addr netip.AddrPort) *client {
	for _, k := range c.list {
		if k.pipe.Addr == addr {
			return k
		}
	}
	return nil
}

// player returns who plays a player, or nil.
func (c *clients) player(p Player) *client {
	if int(p) >= len(c.of) {
		return nil
	}
	return c.of[p]
}

// gone returns the places that are empty.
func (c *clients) gone(players int) (set PlayerSet) {
	for p := range Player(players) {
		if c.of[p] == nil {
			set |= rollback.SetOf(p)
		}
	}
	return set
}

// place returns a place for a client with this ID: the one that it had, or the first of its wish that nobody has
// had, as one that comes back to a server that was started again wishes, or any other one that nobody has had, or any that
// is empty.
func (c *clients) place(id uint64, wish PlayerSet, players int) (p Player, ok bool) {
	best := -1
	for p := range players {
		switch {
		case c.of[p] != nil:
		case c.ids[p] == id:
			return Player(p), true
		case best < 0 || c.ids[best] != 0 && c.ids[p] == 0 || c.ids[p] == 0 && wish.Has(Player(p)) && !wish.Has(Player(best)):
			best = p
		}
	}
	return Player(max(best, 0)), best >= 0
}

// drop forgets the clients that are gone.
func (c *clients) drop() {
	c.list = slices.DeleteFunc(c.list, func(k *client) bool {
		if k.gone != "" {
			c.past.add(&k.faults)
		}
		return k.gone != ""
	})
}

// silentFor returns how long nothing has come from a client.
func (c *client) silentFor(now time.Duration) time.Duration { return now - c.pipe.Heard }
