package inputs

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/datagram"
)

var le = binary.LittleEndian

// ConsumeOrders decodes the orders in a datagram from a peer, from the front of b, and returns the rest. The orders
// are for Accept, until the next call.
func (s *Store) ConsumeOrders(b []byte, r *Peer, p *datagram.Play) (rest []byte, err error) {
	count, n := datagram.ConsumeUint(b)
	if n == 0 {
		return nil, datagram.ErrVarint
	}
	b, s.list = b[n:], s.list[:0]
	for range count {
		o, rest, err := datagram.ConsumeOrder(b, p, r.Receive)
		if err != nil {
			return nil, err
		}
		if len(o.Bytes) > s.cfg.MaxOrders {
			return nil, datagram.ErrRange
		}
		b, s.list = rest, append(s.list, o)
	}
	return b, nil
}

// Accept handles the inputs of a datagram, and passes the new ones to the engine, each with its orders: those that
// ConsumeOrders has read, if the header says that there are any. If refused is true, the error is from the engine, which
// did not accept an input; otherwise it is about the datagram.
func (s *Store) Accept(r *Peer, h *datagram.Header, blocks []byte) (refused bool, err error) {
	last, history := len(r.List)-1, r.first
	for i, player := range r.List {
		block := blocks
		if i < last {
			if len(blocks) < 2 {
				return false, datagram.ErrShort
			}
			n := int(le.Uint16(blocks))
			if len(blocks) < 2+n {
				return false, datagram.ErrShort
			}
			block, blocks = blocks[2:2+n], blocks[2+n:]
		}
		if i > 0 {
			history = &s.history[player]
		}
		end, count := h.Play.Ends[i], h.Play.Counts[i]
		fresh, err := history.ConsumeBlock(block, end-count, int(count))
		for f := history.Next() - uint32(fresh); f != history.Next(); f++ {
			var e error
			if h.HasOrders {
				e = s.takeFresh(player, Frame(f), orderOf(s.list, i, f))
			} else {
				e = s.engine.TakePlain(player, Frame(f), history.At(f))
			}
			if e != nil {
				return true, e
			}
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// orderOf returns the order of a player for a frame, or nil if there is none.
func orderOf(list []datagram.Order, player int, f uint32) *datagram.Order {
	for i := range list {
		if o := &list[i]; o.Player == player && o.Frame == f {
			return o
		}
	}
	return nil
}

// ordersFor returns the orders that belong to an input, where o is the order in its datagram, and whether they have
// arrived. If not, the input waits for them.
func (s *Store) ordersFor(p Player, f Frame, o *datagram.Order) (orders []byte, here bool) {
	switch {
	case o == nil:
		return nil, true
	case len(o.Bytes) > 0:
		return o.Bytes, true
	}
	book := &s.books[p] // they come separately
	if orders, here = book.takeEarly(f); !here {
		book.waiting = append(book.waiting, f)
	}
	return orders, here
}

// takeFresh passes a held input to the engine if its orders have arrived, where o is the order in its datagram.
func (s *Store) takeFresh(p Player, f Frame, o *datagram.Order) error {
	orders, here := s.ordersFor(p, f, o)
	if !here {
		return nil
	}
	return s.take(p, f, orders)
}

// take passes a held input to the engine, with its orders.
func (s *Store) take(p Player, f Frame, orders []byte) error {
	return s.engine.TakeInput(p, f, s.history[p].At(uint32(f)), orders)
}
