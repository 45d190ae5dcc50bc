package session

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// admitting lets players join the running match: it sends them the member list and the inputs that they lack.
type admitting struct {
	readers
	introduced  time.Duration // when the member list was last sent to newcomers
	memberSince time.Duration // when we became a member of the match, if we joined
}

// resetAdmission forgets the newcomers of the last match.
func (m *admitting) resetAdmission() {
	m.dropNewcomers(func(*newcomer) bool { return true })
	m.memberSince = 0
}

// newcomer is a machine that wants to join the match, as seen by a member. Its ID is the same at all members.
type newcomer struct {
	*link
	id   uint64
	told time.Duration // when the other members were last told about it

	revoked   bool // its token was revoked, so we do not admit it
	revokedAt time.Duration
}

const (
	// maxNewcomers is the maximum number of newcomers at a time.
	maxNewcomers = MaxPlayers
	// maxBehind is how many frames behind a newcomer may be to become ready, and tooFarBehind to stay ready: half a
	// second and a second at DefaultTickRate. It is the same time at higher rates, because part of that lag is the
	// round trip. At most mostBehind frames are kept for it.
	maxBehind, tooFarBehind, mostBehind = 30, 60, 360
	// introduceEvery is the interval at which the member list is sent to a newcomer.
	introduceEvery = 250 * time.Millisecond
)

// behind returns how many frames behind a newcomer may be to become ready, and to stay ready.
func (c *Config) behind() (ready, stays Frame) {
	stays = Frame(min(max(atRate(tooFarBehind, c.TickRate), tooFarBehind), mostBehind))
	return min(max(Frame(atRate(maxBehind, c.TickRate)), maxBehind), stays*5/6), stays
}

// whyNotJoin returns why these players cannot join, or "" if they can. The text contains no player numbers, which
// an application may display differently.
func (m *admitting) whyNotJoin(players PlayerSet, id uint64) string {
	switch {
	case !m.logged() || m.phase != Playing || !m.cfg.continues():
		return "there is no match that can be joined now"
	case players == 0 || players&^m.cfg.everybody() != 0:
		return "there are no such players"
	}
	s := m.match.Log().State()
	if players&s.All() != 0 {
		return "the place is taken"
	}
	for _, c := range m.newcomers {
		if c.players&players != 0 && c.id != id && !c.revoked && m.now-c.Heard < m.cfg.WarnAfter {
			return "somebody else is about to take the place"
		}
	}
	return ""
}

// addNewcomer returns the newcomer with these players, which may be a spectator here (guest), and whether it is
// new. It replaces an earlier newcomer for the same players or at the same address.
func (m *admitting) addNewcomer(players PlayerSet, id uint64, addr netip.AddrPort, guest bool) (c *newcomer, fresh bool) {
	m.dropNewcomers(func(old *newcomer) bool {
		switch {
		case old.id == id:
			c = old
			return false
		case old.players&players == 0 && old.Addr != addr:
			return false
		}
		m.match.Log().Unready(old.players)
		return true
	})
	if c != nil || len(m.newcomers) == maxNewcomers {
		return c, false
	}
	var way *peer.Link
	if guest {
		way = m.audience.Link(id)
	}
	c = &newcomer{link: m.newcomerLink(Peer{players, addr}, way), id: id}
	m.putNewcomer(c)
	return c, true
}

// receiveIntroduction handles the message about a newcomer at another member.
func (m *admitting) receiveIntroduction(l *link, b []byte) error {
	players, b, err := m.cfg.consumeSet(b)
	if err != nil {
		return err
	}
	if len(b) < 8 {
		return datagram.ErrShort
	}
	id := le.Uint64(b)
	addr, rest, ok := consumeAddr(b[8:])
	if !ok || len(rest) > 0 || id == 0 {
		return datagram.ErrRange
	}
	if l.state == connected && m.whyNotJoin(players, id) == "" && !m.lateJoin.is(id) {
		m.addNewcomer(players, id, addr, false)
	}
	return nil
}

// seekPlaces reports whether somebody wants to join.
func (m *admitting) seekPlaces() bool {
	return len(m.newcomers) > 0 || m.audience != nil && m.audience.Stats().Newcomers > 0
}

// connectNewcomers connects to newcomers, and tells the log which of them are ready.
func (m *admitting) connectNewcomers() {
	if !m.seekPlaces() {
		return
	}
	ready, stays := m.cfg.behind()
	m.dropNewcomers(func(c *newcomer) bool {
		if m.now-c.Heard > m.cfg.DropAfter || c.state == gone || m.isExpired(c) {
			m.match.Log().Unready(c.players)
			return true
		}
		m.sendHello(c.link)
		switch agreed := m.sim.Agreed(); {
		case c.confirmed+stays < agreed: // it has fallen behind, perhaps because its host is gone
			m.match.Log().Unready(c.players)
		case c.state == connected && c.follows && !c.revoked && c.confirmed+ready >= agreed:
			m.match.Log().Ready(c.players, c.id)
		}
		return false
	})
	m.introduceAll()
}

// isExpired reports whether the time of a newcomer with a revoked token is up. It gets more time while the log may
// still admit it: members that sleep can take longer to decide.
func (m *admitting) isExpired(c *newcomer) bool {
	return c.revoked && m.now-c.revokedAt >= spectate.RevokedFor && !m.match.Log().MayJoin(c.players, c.id)
}

// introduceAll sends the member list to the newcomers that are connected here as spectators, and introduces them to
// the other peers.
func (m *admitting) introduceAll() {
	if m.audience == nil {
		return
	}
	if m.now < m.introduced+introduceEvery {
		return
	}
	m.introduced = m.now
	for s := range m.audience.Newcomers() {
		if m.whyNotJoin(PlayerSet(s.Players), s.ID) != "" {
			continue // another newcomer is closer to joining, or the place has been taken
		}
		c, fresh := m.addNewcomer(PlayerSet(s.Players), s.ID, s.Addr, true)
		if c == nil {
			continue
		}
		if fresh || m.now >= c.told+4*introduceEvery {
			c.told = m.now // repeated, since others may have given it up, or had no room for it
			b := m.cfg.appendSet(m.begins(messageNewcomer), c.players)
			b = appendAddr(le.AppendUint64(b, c.id), c.Addr)
			for l := range m.allLinks() {
				if l.state == connected && l != c.link {
					m.post(l, b)
				}
			}
		}
		r := m.memberList(m.match.Number(), m.cfg.Local, m.match.Log().State())
		m.audience.SendMemberList(s.ID, m.keep(r.append(m.message[:0], m.cfg.sets())))
	}
}

// admit carries out a log entry that makes players join.
func (m *admitting) admit(e *membership.Entry) {
	ours := m.lateJoin.observing() && m.lateJoin.id == e.ID
	if ours && max(m.lateJoin.agreed, m.sim.Confirmed()) > e.Frame {
		m.fail(&RemovedError{Frame: e.Frame}) // later frames are agreed without us: we are out again
		return
	}
	for p := range e.Players.All() {
		if m.lateJoin.observing() && !ours {
			continue // the stream says from which frame on they are present
		}
		m.inputs.Start(p, e.Frame)
		m.inputs.Forget(p)
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
	m.dropNewcomers(func(c *newcomer) bool {
		if c.id == e.ID && c.players == e.Players {
			l = c.link
		}
		return c.players&e.Players != 0 // another newcomer that wanted the same place is too late
	})
	if l == nil { // we have given it up since it was ready, or we are joining, and learn its address later
		l = m.newLink(Peer{Players: e.Players})
		l.state, l.Heard = gone, m.now
	}
	if l.state != connected && !m.lateJoin.observing() {
		m.match.Log().MarkGone(e.Players)
	}
	l.notBothMembers = m.lateJoin.observing()
	if m.add(l); m.lateJoin.observing() {
		l.follows = true // we send our position first, since we want to be admitted
	}
	l.joined, l.expected = e.Frame, m.now
	m.inputs.Join(&l.Peer, e.Frame)
	m.startBackfill(l, e.Frame)
	l.compares(e.Frame, Frame(m.cfg.ChainEvery))
}

// compares starts the comparison of states with a peer, from the interval that contains frame at.
func (l *link) compares(at, every Frame) {
	from := at / every * every
	l.chain = stream.ToldFrom(from)
	l.chainFrom = from
}

// newLink creates the link to a peer that has not answered yet.
func (m *admitting) newLink(p Peer) *link {
	return m.linkBy(peer.NewLink(p.Addr, m.cfg.Random(), m.nominal, pace.Beginning), p.Players)
}

// linkBy creates the link to a peer with these players on a connection.
func (m *admitting) linkBy(way *peer.Link, players PlayerSet) *link {
	l := &link{Link: way, players: players}
	l.follows = true
	way.Channel.SetEager(true) // as with m.eagerly
	l.Peer = m.inputs.Peer(slices.Collect(players.All()))
	return l
}

// newcomerLink creates the link between a newcomer and a member. If the newcomer's stream comes from that member,
// way is its connection.
func (m *admitting) newcomerLink(p Peer, way *peer.Link) (l *link) {
	if way != nil {
		l = m.linkBy(way, p.Players)
		l.state = connected
	} else {
		l = m.newLink(p)
	}
	l.Born, l.Heard, l.notBothMembers, l.follows = m.now, m.now, true, false
	return l
}

// joined makes us a member, starting with frame at.
func (m *admitting) joined(at Frame) {
	if err := m.lateJoin.applyPending(m.match.AllEntries(), m.frame); err != nil {
		m.fail(err)
		return
	}
	for _, l := range m.links {
		l.notBothMembers = false
		l.Needs(at)
		l.compares(at, Frame(m.cfg.ChainEvery))
	}
	m.lateJoin.place(at)
	m.memberSince = m.now
	if m.audience != nil && m.sim.Marshals() {
		if err := m.audience.BeginAt(&m.lobby.At().Offer, uint32(m.sim.Agreed())); err != nil {
			m.fail(err)
			return
		}
	}
	behind := time.Duration(0)
	for _, l := range m.links {
		if l.state == connected {
			newest := m.inputs.Next(l.List[0])
			behind = max(behind, time.Duration(max(newest, m.frame)-m.frame)*m.nominal+l.RoundTrip.Smoothed/2)
		}
	}
	m.pacing.schedule.SetNext(m.now - behind) // so that we catch up with the others
}
