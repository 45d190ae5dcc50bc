package session

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// EntryKind is what an [Entry] says.
type EntryKind uint8

const (
	// EntryLeave: the players left by themselves.
	EntryLeave EntryKind = 1 + iota
	// EntryDrop: the players were lost.
	EntryDrop
	// EntryEnd: the match ends for all after so many frames.
	EntryEnd
)

// Entry is one line of the membership log of a match: what changed, from which
// frame on. All peers apply the same entries in the same order.
type Entry struct {
	Kind    EntryKind
	Players PlayerSet // who is no longer there
	Frame   Frame     // the first one without them, or the number of frames
}

// Log returns the membership log of the match. It is the session's; do not change
// it.
func (m *Machine) Log() []Entry { return m.log }

// ending is how a match comes to its end.
type ending struct {
	playing bool          // inputs are still sent
	since   time.Duration // when Ending began
	leaving bool          // we leave
	lost    PlayerSet     // who is no longer there
	left    PlayerSet     // those of them who have said so

	frozen   bool  // somebody left: no frame runs until the end is decided
	frozenAt Frame // what we had of all players then
	decided  bool
	outcome  Outcome
	over     bool // there is an outcome
}

// Leave leaves the session: the others are told, and our inputs up to now are
// delivered. The session is over when they have acknowledged it, or after
// Config.Linger; keep calling Poll until then. The reason is text for the others.
func (m *Machine) Leave(reason string) {
	if m.phase == Over || m.end.leaving {
		return
	}
	m.end.leaving = true
	waiting := false
	m.eager(true)
	for _, l := range m.links {
		if l.state == connected {
			m.sendLeave(l, reason)
			waiting = true
		}
	}
	m.end.playing = m.phase == Playing || m.phase == Ending && m.end.playing
	m.phase, m.end.since = Ending, m.now
	if !waiting {
		m.close()
		return
	}
	m.sendAll()
}

// close ends the session in order.
func (m *Machine) close() {
	m.phase, m.err = Over, ErrClosed
	m.events.add(Event{What: Closed, Text: ErrClosed.Error()})
}

func (m *Machine) sendLeave(l *link, reason string) {
	end := NoFrame
	if m.end.decided || m.match.complete {
		end = m.match.limit
	}
	b := binary.LittleEndian.AppendUint32(m.begins(messageLeave), uint32(end))
	for _, p := range m.local {
		b = binary.LittleEndian.AppendUint32(b, m.history[p].Next())
	}
	m.message = append(b, cut(reason)...)
	_ = l.channel.Send(m.message) // a peer that takes nothing will notice our silence
}

// receiveLeave is a peer that leaves.
func (m *Machine) receiveLeave(l *link, number uint32, b []byte) error {
	if len(b) < 4+4*len(l.list) {
		return datagram.ErrShort
	}
	end, b := Frame(binary.LittleEndian.Uint32(b)), b[4:]
	if l.state != connected {
		return nil
	}
	l.state = leaving
	first := Frame(0)
	for i := range l.list {
		l.leaveAt[i] = Frame(binary.LittleEndian.Uint32(b[4*i:]))
		if number != m.match.number {
			l.leaveAt[i] = 0
		}
		first = max(first, l.leaveAt[i])
	}
	reason := string(b[4*len(l.list):][:min(len(b)-4*len(l.list), maxReason)])
	m.events.add(Event{What: Left, Players: l.players, Frame: first, Text: reason})
	m.sendTo(l) // so that it need not wait
	if number == m.match.number {
		m.learnEnd(end)
	}
	m.departed(l, "it left: "+reason)
	return nil
}

// lose gives up a peer.
func (m *Machine) lose(l *link, why string) {
	if l.state == gone || m.phase == Over {
		return
	}
	was := l.state
	l.state = gone
	if was == leaving {
		m.departed(l, why)
		return
	}
	m.events.add(Event{What: Lost, Players: l.players, Frame: m.next(l.list[0]), Text: why})
	m.departed(l, why)
}

// departed goes on without a peer, or ends what cannot.
func (m *Machine) departed(l *link, why string) {
	switch {
	case m.phase == Ending:
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

// freeze stops the match at what we have of all players, and tells those who are
// left. The lowest of them decides where it ends: at the least that all have,
// which is at least what was agreed before, and nobody has to take anything back.
func (m *Machine) freeze() {
	e := &m.end
	if e.decided {
		m.tellEnd() // whoever told the others may be the one who is gone
		return
	}
	if !e.frozen {
		e.frozen, e.frozenAt = true, min(m.sim.Confirmed(), m.match.limit)
	}
	for _, l := range m.links {
		if l.state == connected {
			b := append(m.begins(messageFreeze), byte(e.lost), byte(e.left))
			m.post(l, binary.LittleEndian.AppendUint32(b, uint32(e.frozenAt)))
		}
	}
	m.decide()
}

// decide ends the match, if it is ours to decide and all have told what they have.
func (m *Machine) decide() {
	e := &m.end
	if !e.frozen || e.decided || m.phase != Playing {
		return
	}
	at := e.frozenAt
	for _, l := range m.links {
		if l.state != connected {
			continue
		}
		if lowest(l.players) < m.local[0] || !l.frozen || l.lost != e.lost {
			return
		}
		at = min(at, l.frozenAt)
	}
	m.apply(Entry{EntryEnd, e.lost, at})
	m.tellEnd()
}

// tellEnd tells all who are left where the match ends.
func (m *Machine) tellEnd() {
	for _, l := range m.links {
		if l.state == connected {
			m.sendEntry(l, Entry{EntryEnd, m.end.lost, m.match.limit})
		}
	}
}

func (m *Machine) sendEntry(l *link, e Entry) {
	b := append(m.begins(messageEntry), byte(e.Kind), byte(e.Players))
	m.post(l, binary.LittleEndian.AppendUint32(b, uint32(e.Frame)))
}

// apply ends the match where the log says. It may have to run some frames yet.
func (m *Machine) apply(e Entry) {
	m.log = append(m.log, e)
	m.end.decided = true
	m.match.limit = e.Frame
}

// learnEnd takes over what another peer knows: after how many frames the match
// ends. What is not possible is no news.
func (m *Machine) learnEnd(end Frame) {
	if m.phase != Playing || m.cfg.OnLeave != End || m.end.decided || end < m.sim.Agreed() || end > m.tellable() {
		return
	}
	m.end.frozen, m.end.frozenAt = true, m.tellable()
	m.apply(Entry{EntryEnd, m.end.lost, end})
}

// receiveFreeze is a peer that has stopped, since it has lost others.
func (m *Machine) receiveFreeze(l *link, b []byte) error {
	if len(b) != 6 {
		return datagram.ErrShort
	}
	if l.state != connected || m.cfg.OnLeave != End {
		return nil
	}
	lost, at := PlayerSet(b[0]), Frame(binary.LittleEndian.Uint32(b[2:]))
	switch {
	case m.end.decided || m.phase == Ending && !m.end.leaving:
		m.sendEntry(l, Entry{EntryEnd, m.end.lost, m.match.limit})
		return nil
	case m.phase != Playing:
		return nil
	}
	if lost&m.cfg.Local != 0 {
		m.lose(l, "it has lost us")
		return nil
	}
	l.frozen, l.frozenAt, l.lost = true, at, lost
	l.confirmed = max(l.confirmed, at)
	news := !m.end.frozen || lost&^m.end.lost != 0
	m.end.lost |= lost
	m.end.left |= PlayerSet(b[1]) & lost
	for _, other := range m.links {
		if other.state == connected && other.players&lost != 0 {
			other.state = gone
			e := Event{What: Lost, Players: other.players, Frame: m.next(other.list[0]), Text: "another peer has lost it"}
			if other.players&m.end.left != 0 {
				e.What, e.Text = Left, "another peer says so"
			}
			m.events.add(e)
		}
	}
	if news {
		m.freeze()
		return nil
	}
	m.decide()
	return nil
}

// receiveEntry is the decision of the lowest peer.
func (m *Machine) receiveEntry(l *link, b []byte) error {
	if len(b) != 6 {
		return datagram.ErrShort
	}
	e := Entry{EntryKind(b[0]), PlayerSet(b[1]), Frame(binary.LittleEndian.Uint32(b[2:]))}
	if m.phase != Playing || !m.end.frozen || m.end.decided {
		return nil
	}
	if e.Kind != EntryEnd || e.Frame > m.end.frozenAt || e.Frame < m.sim.Agreed() {
		return fmt.Errorf("an end at frame %d, where %d are agreed and %d confirmed", e.Frame, m.sim.Agreed(), m.end.frozenAt)
	}
	m.apply(e)
	return nil
}
