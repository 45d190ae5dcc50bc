package session

import (
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/wire/datagram"
)

// resign leaves a match that goes on: our players do nothing for as many frames as the
// log takes to say that they leave, so that nobody waits for them.
func (m *Machine) resign(reason string) {
	m.end.playing = true
	m.silence(reason)
	at := Frame(0)
	for _, p := range m.local {
		at = max(at, m.next(p))
	}
	if m.core.State().Len() > 1 && m.cfg.continues() {
		at += m.lead()
	}
	for _, p := range m.local {
		m.rest(p, at)
	}
	if err := m.core.Ask(membership.Wish{Kind: membership.Leave, Players: m.cfg.Local, Frame: at}); err != nil {
		m.enterOver(m.end.why)
		return
	}
	m.enterEnding()
	m.progress()
	m.sendAll()
}

// silence tells the others why we leave; when, the log says.
func (m *Machine) silence(reason string) {
	for _, l := range m.links {
		if l.state == connected {
			b := m.begins(messageLeave)
			for range m.local {
				b = le.AppendUint32(b, uint32(NoFrame))
			}
			m.message = append(b, cut(reason)...)
			_ = l.Channel.Send(m.message)
		}
	}
}

// rest gives a player who plays here inputs in which it does nothing, up to a frame.
func (m *Machine) rest(p Player, to Frame) {
	h := &m.history[p]
	m.scratch = append(m.scratch[:0], make([]byte, m.sim.inputSize())...)
	for h.Next() < uint32(to) {
		f := h.Next()
		h.Push(m.scratch)
		if m.cfg.MaxOrders > 0 {
			m.sampledOrders(p, f, nil)
		}
	}
}

// farewellOf takes note of why somebody leaves, and with a log of whether it waits for
// its entry.
func (m *Machine) farewellOf(l *link, reason string, orderly bool) {
	l.why, l.said = reason, true
	if !orderly {
		m.core.Depart(l.players)
		l.state = gone
	}
}

// Kick sends players away: those of whole machines. Only the host can, while a match
// is played. A peer that follows the rules leaves by itself, so that nobody has to
// wait; any other one is taken out by the rest two seconds later. Errors: [ErrNotHost],
// [ErrPhase], [*membership.WishError].
func (m *Machine) Kick(players PlayerSet, reason string) error {
	switch {
	case !m.cfg.host():
		return ErrNotHost
	case !m.logged() || !m.cfg.continues() || m.phase != Playing || !m.core.Member():
		return phaseError("players are kicked from a match that goes on without them, by the host who is in it")
	}
	if s := m.core.State(); players == 0 || s.Whole(players) != players || players&m.cfg.Local != 0 {
		wish := membership.Wish{Kind: membership.Kick, Players: players}
		return &membership.WishError{Wish: wish, Why: "they are not all players of other machines of the match"}
	}
	m.match.kicked |= players
	m.match.kickedAt = m.now
	m.revoke(players)
	for _, l := range m.links {
		if l.players&players != 0 && l.state == connected {
			l.why = "kicked: " + cut(reason)
			m.post(l, append(m.begins(messageKick), cut(reason)...))
		}
	}
	m.tend()
	return nil
}

// kickGrace is how long somebody who is sent away has to leave by itself.
const kickGrace = 2 * time.Second

// insist has those taken out who were sent away, and do not go.
func (m *Machine) insist() {
	t := &m.match
	if t.kicked &= m.core.State().All(); t.kicked == 0 || m.now < t.kickedAt+kickGrace {
		return
	}
	_ = m.core.Ask(membership.Wish{Kind: membership.Kick, Players: t.kicked}) // refused if they have gone
	t.kicked = 0
}

// receiveKick is the host that sends us away. No other peer can.
func (m *Machine) receiveKick(l *link, reason string) error {
	if !l.players.Has(0) {
		return datagram.ErrKind
	}
	if !m.logged() || !m.cfg.continues() || m.phase != Playing || m.end.leaving || l.state != connected || !m.ours(l) {
		return nil
	}
	m.end.leaving = true
	m.end.why = &RemovedError{Frame: m.frame, Kicked: true, Reason: reason}
	m.resign("kicked: " + reason)
	return nil
}
