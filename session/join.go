package session

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// How somebody joins a match that is played:
//
//  1. It asks a machine of the match for a place, as a spectator with a token, and is
//     sent a state and what is agreed from there on.
//  2. It is told who plays, and they are told of it. They connect to each other.
//  3. When it has nearly caught up, it tells all of them from where on it needs inputs,
//     which come again in every datagram, and goes on with agreed frames only, so that
//     it is never ahead of the frame with which it begins.
//  4. The log says with which. From then on it is a peer like the others; what those
//     have done who have left before, it still has from the machine that it asked.

// joining is how far we are.
type joining struct {
	id     uint64
	viewer *spectate.Viewer
	follow stream.Follower
	loaded bool // the state from which we go on is here
	told   membership.State
	known  bool // who plays is
	direct bool // inputs come from the players
	since  time.Duration
	at     Frame // that we begin with; NoFrame is not known yet
	agreed Frame // as the stream says
}

// nearly is how far behind what is agreed we may be to go on by ourselves.
const nearly = 60

// beginJoining sets up the way into a match.
func (m *Machine) beginJoining() {
	c := &m.cfg
	j := &joining{id: c.Random() | 1, at: NoFrame}
	m.out.Most = spectate.MaxOutgoing + maxOutgoing
	j.viewer = spectate.NewViewer(spectate.ViewerConfig{
		Hosts: c.Join.Hosts, Compare: m.compareHost, Period: m.nominal, Random: c.Random,
		Timeout: c.ConnectTimeout, Drop: c.DropAfter, MaxState: c.Join.MaxState,
		Out:  &m.out,
		Seat: &spectate.Seat{Players: byte(c.Local), ID: j.id, Token: c.Token},
	})
	m.joining = j
}

// observing reports whether we do not play yet.
func (m *Machine) observing() bool { return m.joining != nil && m.joining.at == NoFrame }

// compareHost returns why a match cannot be joined.
func (m *Machine) compareHost(_ netip.AddrPort, version byte, theirs *datagram.Items) error {
	return m.differs(PlayerSet(theirs.Own), version, theirs)
}

// join goes on with it, and returns when to call again.
func (m *Machine) join() (next time.Duration) {
	j := m.joining
	if j.direct {
		m.settleIn()
	}
	if m.phase == Over || m.joining == nil {
		return m.now + m.nominal
	}
	if m.match.frozen != 0 {
		j.viewer.Excuse() // there may be no host on this side, until it is a majority again
	}
	next = j.viewer.Update(m.now)
	for _, n := range j.viewer.News() {
		e := Event{What: Connected, Text: n.Addr.String()}
		if !n.Found {
			e = Event{What: Lost, Text: n.Addr.String() + ": " + n.Why.Error()}
		}
		m.events.add(e)
	}
	m.follow()
	m.rush()
	for b, ok := j.viewer.Seat(); ok; b, ok = j.viewer.Seat() {
		m.meet(b)
	}
	next = min(next, m.approach())
	if !j.direct {
		m.goDirect()
	}
	if err := j.viewer.Err(); err != nil && m.joining != nil && m.phase != Over {
		m.fail(joinError(err)) // also if we have begun, since something may be missing
	}
	return next
}

// approach gets in touch with those who play, and returns when to call again.
func (m *Machine) approach() (next time.Duration) {
	next = m.now + m.nominal
	for _, l := range m.links {
		if l.state != connecting && !l.doubtful() {
			continue
		}
		if m.now >= l.HelloDue() {
			m.sendHello(l)
		}
		next = min(next, l.HelloDue())
	}
	return next
}

// settleIn waits for the frame with which we begin, until we have all that was done
// before.
func (m *Machine) settleIn() {
	j := m.joining
	switch {
	case j.at != NoFrame && m.sim.Confirmed() >= min(j.at, m.match.limit):
		j.viewer.Leave()
		m.joining = nil
	case j.at == NoFrame && m.now-j.since > m.cfg.ConnectTimeout:
		m.fail(&TimeoutError{m.cfg.Local, "a place in the match", m.now - j.since})
	}
}

// joinError is why nobody lets us in.
func joinError(err error) error {
	var mismatch *MismatchError
	if errors.As(err, &mismatch) {
		return mismatch
	}
	var revoked *spectate.RevokedError
	if errors.As(err, &revoked) {
		return &JoinError{Why: revoked.Reason, Revoked: true}
	}
	if errors.Is(err, spectate.ErrEnd) {
		return &JoinError{Why: err.Error()}
	}
	return err
}

// JoinError says why a match cannot be joined.
type JoinError struct {
	Why string
	// Revoked: our token was good once, and is no more, since somebody was sent away.
	Revoked bool
}

// Error gives the reason.
func (e *JoinError) Error() string { return "the match cannot be joined: " + e.Why }

// meet takes in who plays.
func (m *Machine) meet(b []byte) {
	j := m.joining
	if len(b) < 4 || le.Uint32(b) != m.match.number {
		return
	}
	s, b, err := membership.ConsumeState(b[4:])
	if err != nil || len(b) == 0 || s.All()&m.cfg.Local != 0 || s.All()&^m.everybody() != 0 {
		return
	}
	list := []Peer{{Players: PlayerSet(b[0]), Addr: j.viewer.Host()}}
	for b = b[1:]; len(b) > 0 && len(list) <= maxPlayers; {
		p := Peer{Players: PlayerSet(b[0])}
		var ok bool
		if p.Addr, b, ok = consumeAddr(b[1:]); !ok {
			return
		}
		list = append(list, p)
	}
	var all PlayerSet
	for _, p := range list {
		if !s.Has(p.Players) || all&p.Players != 0 {
			return
		}
		all |= p.Players
	}
	if all != s.All() {
		return
	}
	if j.direct {
		m.locate(&s, list)
		return
	}
	j.told, j.known = s, true
	for _, p := range list {
		j.viewer.AddHost(p.Addr)
	}
	m.acquaint(list)
}

// locate learns where those are who have joined since we go on by ourselves: the log
// does not say it. What we are told may be older than what the log has said since.
func (m *Machine) locate(s *membership.State, list []Peer) {
	for _, p := range list {
		l := m.wayTo(p.Players)
		switch {
		case l == nil || !m.ours(l):
		case !l.Addr.IsValid():
			l.Addr, l.state, l.Born, l.Heard = p.Addr, connecting, m.now, m.now
		case s.IDs[lowest(p.Players)] != m.core.State().IDs[lowest(p.Players)]:
			// It has come back, and the log will say so here, too.
		case m.observing() && (l.state == gone || l.state == connected && m.now-l.Heard > m.cfg.DropAfter):
			m.renew(l, p)
		}
	}
}

// renew connects to a member anew, that has given us up by now: we are not in the match yet,
// so that nobody is missed here.
func (m *Machine) renew(old *link, p Peer) {
	at := slices.Index(m.links, old)
	l, err := m.newLink(p)
	if err != nil || at < 0 {
		return
	}
	l.Born, l.Heard, l.aside, l.follows = m.now, m.now, true, true
	m.links[at] = l
	for _, q := range l.list {
		m.at[q] = l
	}
	m.joining.since = m.now
}

// acquaint has a link to each of these, and to nobody else.
func (m *Machine) acquaint(list []Peer) {
	var links []*link
	for _, p := range list {
		var found *link
		for _, l := range m.links {
			here := l.state == connecting || l.state == connected && m.now-l.Heard < m.cfg.DropAfter
			if l.players == p.Players && here && (l.Addr == p.Addr || l.state == connected) {
				found = l
			}
		}
		if found == nil {
			l, err := m.newLink(p)
			if err != nil {
				return
			}
			l.Born, l.Heard, l.aside, l.follows = m.now, m.now, true, false
			found = l
		}
		links = append(links, found)
		for _, q := range found.list {
			m.at[q] = found
		}
	}
	m.links = links
}

// goDirect goes on by ourselves, if everything is here for it.
func (m *Machine) goDirect() {
	j := m.joining
	if !j.loaded || !m.stream.Chain.Known() || !j.known || m.phase != Starting || j.viewer.Live() > uint32(m.frame)+nearly {
		return
	}
	for _, l := range m.links {
		if l.state != connected || l.doubtful() {
			return
		}
	}
	for _, a := range j.told.Absent[:m.cfg.Players] {
		if a.From != NoFrame && a.From > m.frame {
			return // what somebody has done who has left, only the stream has; it may have been one of us
		}
	}
	for p, a := range j.told.Absent[:m.cfg.Players] {
		if p := Player(p); a.From == m.frame && m.sim.Next(p) != NoFrame {
			m.disconnect(p, a.From) // the stream would say so next, and we may be in before
		}
	}
	m.core = membership.New(m.cfg.Local, j.told, roster{m}, m.logConfig(j.id))
	if j.told.Paused {
		m.match.pausedAt, m.match.pausedSince = j.told.PausedAt, m.now
	}
	j.direct, j.since = true, m.now
	for _, l := range m.links {
		l.follows = true
	}
	m.phase = Playing
	m.match.schedule.Begin(m.now)
	m.chooseDelay()
	m.events.add(Event{What: Started, Match: m.match.number, Frame: m.frame})
	m.recordJoined()
}

// joined makes us a player.
func (m *Machine) joined(at Frame) {
	if err := m.foresee(); err != nil {
		m.fail(err)
		return
	}
	for _, l := range m.links {
		l.aside = false
		for i := range m.local {
			l.acked[i] = uint32(at)
		}
		l.compares(at, Frame(m.cfg.ChainEvery))
	}
	m.joining.at, m.match.member = at, m.now
	if m.audience != nil && m.sim.Marshals() {
		if err := m.audience.BeginAt(m.lobby.offer, uint32(m.sim.Agreed())); err != nil {
			m.fail(err)
			return
		}
	}
	behind := time.Duration(0)
	for _, l := range m.links {
		if l.state == connected {
			newest := Frame(m.history[l.list[0]].Next())
			behind = max(behind, time.Duration(max(newest, m.frame)-m.frame)*m.nominal+l.RoundTrip.Smoothed/2)
		}
	}
	m.match.schedule.SetNext(m.now - behind) // it goes on where the others are
}
