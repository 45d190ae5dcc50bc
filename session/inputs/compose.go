package inputs

import "github.com/tickback/tickback/wire/datagram"

// Datagram describes a datagram to a peer before inputs are added.
type Datagram struct {
	Number uint64 // its number in this direction
	Most   int    // maximum size in bytes, with the tag
	Bare   bool   // it carries no inputs
}

// Compose fills in which inputs the datagram carries: all that the peer has not acknowledged, as far as there is
// room, the oldest first; and which inputs of the peer have arrived here. It returns the block of inputs, valid
// until the next call.
func (s *Store) Compose(p *datagram.Play, r *Peer, d Datagram) []byte {
	p.Acks[0] = r.Lacking()
	for i := 1; i < len(r.List); i++ {
		p.Acks[i] = s.history[r.List[i]].Next()
	}
	if len(s.cfg.Local) > 1 {
		return s.composeAll(p, r, d)
	}
	from, to := r.acked[0], s.own.Next()
	if d.Bare {
		to = from
	}
	room, forOrders := s.total(d)
	if s.cfg.MaxOrders > 0 {
		to = s.books[s.cfg.Local[0]].limit(from, to, forOrders, s.inline)
	}
	k := &s.kept
	if !k.Holds(from, to, room) { // otherwise it has been composed for another peer
		s.own.MakeBlock(k, from, to, room)
	}
	p.Ends[0], p.Counts[0] = k.End(), k.End()-from
	return k.Bytes
}

// composeAll composes the blocks of any number of local players.
func (s *Store) composeAll(p *datagram.Play, r *Peer, d Datagram) []byte {
	b := s.block[:0]
	inputs, orders := s.rooms(d)
	for i, player := range s.cfg.Local {
		h := &s.history[player]
		from, to := r.acked[i], h.Next()
		if d.Bare {
			to = from
		}
		to = s.books[player].limit(from, to, orders.of(i), s.inline)
		start := len(b)
		last := i == len(s.cfg.Local)-1
		if !last {
			b = append(b, 0, 0) // its length
		}
		b, p.Ends[i] = h.AppendBlock(b, from, to, inputs.of(i))
		p.Counts[i] = p.Ends[i] - from
		if !last {
			le.PutUint16(b[start:], uint16(len(b)-start-2))
		}
	}
	s.block = b
	return b
}

// CountOrders returns how many frames of a datagram have orders.
func (s *Store) CountOrders(p *datagram.Play) (n int) {
	if s.cfg.MaxOrders == 0 {
		return 0
	}
	for i, player := range s.cfg.Local {
		for f := p.Ends[i] - p.Counts[i]; f != p.Ends[i]; f++ {
			if s.books[player].size(f) > 0 {
				n++
			}
		}
	}
	return n
}

// AppendOrders appends the orders of the frames in a datagram.
func (s *Store) AppendOrders(b []byte, r *Peer, p *datagram.Play) []byte {
	b = datagram.AppendUint(b, uint32(s.CountOrders(p)))
	for i, player := range s.cfg.Local {
		for f := p.Ends[i] - p.Counts[i]; f != p.Ends[i]; f++ {
			n := s.books[player].size(f)
			if n == 0 {
				continue
			}
			o := datagram.Order{Player: i, Frame: f}
			if n <= s.inline {
				o.Bytes, _ = s.engine.OrdersOf(player, Frame(f))
			}
			b = datagram.AppendOrder(b, o, r.Send, p.Ends[i])
		}
	}
	return b
}
