package session

import (
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/wire/datagram"
)

// What a match is without somebody, or with somebody more, its peers agree on by a
// log (package membership). Here it is driven: what is known of the peers goes in, and
// what is decided is done.

// roster is the match as its log needs it.
type roster struct{ *Machine }

func (r roster) Next(p Player) Frame { return r.sim.Next(p) }

func (r roster) Floor() Frame { return max(r.frame, r.sim.Confirmed()) }

// beginLog begins the log of a match, with all who are connected.
func (m *Machine) beginLog() {
	m.core, m.coreDue, m.candidates = nil, membership.Never, m.candidates[:0]
	if !m.shared() || m.joining != nil {
		return
	}
	members, absent := []PlayerSet{m.cfg.Local}, m.everybody()&^m.cfg.Local
	for _, l := range m.links {
		switch here := l.players&^m.lobby.founders == 0; {
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
			m.core.Depart(l.players) // the host has not missed it yet
		}
	}
}

// logConfig is what all members have in common.
func (m *Machine) logConfig(id uint64) membership.Config {
	return membership.Config{ID: id, Kickers: PlayerSet(1), Lazy: m.cfg.OnLeave != Continue}
}

// shared reports whether there are others in the match, or can be.
func (m *Machine) shared() bool { return m.cfg.shared() }

// logged reports whether who is in the match at hand is for the log to say.
func (m *Machine) logged() bool {
	return m.core != nil && (m.phase == Playing || m.phase == Ending)
}

// ours reports whether the log has a peer as a member.
func (m *Machine) ours(l *link) bool { return m.core != nil && m.core.State().Has(l.players) }

// ousted reports whether the log has taken somebody out of the match who may not know it.
func (m *Machine) ousted(l *link) bool {
	return l.state == gone && m.logged() && !m.core.State().Has(l.players) && !m.toTheEnd(l.players)
}

// tend goes on with the log.
func (m *Machine) tend() {
	if m.phase != Playing && m.phase != Ending {
		return
	}
	m.endPause()
	if m.core == nil {
		return
	}
	if m.logged() {
		m.core.Accuse(m.unheard())
		m.court()
	}
	m.insist()
	m.furnish()
	if m.core.Quiet() && m.now < m.coreDue {
		return
	}
	m.coreDue = m.core.Poll(m.now, m.frame+m.lead())
	m.heed()
	m.hurry()
}

// heed does what the log has decided, and sends what it has to say.
func (m *Machine) heed() {
	for e, ok := m.core.Next(); ok && m.phase != Over; e, ok = m.core.Next() {
		m.enact(&e)
	}
	for to, b := range m.core.Outgoing() {
		if l := m.wayTo(to); l != nil && l.state != connecting {
			_ = l.Channel.Send(append(m.begins(messageMember), b...)) // its silence will be noticed
			m.news[lowest(to)] = l
		}
	}
	m.fill()
	for p := range (m.everybody() &^ m.cfg.Local).All() {
		limit := m.core.Limit(p)
		if m.history[p].SetLimit(uint32(limit)); limit == NoFrame {
			m.released(p)
		}
	}
}

// hurry has what the log has to say sent again in each datagram until it has arrived, and
// at once if frames wait for it, since nobody's inputs are taken, or none run from a frame
// on: once for all that a datagram has brought.
func (m *Machine) hurry() {
	news := m.news
	m.news = [maxPlayers]*link{}
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

// wayTo returns the link to exactly these players, or nil: rather to those who are
// there, or about to come, than to those who were.
func (m *Machine) wayTo(players PlayerSet) (found *link) {
	for _, l := range m.links {
		if l.players == players {
			if found = l; l.state != gone {
				return l
			}
		}
	}
	for _, c := range m.candidates {
		if c.players == players && c.state == connected {
			return c.link
		}
	}
	return found
}

// receiveMember is a message of another one's log.
func (m *Machine) receiveMember(l *link, b []byte) error {
	if m.core == nil || l.state == connecting || m.match.number != m.matchAtHand() || !m.inMatch() {
		return nil
	}
	err := m.core.Receive(l.players, b)
	m.heed()
	return err
}

// unheard returns who has been silent for too long: to a newcomer, since it is a member.
func (m *Machine) unheard() (players PlayerSet) {
	for _, l := range m.links {
		if (l.state == connected || l.state == connecting) && m.now-max(l.Heard, m.match.member) > m.cfg.DropAfter {
			players |= l.players
		}
	}
	return players
}

const (
	// leadTrips is how many round trips it takes until all know what has been decided,
	// with one to spare, and leadTime what comes on top: tick periods, lost datagrams.
	leadTrips = 4
	leadTime  = 100 * time.Millisecond
)

// lead is how many frames ahead what is decided now takes effect, so that nobody has
// to wait for it.
func (m *Machine) lead() Frame {
	way := time.Duration(0)
	for _, l := range m.links {
		if l.state == connected {
			way = max(way, l.RoundTrip.Smoothed+2*l.RoundTrip.Deviation)
		}
	}
	return min(Frame((leadTrips*way+leadTime)/m.nominal)+1, m.ahead/2)
}

// fill sends those who lack inputs of a player that is stopped the ones that are here.
func (m *Machine) fill() {
	for f := range m.core.Fills() {
		if l := m.wayTo(f.To); l != nil {
			m.sendFill(l, f.Player, f.From, f.End)
		}
	}
}

// sendFill sends a peer inputs of somebody else, as far as they are here.
func (m *Machine) sendFill(l *link, p Player, from, end Frame) {
	for l.state != connecting && from < end && m.sim.has(p, from) {
		b := append(m.begins(messageFill), byte(p))
		b = le.AppendUint32(b, uint32(from))
		for ; len(b) < fillSize && from < end && m.sim.has(p, from); from++ {
			at := len(b)
			b = append(b, 0, 0)
			var orders []byte
			b, orders = m.sim.input(b, p, from)
			le.PutUint16(b[at:], uint16(len(orders)))
			b = append(b, orders...)
		}
		m.post(l, b)
	}
}

// fillSize is how many bytes of inputs a message has at least, if there are more.
const fillSize = 2 << 10

// receiveFill is inputs of somebody who is stopped or has left, from a survivor who has
// them.
func (m *Machine) receiveFill(l *link, b []byte) error {
	if len(b) < 5 {
		return datagram.ErrShort
	}
	p, f, b := Player(b[0]), Frame(le.Uint32(b[1:])), b[5:]
	if !m.everybody().Has(p) || m.cfg.Local.Has(p) {
		return datagram.ErrRange
	}
	for size := m.sim.inputSize(); len(b) > 0; f++ {
		if len(b) < 2+size {
			return datagram.ErrShort
		}
		n := int(le.Uint16(b))
		input, rest := b[2:2+size], b[2+size:]
		if n > m.cfg.MaxOrders || n > len(rest) {
			return datagram.ErrRange
		}
		if m.core != nil && m.inMatch() && (m.core.Takes(l.players, p) || m.lacks(l, p, f) || m.inherits(l, f)) && f == m.sim.Next(p) {
			if err := m.sim.receive(p, f, input, rest[:n]); err != nil {
				return err
			}
		}
		b = rest[n:]
	}
	return nil
}
