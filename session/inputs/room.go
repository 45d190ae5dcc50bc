package inputs

import "github.com/tickback/tickback/wire/datagram"

const (
	// inlineOrders is the maximum size, in bytes, of orders that travel with their input, in every datagram until
	// it is acknowledged. Longer ones are sent on the control stream, once.
	inlineOrders = 128
	// ordersRoom is the maximum size, in bytes, of orders in one datagram, if the path carries large ones.
	ordersRoom = 512
	// positions is how many bytes positions, sample and the lengths of blocks can take: slightly more than the
	// maximum, 148, with fifteen players here and one there.
	positions = 160
)

// room is space in a datagram that is shared by the local players.
type room struct {
	players, turn int
	all, need     int // bytes for all players, and the maximum that a frame of one player needs
}

// total returns how many bytes there are for inputs, and for orders. The rest is for the largest header and the
// tag; what is unused is left for the control stream.
func (s *Store) total(d Datagram) (inputs, orders int) {
	inputs = d.Most - datagram.TagSize - 3 - positions
	if s.cfg.MaxOrders > 0 {
		orders = min(ordersRoom, inputs/2)
	}
	return inputs - orders, orders
}

// rooms returns the room for inputs, and for orders.
func (s *Store) rooms(d Datagram) (inputs, orders room) {
	inputs = room{players: len(s.cfg.Local), need: datagram.TokenSize(s.engine.InputSize())}
	inputs.turn = int(d.Number / 2 % uint64(inputs.players)) // in every second datagram inputs may be left out
	orders = room{players: inputs.players, turn: inputs.turn, need: s.inline + datagram.OrderSize}
	inputs.all, orders.all = s.total(d)
	return inputs, orders
}

// of returns the share of our i-th player. If a small datagram has no room for all players to make progress, it has
// room for some, in turn.
func (r *room) of(i int) int {
	if r.players == 1 {
		return r.all
	}
	some := min(r.players, max(r.all/r.need, 1))
	if (i-r.turn+r.players)%r.players >= some {
		return 0
	}
	return r.all / some
}
