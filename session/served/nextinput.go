package served

import "github.com/tickback/tickback/canon"

// nextInput is the input of the local player for the next tick. The player is sampled once for it.
type nextInput[I comparable] struct {
	sample func(p Player) I
	order  func(p Player) []byte // nil in a game without orders
	plan   *canon.Plan[I]

	sampled bool // in and orders belong to the next tick
	tick    Frame
	in      I
	orders  []byte
	encoded []byte // reused memory
}

// ask samples the player, unless that was done for a tick that could not run yet. send sends orders to the server;
// orders that cannot be sent do not count.
func (h *nextInput[I]) ask(p Player, f Frame, send func(m []byte) error) {
	if h.sampled {
		if h.tick != f { // ticks were skipped; the orders were sent, and assumed, for the first one
			h.tick, h.orders = f, nil
		}
		return
	}
	h.sampled, h.tick, h.in, h.orders = true, f, h.sample(p), nil
	if h.order == nil {
		return
	}
	orders := h.order(p)
	if len(orders) > 0 && send(appendOrders(nil, f, orders)) == nil { // otherwise too many are waiting
		h.orders = append([]byte(nil), orders...)
	}
}

// encode returns the input for the next tick as bytes, valid until the next call. After that the player is sampled
// again.
func (h *nextInput[I]) encode() []byte {
	h.sampled = false
	h.encoded = h.plan.Append(h.encoded[:0], &h.in)
	return h.encoded
}
