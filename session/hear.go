package session

import "github.com/tickback/tickback/wire/datagram"

// What somebody says who is about to join. It is nobody yet: whatever it says about the
// match, it has no part in it.

// early is orders of a newcomer that has learned that it plays before we have.
type early struct {
	player Player
	parcel
}

// receiveNewcomer handles a message of a candidate. An error means that it is broken.
func (m *Machine) receiveNewcomer(c *candidate, b []byte) error {
	kind, b := b[0], b[1:]
	if kind != messageMember && kind != messageOrders && kind != messageLeave {
		return nil
	}
	if len(b) < 4 {
		return datagram.ErrShort
	}
	number, b := le.Uint32(b), b[4:]
	switch {
	case number != m.matchAtHand():
	case kind == messageMember:
		return m.receiveMember(c.link, b)
	case kind == messageOrders:
		return m.keepEarly(c.link, b)
	case kind == messageLeave && len(b) >= 4 && Frame(le.Uint32(b)) == NoFrame:
		c.said = true // it is in already as it sees it: the log says when it leaves
	case kind == messageLeave:
		c.state = gone
	}
	return nil
}

// keepEarly keeps orders until the log says that who gives them plays.
func (m *Machine) keepEarly(l *link, b []byte) error {
	if len(b) < 6 {
		return datagram.ErrShort
	}
	p, orders := Player(b[0]), b[5:]
	if !l.players.Has(p) || len(orders) > m.cfg.MaxOrders || len(l.early) >= int(m.ahead)*len(l.list) {
		return datagram.ErrRange
	}
	l.early = append(l.early, early{p, parcel{le.Uint32(b[1:]), append([]byte(nil), orders...)}})
	return nil
}

// takeOver is who joins with a frame, and the orders that it has given already.
func (m *Machine) takeOver(l *link, at uint32) {
	for _, e := range l.early {
		if book := &m.orders[e.player]; e.frame-at < uint32(m.ahead) && len(book.early) < int(m.ahead) {
			book.early = append(book.early, e.parcel)
		}
	}
	l.early = nil
}
