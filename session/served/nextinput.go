package served

import "github.com/tickback/tickback/canon"

// nextInput is what the player here does in the next tick: it is asked for that once.
type nextInput[I comparable] struct {
	sample func(p Player) I
	order  func(p Player) []byte // nil in a game without orders
	plan   *canon.Plan[I]

	sampled bool // in and orders are those of the next tick
	tick    Frame
	in      I
	orders  []byte
	encoded []byte // memory
}

// ask asks the player, unless it was asked for a tick that could not run yet. send sends orders to
// the server; those that cannot be sent do not count.
func (h *nextInput[I]) ask(p Player, f Frame, send func(m []byte) error) {
	if h.sampled {
		if h.tick != f { // ticks were left out; the orders have been sent, and supposed, for the first one
			h.tick, h.orders = f, nil
		}
		return
	}
	h.sampled, h.tick, h.in, h.orders = true, f, h.sample(p), nil
	if h.order == nil {
		return
	}
	orders := h.order(p)
	if len(orders) > 0 && send(appendOrders(nil, f, orders)) == nil { // else too many wait
		h.orders = append([]byte(nil), orders...)
	}
}

// encode returns the input for the next tick as bytes, valid until the next call. The next time, the
// player is asked again.
func (h *nextInput[I]) encode() []byte {
	h.sampled = false
	h.encoded = h.plan.Append(h.encoded[:0], &h.in)
	return h.encoded
}
