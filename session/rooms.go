package session

import (
	"github.com/tickback/tickback/wire/datagram"
)

// rooms is how the bytes of a datagram are shared by those who play here.
type rooms struct {
	players, turn         int
	forInputs, forOrders  int // bytes for all
	inputSize, ordersSize int // the most that a frame of one player needs
}

// rooms returns how the next datagram to a peer is shared. What is not for orders or
// inputs is for the largest header, and the tag; what they leave, for the control stream.
func (m *Machine) rooms(l *link) rooms {
	r := rooms{players: len(m.local), inputSize: datagram.TokenSize(m.sim.inputSize())}
	r.forInputs = l.Most() - datagram.TagSize - 3 - maxPlayers*4*datagram.MaxVarint
	if m.cfg.MaxOrders > 0 {
		r.forOrders, r.ordersSize = min(ordersRoom, r.forInputs/2), m.inlineLimit()+datagram.OrderSize
		r.forInputs -= r.forOrders
	}
	r.turn = int(l.Next() / 2 % uint64(r.players)) // in every second one inputs may be left out
	return r
}

// inputs returns the bytes for the inputs of our i-th player.
func (r *rooms) inputs(i int) int { return r.share(i, r.forInputs, r.inputSize) }

// orders returns the bytes for its orders.
func (r *rooms) orders(i int) int { return r.share(i, r.forOrders, r.ordersSize) }

// share returns the part of our i-th player. If a small datagram has no room for all to
// go on, it has for some, in turn.
func (r *rooms) share(i, room, need int) int {
	if room == 0 {
		return 0
	}
	some := min(r.players, max(room/need, 1))
	if (i-r.turn+r.players)%r.players >= some {
		return 0
	}
	return room / some
}
