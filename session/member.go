package session

import (
	"time"

	"github.com/tickback/tickback/session/membership"
)

// The peers agree on who is in the match by a log (package membership). Here it is driven: it
// gets what is known of the peers, and what it decides is done.

// roster is what the log needs to know about the match.
type roster struct{ *Machine }

func (r roster) Next(p Player) Frame { return r.sim.Next(p) }

func (r roster) Floor() Frame { return max(r.frame, r.sim.Confirmed()) }

// beginLog starts the log of a match, with those that begin it.
func (m *Machine) beginLog(founders PlayerSet) {
	m.core, m.coreDue, m.candidates = nil, membership.Never, m.candidates[:0]
	if !m.cfg.shared() || m.joining != nil {
		return
	}
	members, absent := []PlayerSet{m.cfg.Local}, m.cfg.everybody()&^m.cfg.Local
	for _, l := range m.links {
		switch here := l.players&^founders == 0; {
		case here:
			members = append(members, l.players)
			absent &^= l.players
		case l.state != gone:
			m.reset(l, "the host has lost it")
		}
	}
	m.core = membership.New(m.cfg.Local, membership.Begin(members, absent), roster{m}, m.logConfig(0))
	for p := range absent.All() {
		m.disconnect(p, 0)
	}
	for _, l := range m.links {
		if l.state == gone {
			m.core.Depart(l.players) // the host has not noticed yet that it is gone
		}
	}
}

// logConfig returns the configuration of the log, which all members share but for the id.
func (m *Machine) logConfig(id uint64) membership.Config {
	return membership.Config{ID: id, Kickers: PlayerSet(1), Sets: m.cfg.sets(), Lazy: m.cfg.OnLeave != Continue}
}

// logged reports whether the log decides who is in the present match.
func (m *Machine) logged() bool {
	return m.core != nil && (m.phase == Playing || m.phase == Ending)
}

// ours reports whether a peer is a member by the log.
func (m *Machine) ours(l *link) bool { return m.core != nil && m.core.State().Has(l.players) }

// ousted reports whether the log has taken a peer out of the match that may not know it.
func (m *Machine) ousted(l *link) bool {
	return l.state == gone && m.logged() && !m.core.State().Has(l.players) && !m.toTheEnd(l.players)
}

// tend polls the log.
func (m *Machine) tend() {
	if m.phase != Playing && m.phase != Ending {
		return
	}
	m.endPause()
	if m.core == nil {
		return
	}
	m.core.Accuse(m.unheard() | unseen(m))
	m.court()
	m.insist()
	m.furnish()
	if m.core.Quiet() && m.now < m.coreDue {
		return
	}
	m.coreDue = m.core.Poll(m.now, m.frame+m.lead())
	m.heed()
	m.hurry()
}

// heed does what the log has decided, and sends its messages.
func (m *Machine) heed() {
	for e, ok := m.core.Next(); ok && m.phase != Over; e, ok = m.core.Next() {
		m.enact(&e)
	}
	for to, b := range m.core.Outgoing() {
		if l := m.wayTo(to); l != nil && l.state != connecting {
			_ = l.Channel.Send(append(m.begins(messageMember), b...)) // a peer that takes nothing will fall silent
			m.news[lowest(to)] = l
		}
	}
	m.fill()
	for p := range (m.cfg.everybody() &^ m.cfg.Local).All() {
		if err := m.inputs.Limit(p, m.core.Limit(p)); err != nil {
			m.lose(m.at[p], "an input: "+err.Error())
		}
	}
}

// hurry has the messages of the log sent again in each datagram until they have arrived. If
// frames wait for a decision, since inputs are stopped or a gate is set, it sends them at once. It
// is called once for all messages of a datagram.
func (m *Machine) hurry() {
	news := m.news
	m.news = [MaxPlayers]*link{}
	if m.phase != Playing || m.core == nil || m.core.Quiet() || news == m.news {
		return
	}
	waits := m.core.Stopped() != 0 || m.core.Gate() != NoFrame
	for _, l := range news {
		if l == nil {
			continue
		}
		if !m.eagerly {
			m.eager(true)
		}
		if waits {
			m.sendTo(l)
		}
	}
}

// receiveMember takes a message for the log.
func (m *Machine) receiveMember(l *link, b []byte) error {
	if m.core == nil || l.state == connecting || m.match.number != m.lobby.Number() || !m.inMatch() {
		return nil
	}
	err := m.core.Receive(l.players, b)
	m.heed()
	return err
}

// unheard returns the players of the peers that have been silent for too long. Time before we
// became a member does not count.
func (m *Machine) unheard() PlayerSet {
	return m.whose(func(l *link) bool {
		return (l.state == connected || l.state == connecting) && m.now-max(l.Heard, m.match.member) > m.cfg.DropAfter
	})
}

// unseen returns the players of the peers that have joined the match and do not play, although only their inputs are
// lacking. Such a peer may be heard all the time: it does not hear us, and does not know that it is a member.
func unseen(m *Machine) PlayerSet {
	return m.whose(func(l *link) bool {
		switch {
		case l.expected == 0 || l.state != connected:
			return false
		case m.inputs.Next(l.List[0]) > l.joined:
			l.expected = 0
			return false
		case m.match.stands(m.frame) || m.sim.Confirmed() < l.joined: // in a pause nobody plays, or others are lacking as well
			l.expected = m.now
		}
		return m.now-l.expected > m.cfg.DropAfter
	})
}

const (
	// leadTrips is how many round trips it takes until all peers know a decision. leadTime allows for
	// tick periods, and for a lost datagram.
	leadTrips = 3
	leadTime  = 50 * time.Millisecond
)

// lead returns how many frames ahead a decision of now takes effect, so that nobody has to wait
// for it.
func (m *Machine) lead() Frame {
	return min(Frame((leadTrips*m.farthest()+leadTime)/m.nominal)+1, m.cfg.ahead()/2)
}

// fill sends inputs of stopped players to members that lack them.
func (m *Machine) fill() {
	for f := range m.core.Fills() {
		if l := m.wayTo(f.To); l != nil {
			m.sendFill(l, f.Player, f.From, f.End)
		}
	}
}

// sendFill sends a peer the inputs of another player, as far as they are here.
func (m *Machine) sendFill(l *link, p Player, from, end Frame) {
	for l.state != connecting && from < end {
		b, next := m.inputs.AppendFill(m.begins(messageFill), p, from, end)
		if next == from {
			return
		}
		m.post(l, b)
		from = next
	}
}

// receiveFill takes inputs of a player that is stopped or has left, from a member that has them.
func (m *Machine) receiveFill(l *link, b []byte) error {
	return m.inputs.TakeFill(b, func(p Player, f Frame) bool {
		inherits := m.end.removed != nil && m.ours(l) && f < m.match.limit
		return m.core != nil && m.inMatch() && (m.core.Takes(l.players, p) || m.lacks(l, p, f) || inherits) && f == m.sim.Next(p)
	})
}
