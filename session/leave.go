package session

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/datagram"
)

// Leave leaves the session: the others are told, and our inputs up to now are
// delivered. The session is over when they have acknowledged it, or after
// Config.Linger; keep calling Poll until then. The reason is text for the others.
func (m *Machine) Leave(reason string) {
	if m.phase == Over || m.end.leaving {
		return
	}
	m.end.leaving = true
	m.end.playing = m.phase == Playing || m.end.playing
	m.enterEnding()
	waiting := false
	for _, l := range m.links {
		if l.state == connected {
			m.sendLeave(l, reason)
			waiting = true
		}
	}
	if !waiting {
		m.enterOver(ErrClosed)
		return
	}
	m.sendAll()
}

func (m *Machine) sendLeave(l *link, reason string) {
	b := m.begins(messageLeave)
	for _, p := range m.local {
		b = binary.LittleEndian.AppendUint32(b, m.history[p].Next())
	}
	m.message = append(b, cut(reason)...)
	_ = l.channel.Send(m.message) // a peer that takes nothing will notice our silence
}

// receiveLeave is a peer that leaves.
func (m *Machine) receiveLeave(l *link, number uint32, b []byte) error {
	fixed := 4 * len(l.list)
	if len(b) < fixed {
		return datagram.ErrShort
	}
	if l.state != connected {
		return nil
	}
	l.state = leaving
	first := Frame(0)
	for i := range l.list {
		if l.leaveAt[i] = Frame(binary.LittleEndian.Uint32(b[4*i:])); number != m.match.number {
			l.leaveAt[i] = 0
		}
		first = max(first, l.leaveAt[i])
	}
	reason := string(b[fixed:][:min(len(b)-fixed, maxReason)])
	m.events.add(Event{What: Left, Players: l.players, Frame: first, Text: reason})
	m.departed(l, "it left: "+reason)
	return nil
}

// lose gives up a peer.
func (m *Machine) lose(l *link, why string) {
	if l.state == gone || m.phase == Over {
		return
	}
	if was := l.state; was != leaving {
		m.events.add(Event{What: Lost, Players: l.players, Frame: m.next(l.list[0]), Text: why})
	}
	l.state = gone
	m.departed(l, why)
}

// departed goes on without a peer, or ends what cannot.
func (m *Machine) departed(l *link, why string) {
	switch {
	case m.phase == Ending || m.phase == Over:
		// Whoever is still there is enough.
	case m.phase != Playing:
		m.fail(&LostError{l.players, why})
	case m.cfg.OnLeave == Continue:
		m.goOnWithout(l)
	default:
		if m.end.lost |= l.players; l.state == leaving {
			m.end.left |= l.players
		}
		l.state = gone
		m.freeze()
	}
}

// goOnWithout disconnects the players of the only other peer, from where their
// inputs end: those that are announced are awaited while the peer is there.
func (m *Machine) goOnWithout(l *link) {
	for i, p := range l.list {
		if l.state == leaving && m.sim.Next(p) < l.leaveAt[i] {
			return // until progress finds them here
		}
	}
	kind := EntryDrop
	if l.state == leaving {
		kind = EntryLeave
	}
	for _, p := range l.list {
		from := m.sim.Next(p)
		if err := m.sim.Disconnect(p, from); err != nil {
			m.fail(err)
			return
		}
		m.log = append(m.log, Entry{kind, PlayerSet(1) << p, from})
	}
	l.state = gone
}

// completeLeaves goes on without those whose last inputs have come.
func (m *Machine) completeLeaves() {
	for _, l := range m.links {
		if l.state == leaving && m.cfg.OnLeave == Continue && m.phase == Playing {
			m.goOnWithout(l)
		}
	}
}
