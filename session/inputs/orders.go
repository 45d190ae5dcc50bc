package inputs

import (
	"iter"
	"slices"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Orders are the orders of one player for one frame that travel separately from their input.
type Orders struct {
	Player Player
	Frame  Frame
	Bytes  []byte
}

// Append appends them as a message.
func (o Orders) Append(b []byte) []byte {
	return append(le.AppendUint32(append(b, byte(o.Player)), uint32(o.Frame)), o.Bytes...)
}

// ReadOrders decodes a message from a peer. Bytes is a part of b.
func (s *Store) ReadOrders(r *Peer, b []byte) (Orders, error) {
	if len(b) < 6 {
		return Orders{}, datagram.ErrShort
	}
	o := Orders{Player(b[0]), Frame(le.Uint32(b[1:])), b[5:]}
	if !slices.Contains(r.List, o.Player) || len(o.Bytes) > s.cfg.MaxOrders {
		return Orders{}, datagram.ErrRange
	}
	return o, nil
}

// TakeOrders handles orders that have arrived separately. They are passed to the engine if their input waits for
// them, otherwise they wait for it. They also wait if the player is stopped at that frame: others may already have
// been told that the input is not complete here.
func (s *Store) TakeOrders(o Orders, stopped bool) error {
	book, next := &s.books[o.Player], s.Next(o.Player)
	switch {
	case stopped && slices.Contains(book.waiting, o.Frame):
	case book.takeWaiting(o.Frame):
		return s.take(o.Player, o.Frame, o.Bytes)
	case o.Frame < next:
		return nil
	case o.Frame-next >= s.cfg.Ahead || len(book.early) >= int(s.cfg.Ahead):
		return datagram.ErrRange
	}
	o.Bytes = slices.Clone(o.Bytes)
	book.early = append(book.early, o)
	return nil
}

// Limit makes datagrams give no inputs of a player from frame f on. [rollback.NoFrame] means no limit: then the
// engine gets what has become complete in the meantime.
func (s *Store) Limit(p Player, f Frame) error {
	s.history[p].SetLimit(uint32(f))
	if f != rollback.NoFrame {
		return nil
	}
	book := &s.books[p]
	for _, f := range slices.Clone(book.waiting) {
		if orders, ok := book.takeEarly(f); ok {
			book.takeWaiting(f)
			if err := s.take(p, f, orders); err != nil {
				return err
			}
		}
	}
	return nil
}

// Apart yields the orders of local players that did not travel with their input, from a frame on, as far as they
// are held.
func (s *Store) Apart(from Frame) iter.Seq[Orders] {
	return func(yield func(Orders) bool) {
		for _, p := range s.cfg.Local {
			next := s.Next(p)
			for f := max(from, next-min(next, datagram.HistoryFrames)); f < next; f++ {
				if s.books[p].size(uint32(f)) <= s.inline {
					continue
				}
				if orders, held := s.engine.OrdersOf(p, f); held && !yield(Orders{p, f, orders}) {
					return
				}
			}
		}
	}
}

// Keep keeps orders of a peer that is about to join, until [Store.Join]: for each of its players at most the number
// of frames by which inputs may be early.
func (s *Store) Keep(r *Peer, b []byte) error {
	o, err := s.ReadOrders(r, b)
	if err != nil {
		return err
	}
	if len(r.early) >= int(s.cfg.Ahead)*len(r.List) {
		return datagram.ErrRange
	}
	o.Bytes = slices.Clone(o.Bytes)
	r.early = append(r.early, o)
	return nil
}

// Join makes a peer join at a frame. Of the orders that it has already sent, those from that frame on count.
func (s *Store) Join(r *Peer, at Frame) {
	for _, o := range r.early {
		if book := &s.books[o.Player]; o.Frame-at < s.cfg.Ahead && len(book.early) < int(s.cfg.Ahead) {
			book.early = append(book.early, o)
		}
	}
	r.early = nil
}
