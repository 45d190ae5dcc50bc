package membership

import (
	"iter"

	"github.com/tickback/tickback/wire/datagram"
)

// outbox holds messages until [Core.Outgoing] yields them.
type outbox struct {
	sets  datagram.Sets
	bytes []byte
	list  []outgoing
}

// outgoing is a message in an outbox: its receiver, and where its bytes end.
type outgoing struct {
	to  PlayerSet
	end int
}

func (o *outbox) add(to PlayerSet, m *message) {
	o.bytes = m.append(o.bytes, o.sets)
	o.list = append(o.list, outgoing{to, len(o.bytes)})
}

// all yields the messages and removes them.
func (o *outbox) all() iter.Seq2[PlayerSet, []byte] {
	return func(yield func(PlayerSet, []byte) bool) {
		start := 0
		for _, p := range o.list {
			if !yield(p.to, o.bytes[start:p.end:p.end]) {
				break
			}
			start = p.end
		}
		o.bytes, o.list = o.bytes[:0], o.list[:0]
	}
}

// tell sends a message to one member.
func (c *Core) tell(to Player, m message) {
	m.slot = c.s.Slot
	c.box.add(c.s.Members[to], &m)
}

// broadcast sends a message to all other members.
func (c *Core) broadcast(m message) {
	for p, other := range c.slot.of(&c.s.Members) {
		if other != 0 && other != c.me {
			c.tell(Player(p), m)
		}
	}
}
