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

// everyone is all other members.
const everyone = ^PlayerSet(0)

// send sends a message about the slot to each other member with a player in the set.
func (c *Core) send(to PlayerSet, m message) {
	m.slot = c.log.state.Slot
	for _, member := range c.log.state.each() {
		if member&to != 0 && member != c.me {
			c.box.add(member, &m)
		}
	}
}
