package session

import (
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// candidate is somebody who wants to join the match, as a member sees it: with a way
// of its own. It is one for all members, by its number.
type candidate struct {
	*link
	id   uint64
	told time.Duration // when others were last told of it

	revoked   bool // the token with which it came is no longer good: we do not let it in,
	revokedAt time.Duration
}

const (
	// maxCandidates is how many there are at a time.
	maxCandidates = 8
	// maxBehind is how far behind somebody may be who is ready to join, and tooFarBehind
	// how far one who was ready before: there are bounds to how early inputs may come.
	maxBehind, tooFarBehind = 30, 60
	// introduceEvery is the interval at which a newcomer is told who plays.
	introduceEvery = 250 * time.Millisecond
)

// place returns why these players cannot be somebody new, for somebody who may show
// their numbers in another way.
func (m *Machine) place(players PlayerSet, id uint64) string {
	switch {
	case !m.logged() || m.phase != Playing || !m.cfg.continues():
		return "there is no match that can be joined now"
	case players == 0 || players&^m.everybody() != 0:
		return "there are no such players"
	}
	s := m.core.State()
	if players&s.All() != 0 {
		return "the place is taken"
	}
	for _, c := range m.candidates {
		if c.players&players != 0 && c.id != id && !c.revoked && m.now-c.Heard < m.cfg.WarnAfter {
			return "somebody else is about to take the place"
		}
	}
	return ""
}

// candidateOf returns the candidate with a link, or nil.
func (m *Machine) candidateOf(l *link) *candidate {
	for _, c := range m.candidates {
		if c.link == l {
			return c
		}
	}
	return nil
}

// nominate makes room for a newcomer at an address. An earlier one for the same
// place is gone.
func (m *Machine) nominate(players PlayerSet, id uint64, addr netip.AddrPort) (c *candidate, fresh bool) {
	kept := m.candidates[:0]
	for _, old := range m.candidates {
		switch {
		case old.id == id:
			c = old
		case old.players&players != 0 || old.Addr == addr:
			m.core.Unready(old.players)
			continue
		}
		kept = append(kept, old)
	}
	clear(m.candidates[len(kept):])
	m.candidates = kept
	if c != nil || len(m.candidates) == maxCandidates {
		return c, false
	}
	l, err := m.newLink(Peer{Players: players, Addr: addr})
	if err != nil {
		return nil, false
	}
	l.Born, l.Heard, l.aside, l.follows = m.now, m.now, true, false
	c = &candidate{link: l, id: id}
	m.candidates = append(m.candidates, c)
	return c, true
}

// introduce tells a peer of a candidate.
func (m *Machine) introduce(l *link, c *candidate) {
	b := append(m.begins(messageCandidate), byte(c.players))
	b = appendAddr(le.AppendUint64(b, c.id), c.Addr)
	m.post(l, b)
}

// receiveCandidate is a newcomer at another member.
func (m *Machine) receiveCandidate(l *link, b []byte) error {
	if len(b) < 9 {
		return datagram.ErrShort
	}
	players, id := PlayerSet(b[0]), le.Uint64(b[1:])
	addr, rest, ok := consumeAddr(b[9:])
	if !ok || len(rest) > 0 || id == 0 {
		return datagram.ErrRange
	}
	if l.state == connected && m.place(players, id) == "" && !m.isLocal(id) {
		m.nominate(players, id, addr)
	}
	return nil
}

// appendAddr appends an address: its length, IP, and port.
func appendAddr(b []byte, a netip.AddrPort) []byte {
	ip := a.Addr().AsSlice()
	return le.AppendUint16(append(append(b, byte(len(ip))), ip...), a.Port())
}

func consumeAddr(b []byte) (a netip.AddrPort, rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0])+2 {
		return a, nil, false
	}
	n := int(b[0])
	ip, ok := netip.AddrFromSlice(b[1 : 1+n])
	a = netip.AddrPortFrom(ip.Unmap(), le.Uint16(b[1+n:]))
	return a, b[1+n+2:], ok && a.Port() != 0
}

// court goes on with those who want to join: the ways to them, and whether they are
// ready.
func (m *Machine) court() {
	if len(m.candidates) == 0 && (m.audience == nil || m.audience.Stats().Seats == 0) {
		return
	}
	kept := m.candidates[:0]
	for _, c := range m.candidates {
		if m.now-c.Heard > m.cfg.DropAfter || c.state == gone || c.revoked && m.now-c.revokedAt >= spectate.RevokedFor {
			m.core.Unready(c.players)
			continue
		}
		kept = append(kept, c)
		if (c.state == connecting || c.doubtful()) && m.now >= c.HelloDue() {
			m.sendHello(c.link)
		}
		switch agreed := m.sim.Agreed(); {
		case c.confirmed+tooFarBehind < agreed: // it has fallen back, as its host has gone, say
			m.core.Unready(c.players)
		case c.state == connected && c.follows && !c.revoked && c.confirmed+maxBehind >= agreed:
			m.core.Ready(c.players, c.id)
		}
	}
	clear(m.candidates[len(kept):])
	m.candidates = kept
	m.introduceAll()
}

// introduceAll tells our guests who plays, and the others of our guests.
func (m *Machine) introduceAll() {
	if m.audience == nil {
		return
	}
	for range m.audience.SeatMessages() {
		// A newcomer has nothing to say.
	}
	if m.now < m.introduced+introduceEvery {
		return
	}
	m.introduced = m.now
	for s := range m.audience.Seats() {
		if m.place(PlayerSet(s.Players), s.ID) != "" {
			continue // somebody else is nearer, or has the place by now
		}
		c, fresh := m.nominate(PlayerSet(s.Players), s.ID, s.Addr)
		if c == nil {
			continue
		}
		if fresh || m.now >= c.told+4*introduceEvery {
			c.told = m.now // again, as others may have given it up, or not have had a place
			for l := range m.ways() {
				if l.state == connected && l != c.link {
					m.introduce(l, c)
				}
			}
		}
		_ = m.audience.SendSeat(s.ID, m.roll(m.message[:0])) // again soon
	}
}

// roll is who plays, for a newcomer.
func (m *Machine) roll(b []byte) []byte {
	b = le.AppendUint32(b, m.match.number)
	b = m.core.State().Append(b)
	b = append(b, byte(m.cfg.Local))
	for _, l := range m.links {
		if m.ours(l) {
			b = appendAddr(append(b, byte(l.players)), l.Addr)
		}
	}
	m.message = b
	return b
}

// ways yields the links to members and candidates.
func (m *Machine) ways() iter.Seq[*link] {
	return func(yield func(*link) bool) {
		for _, l := range m.links {
			if !yield(l) {
				return
			}
		}
		for _, c := range m.candidates {
			if !yield(c.link) {
				return
			}
		}
	}
}

// admit takes in somebody, by the log.
func (m *Machine) admit(e *membership.Entry) {
	m.note(EntryJoin, e.Players, e.Frame)
	m.disinherit(e)
	m.match.revokedFor &^= e.Players
	m.events.add(Event{What: Joined, Players: e.Players, Frame: e.Frame})
	ours := m.observing() && m.joining.id == e.ID
	if ours && max(m.joining.agreed, m.sim.Confirmed()) > e.Frame {
		m.fail(&RemovedError{Frame: e.Frame}) // frames are agreed without us from there on: we are out again
		return
	}
	for p := range e.Players.All() {
		if m.observing() && !ours {
			continue // the stream says from when on they are there
		}
		m.history[p].Start(m.sim.inputSize(), uint32(e.Frame), nil)
		m.orders[p].clear()
		if err := m.sim.Connect(p, e.Frame); err != nil {
			m.fail(err)
			return
		}
	}
	if ours {
		m.joined(e.Frame)
		return
	}
	var l *link
	kept := m.candidates[:0]
	for _, c := range m.candidates {
		switch {
		case c.id == e.ID && c.players == e.Players:
			l = c.link
		case c.players&e.Players == 0: // who else has wanted the place has come too late
			kept = append(kept, c)
		}
	}
	clear(m.candidates[len(kept):])
	m.candidates = kept
	if l == nil { // it was here when we said so, and is no more; or we are about to join, and learn later where it is
		var err error
		if l, err = m.newLink(Peer{Players: e.Players}); err != nil {
			m.fail(err)
			return
		}
		l.state, l.Heard = gone, m.now
	}
	if l.state != connected && !m.observing() {
		m.core.Depart(e.Players)
	}
	if m.seat(l); m.observing() {
		l.follows = true // the first to tell its position is the one that wants to be let in
	}
	m.takeOver(l, uint32(e.Frame))
	m.owe(l, e.Frame)
	l.compares(e.Frame, Frame(m.cfg.ChainEvery))
}

// seat makes a link that of a member.
func (m *Machine) seat(l *link) {
	l.aside = m.observing()
	at := -1
	for i, old := range m.links {
		if old.players == l.players && old.state == gone {
			at = i
		}
	}
	if at < 0 {
		m.links = append(m.links, l)
	} else {
		m.links[at] = l
	}
	for _, p := range l.list {
		m.at[p] = l
	}
}

// compares begins the comparison of states with a peer, behind frame at.
func (l *link) compares(at, every Frame) {
	from := at / every * every
	l.chain = stream.ToldFrom(from)
	l.chainFrom = from
}

// isLocal reports whether a candidate is ourselves.
func (m *Machine) isLocal(id uint64) bool { return m.joining != nil && m.joining.id == id }
