package session

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Whoever gives a peer up says so: that the log has it out of the match, or, where there
// is no log, with a reset. A peer that still hears us then knows it at once, and not only
// when it has missed us for as long as we have missed it. It is told a few times by
// itself, and besides in answer to all that it still sends.

const (
	// partings is how often a peer that is gone is told so without being heard, and
	// partingEvery the interval: so a session that ends is there for half a second more.
	partings     = 12
	partingEvery = 40 * time.Millisecond
)

// part makes a peer one that is gone, and is to know it.
func (l *link) part() {
	if l.state == connecting {
		l.state = gone // there is no way to tell it
		return
	}
	l.state, l.partings = gone, partings
	l.Channel.SetEager(true)
}

// parts reports whether a peer that is gone is still told so, and when it is next.
func (m *Machine) parts(l *link) (at time.Duration, ok bool) {
	if l.state != gone || l.partings == 0 || l.Channel.Pending() == 0 {
		return 0, false
	}
	return l.Sent + max(partingEvery, m.nominal), true
}

// partAll tells those who are gone what they have not acknowledged.
func (m *Machine) partAll() {
	for _, l := range m.links {
		if at, ok := m.parts(l); ok && m.now >= at {
			l.partings--
			m.sendTo(l)
		}
	}
}

// reset tells a peer that we have given it up, and why.
func (m *Machine) reset(l *link, why string) {
	if l.state != connecting {
		m.message = append(append(m.message[:0], messageReset), cut(why)...)
		_ = l.Channel.Send(m.message) // a peer that takes nothing will notice our silence
	}
	l.part()
}

// receiveReset is a peer that has given us up.
func (m *Machine) receiveReset(l *link, b []byte) error {
	if len(b) > maxReason {
		return datagram.ErrRange
	}
	m.lose(l, "it has given us up: "+string(b))
	return nil
}
