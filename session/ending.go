package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// How a match ends when somebody is gone (OnLeave: End), for those who are left and
// connected to each other:
//
//  1. Who notices, or hears from another who has noticed, stops: no frame runs,
//     nothing more is agreed, and nothing more is told than what it has of all
//     players now (frozenAt). It tells the others: a freeze. So what anybody has
//     agreed on, ever, is at most the frozenAt of everybody.
//  2. The lowest of those who are left decides, when it has a freeze from each of
//     the others that names the same players as gone: the match ends at the least
//     frozenAt. Everybody has these frames, and nobody has to take anything back.
//  3. Who decides, or hears of the decision for the first time, tells all others: an
//     entry of the log. So it survives as long as anybody who knows it does, and
//     from then on is only ever repeated.
//
// If more are lost meanwhile, their players are added, and 1 and 2 are done again
// with the same frozenAt.

// ending is how a match comes to its end.
type ending struct {
	playing bool          // inputs are still sent
	since   time.Duration // when Ending began
	leaving bool          // we leave,
	why     error         // for this reason
	// resigned: with a log, it has us as one who has left.
	resigned bool
	lost     PlayerSet // who is no longer there
	left     PlayerSet // those of them who have said so

	frozen   bool  // somebody is gone: no frame runs until the end is decided
	frozenAt Frame // what we had of all players then
	decided  bool
	outcome  Outcome
	over     bool // there is an outcome
}

// freeze is step 1.
func (m *Machine) freeze() {
	e := &m.end
	if e.decided {
		m.tellEnd() // whoever told the others may be the one who is gone
		return
	}
	if !e.frozen {
		at := m.tellable()
		e.frozen, e.frozenAt = true, at
	}
	for _, l := range m.links {
		if l.state == connected {
			m.sendFreeze(l)
		}
	}
	m.decide()
}

func (m *Machine) sendFreeze(l *link) {
	b := append(m.begins(messageFreeze), byte(m.end.lost), byte(m.end.left))
	m.post(l, le.AppendUint32(b, uint32(m.end.frozenAt)))
}

// receiveFreeze is a peer that has stopped. It may have begun the match before us.
func (m *Machine) receiveFreeze(l *link, b []byte) error {
	if len(b) != 6 {
		return datagram.ErrShort
	}
	lost, left, at := PlayerSet(b[0]), PlayerSet(b[1]), Frame(le.Uint32(b[2:]))
	if m.cfg.OnLeave != End || !m.inMatch() || m.end.leaving {
		return nil
	}
	if l.state == gone {
		m.dismiss(l)
		return nil
	}
	if m.end.decided || m.phase == Ending {
		m.sendEntry(l, Entry{EntryEnd, m.end.lost | lost, m.match.limit})
		return nil
	}
	if lost&m.cfg.Local != 0 {
		m.lose(l, "it has lost us")
		return nil
	}
	if lost == 0 || lost&l.players != 0 || lost&^m.everybody() != 0 || at < l.confirmed || at > m.sampled() {
		return datagram.ErrRange // for nobody's sake, less than it has told, or more than anybody can have
	}
	l.frozen, l.frozenAt, l.lost = true, at, lost
	l.confirmed = at
	m.thaw(lost, left)
	return nil
}

// thaw takes over who is gone, and decides or stops.
func (m *Machine) thaw(lost, left PlayerSet) {
	if m.phase != Playing {
		return // begin comes back to it
	}
	news := !m.end.frozen || lost&^m.end.lost != 0
	m.end.lost |= lost
	m.end.left |= left & lost
	for _, l := range m.links {
		if l.state != connected || l.players&m.end.lost == 0 {
			continue
		}
		l.state = gone
		e := Event{What: Lost, Players: l.players, Frame: m.next(l.list[0]), Text: "another peer has lost it"}
		if l.players&m.end.left != 0 {
			e.What, e.Text = Left, "another peer says so"
		}
		m.events.add(e)
	}
	if news {
		m.freeze()
		return
	}
	m.decide()
}

// dismiss tells a peer that we have given up, and that does not know it: once, since
// the control stream repeats it with each answer to a datagram of the peer's own.
func (m *Machine) dismiss(l *link) {
	if m.end.frozen && !l.dismissed {
		l.dismissed = true
		m.sendFreeze(l)
	}
}

// decide is step 2.
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
}

// apply is step 3. The match may have some frames to run yet.
func (m *Machine) apply(e Entry) {
	m.note(e)
	m.end.decided = true
	m.match.limit = e.Frame
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
	m.post(l, le.AppendUint32(b, uint32(e.Frame)))
}

// receiveEntry is a decision, from who made it or from who has heard of it.
func (m *Machine) receiveEntry(l *link, b []byte) error {
	if len(b) != 6 {
		return datagram.ErrShort
	}
	e := Entry{EntryKind(b[0]), PlayerSet(b[1]) & m.everybody(), Frame(le.Uint32(b[2:]))}
	if m.phase != Playing || l.state != connected || m.end.decided || m.cfg.OnLeave != End {
		return nil
	}
	if e.Players&m.cfg.Local != 0 {
		m.lose(l, "it has lost us")
		return nil
	}
	if e.Players == 0 || e.Players&l.players != 0 {
		return datagram.ErrRange
	}
	most := m.tellable()
	if e.Kind != EntryEnd || e.Frame > most || e.Frame < m.sim.Agreed() {
		return fmt.Errorf("an end at frame %d, where %d are agreed and %d confirmed", e.Frame, m.sim.Agreed(), most)
	}
	m.end.frozen, m.end.frozenAt = true, most
	m.end.lost |= e.Players
	m.apply(e)
	return nil
}

// everybody is the set of all players.
func (m *Machine) everybody() PlayerSet { return PlayerSet(1<<m.cfg.Players - 1) }

// sampled is the number of frames of which all our inputs have been made: more
// nobody can have.
func (m *Machine) sampled() Frame {
	n := NoFrame
	for _, p := range m.local {
		n = min(n, m.next(p))
	}
	return n
}
