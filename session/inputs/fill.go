package inputs

import (
	"slices"

	"github.com/tickback/tickback/wire/datagram"
)

// fillSize is the size in bytes at which a message of inputs is full.
const fillSize = 2 << 10

// AppendFill appends inputs of a player, from frame from on and before end, for a peer that has missed them: as
// many as fit into a message, and as the engine holds. next is the first frame that was not appended: it is from if
// the engine does not hold that frame.
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

// TakeFill decodes inputs of a player that another peer has sent, and passes those that are wanted to the engine.
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
