package inputs

import (
	"slices"

	"github.com/tickback/tickback/wire/datagram"
)

// fillSize is how many bytes of inputs a message has at least, if there are more.
const fillSize = 2 << 10

// AppendFill appends inputs of a player, from a frame on and before end, for a peer that has
// missed them, as many as a message carries and the engine holds. It returns where the rest
// begins, if there is one: it is from if the engine does not hold that frame.
func (s *Store) AppendFill(b []byte, p Player, from, end Frame) (message []byte, next Frame) {
	b = le.AppendUint32(append(b, byte(p)), uint32(from))
	for ; len(b) < fillSize && from < end; from++ {
		orders, held := s.engine.OrdersOf(p, from)
		if !held {
			break
		}
		b, _ = s.engine.AppendInput(le.AppendUint16(b, uint16(len(orders))), p, from)
		b = append(b, orders...)
	}
	return b, from
}

// TakeFill reads inputs that somebody else has of a player, and gives the engine those that are
// wanted.
func (s *Store) TakeFill(b []byte, wanted func(p Player, f Frame) bool) error {
	if len(b) < 5 {
		return datagram.ErrShort
	}
	p, f, b := Player(b[0]), Frame(le.Uint32(b[1:])), b[5:]
	if int(p) >= s.cfg.Players || slices.Contains(s.cfg.Local, p) {
		return datagram.ErrRange
	}
	for size := s.engine.InputSize(); len(b) > 0; f++ {
		if len(b) < 2+size {
			return datagram.ErrShort
		}
		n := int(le.Uint16(b))
		input, rest := b[2:2+size], b[2+size:]
		if n > s.cfg.MaxOrders || n > len(rest) {
			return datagram.ErrRange
		}
		if wanted(p, f) {
			if err := s.engine.TakeInput(p, f, input, rest[:n]); err != nil {
				return err
			}
		}
		b = rest[n:]
	}
	return nil
}
