package session

import (
	"slices"

	"github.com/tickback/tickback/wire/datagram"
)

const (
	// inlineOrders is the most bytes of orders that travel with their input, in
	// every datagram until it is acknowledged. Longer ones take the control
	// stream, once.
	inlineOrders = 128
	// ordersRoom is how many bytes of orders one datagram carries at most, if the path
	// carries a large one.
	ordersRoom = 512
)

// orderBook is the orders of one player that are on the way. For a local player
// these are their lengths; for another one, orders whose input has not come yet,
// and inputs whose orders have not.
type orderBook struct {
	sizes   []uint16 // by frame, in a ring; nil if there are no orders
	early   []parcel
	waiting []uint32
}

// parcel is orders that have come before their input.
type parcel struct {
	frame uint32
	bytes []byte
}

func (o *orderBook) clear() {
	o.early, o.waiting = o.early[:0], o.waiting[:0]
}

func (o *orderBook) note(f uint32, size int) {
	if o.sizes == nil {
		o.sizes = make([]uint16, datagram.HistoryFrames)
	}
	o.sizes[f%datagram.HistoryFrames] = uint16(size)
}

func (o *orderBook) size(f uint32) int {
	if o.sizes == nil {
		return 0
	}
	return int(o.sizes[f%datagram.HistoryFrames])
}

// inlineLimit is the most bytes of orders that travel with their input: less, if
// several players share a datagram.
func (m *Machine) inlineLimit() int {
	return min(inlineOrders, ordersRoom/len(m.local)-datagram.OrderSize)
}

// inline is how many bytes the orders of a frame take in a datagram.
func (o *orderBook) inline(f uint32, most int) int {
	switch n := o.size(f); {
	case n == 0:
		return 0
	case n > most:
		return datagram.OrderSize
	default:
		return datagram.OrderSize + n
	}
}

// limit returns the first frame from which on orders do not fit into a datagram
// any more.
func (o *orderBook) limit(from, to uint32, room, most int) uint32 {
	for f := from; f != to; f++ {
		if room -= o.inline(f, most); room < 0 {
			return f
		}
	}
	return to
}

// sampledOrders notes the orders of a frame of a local player, and sends those
// that do not travel with their input.
func (m *Machine) sampledOrders(p Player, f uint32, orders []byte) {
	m.orders[p].note(f, len(orders))
	if len(orders) <= m.inlineLimit() {
		return
	}
	for _, l := range m.links {
		if l.state == connected {
			b := append(m.begins(messageOrders), byte(p))
			b = le.AppendUint32(b, f)
			m.post(l, append(b, orders...))
		}
	}
}

// countOrders returns in how many frames of a datagram there are orders.
func (m *Machine) countOrders(p *datagram.Play) (n int) {
	for i, player := range m.local {
		for f := p.Ends[i] - p.Counts[i]; f != p.Ends[i]; f++ {
			if m.orders[player].size(f) > 0 {
				n++
			}
		}
	}
	return n
}

// appendOrders appends the orders of the frames in a datagram.
func (m *Machine) appendOrders(b []byte, l *link, p *datagram.Play) []byte {
	b = datagram.AppendUint(b, uint32(m.countOrders(p)))
	for i, player := range m.local {
		for f := p.Ends[i] - p.Counts[i]; f != p.Ends[i]; f++ {
			n := m.orders[player].size(f)
			if n == 0 {
				continue
			}
			o := datagram.Order{Player: i, Frame: f}
			if n <= m.inlineLimit() {
				o.Bytes = m.sim.ordersOf(player, Frame(f))
			}
			b = datagram.AppendOrder(b, o, l.send, p.Ends[i])
		}
	}
	return b
}

// skipOrders checks the orders in a datagram, and returns what follows them.
func (m *Machine) skipOrders(l *link, b []byte, p *datagram.Play) ([]byte, error) {
	count, n := datagram.ConsumeUint(b)
	if n == 0 {
		return nil, datagram.ErrVarint
	}
	b = b[n:]
	for range count {
		o, rest, err := datagram.ConsumeOrder(b, p, l.receive)
		if err != nil {
			return nil, err
		}
		if len(o.Bytes) > m.cfg.MaxOrders {
			return nil, datagram.ErrRange
		}
		b = rest
	}
	return b, nil
}

// findOrder returns the orders of a player of the peer in a frame, in what
// skipOrders has checked.
func (l *link) findOrder(b []byte, p *datagram.Play, player int, f uint32) (orders []byte, apart bool) {
	count, n := datagram.ConsumeUint(b)
	b = b[n:]
	for range count {
		o, rest, err := datagram.ConsumeOrder(b, p, l.receive)
		if err != nil {
			return nil, false
		}
		if o.Player == player && o.Frame == f {
			return o.Bytes, len(o.Bytes) == 0
		}
		b = rest
	}
	return nil, false
}

// takeEarly returns orders that have come before their input.
func (o *orderBook) takeEarly(f uint32) ([]byte, bool) {
	for i, p := range o.early {
		if p.frame == f {
			last := len(o.early) - 1
			o.early[i] = o.early[last]
			o.early = o.early[:last]
			return p.bytes, true
		}
	}
	return nil, false
}

// takeWaiting reports whether the orders of a frame are awaited, and forgets it.
func (o *orderBook) takeWaiting(f uint32) bool {
	for i, w := range o.waiting {
		if w == f {
			last := len(o.waiting) - 1
			o.waiting[i] = o.waiting[last]
			o.waiting = o.waiting[:last]
			return true
		}
	}
	return false
}

// receiveOrders is a message with the orders of one frame.
func (m *Machine) receiveOrders(l *link, b []byte) error {
	if len(b) < 6 {
		return datagram.ErrShort
	}
	p, f, orders := Player(b[0]), le.Uint32(b[1:]), b[5:]
	if !l.players.Has(p) || len(orders) > m.cfg.MaxOrders {
		return datagram.ErrRange
	}
	if l.state == gone || !m.inMatch() {
		return nil
	}
	book, next := &m.orders[p], m.history[p].Next()
	held := m.core != nil && Frame(f) >= m.core.Limit(p)
	switch {
	case held && slices.Contains(book.waiting, f):
		// Not now: others may have been told already that we do not have them.
	case book.takeWaiting(f):
		return m.sim.receive(p, Frame(f), m.history[p].At(f), orders)
	case f < next:
		return nil
	case f-next >= uint32(m.ahead) || len(book.early) >= int(m.ahead):
		return datagram.ErrRange
	}
	book.early = append(book.early, parcel{f, append([]byte(nil), orders...)})
	return nil
}

// released takes the orders that came while a player was stopped, which it is no more.
func (m *Machine) released(p Player) {
	book := &m.orders[p]
	if len(book.early) == 0 || len(book.waiting) == 0 {
		return
	}
	for _, f := range slices.Clone(book.waiting) {
		if orders, ok := book.takeEarly(f); ok {
			book.takeWaiting(f)
			if err := m.sim.receive(p, Frame(f), m.history[p].At(f), orders); err != nil {
				m.lose(m.at[p], "an input: "+err.Error())
				return
			}
		}
	}
}
