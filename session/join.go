package session

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// joining joins a running match.
type joining struct{ members }

// How a newcomer joins a running match:
//
//  1. It asks a member for a place, as a spectator with a token. The member becomes its host, and
//     sends it a state and the agreed frames from there on.
//  2. The host sends it the member list, and tells the members about it. They connect to each other.
//  3. When it has nearly caught up, it tells all members from which frame on it needs inputs.
//     Every datagram carries these until they are acknowledged. It runs agreed frames only, so
//     it is never ahead of the frame at which it joins.
//  4. The log decides that frame. From then on it is a peer like the others. Inputs of players
//     that left before that frame still come from its host.

// nearly is how many frames behind the agreed frames we may be to take inputs from the members.
const nearly = 60

// beginJoining starts to look for a host.
func (m *joining) beginJoining() {
	c := &m.cfg
	id := c.Random() | 1
	m.holdMore(spectate.MaxOutgoing)
	j := &lateJoin{id: id, at: NoFrame, sim: m.sim, inputs: m.inputs, stream: &m.stream, players: c.Players, local: c.Local}
	m.setLateJoin(j)
	j.follower = spectate.NewFollower(spectate.FollowerConfig{
		Hosts: c.Join.Hosts, Period: m.nominal, Random: c.Random,
		Compare: func(_ netip.AddrPort, version byte, theirs *datagram.Items) error {
			return admission.Compare(PlayerSet(theirs.Own), &m.items, version, theirs)
		},
		Timeout: c.ConnectTimeout, Drop: c.DropAfter, MaxState: c.Join.MaxState,
		Out:  &m.out,
		Join: &spectate.JoinRequest{Players: uint16(c.Local), Sets: c.sets(), ID: id, Token: c.Token},
	})
}

// join does the next steps of joining and returns when to call it again.
func (m *joining) join() (next time.Duration) {
	j := m.lateJoin
	if j.direct {
		m.finishJoin()
	}
	if m.phase == Over || m.lateJoin == nil {
		return m.now + m.nominal
	}
	if m.match.Frozen() {
		j.follower.ResetTimeout() // our side may have no host until it has a majority again
	}
	next = j.follower.Update(m.now)
	for _, n := range j.follower.News() {
		e := Event{What: Connected, Text: n.Addr.String()}
		if !n.Found {
			e = Event{What: Lost, Text: n.Addr.String() + ": " + n.Why.Error()}
		}
		m.events.Add(e)
	}
	m.restartJoin()
	m.follow()
	m.catchUp()
	if roll, ok := j.follower.MemberList(); ok {
		m.receiveMemberList(roll)
	}
	next = min(next, m.connectMembers())
	if !j.direct {
		m.takeFromMembers()
	}
	if err := j.follower.Err(); err != nil && m.lateJoin != nil && m.phase != Over {
		m.fail(joinError(err)) // even if we already play, since earlier frames may be missing
	}
	return next
}

// connectMembers connects to the members and returns when to call it again.
func (m *joining) connectMembers() (next time.Duration) {
	next = m.now + m.nominal
	for _, l := range m.links {
		if l.awaited() {
			m.sendHello(l)
			next = min(next, l.HelloDue())
		}
	}
	return next
}

// finishJoin completes joining when we have all inputs before our first frame, and gives up if the log does not
// admit us.
func (m *joining) finishJoin() {
	j := m.lateJoin
	switch {
	case j.at != NoFrame && m.sim.Confirmed() >= min(j.at, m.match.Limit()):
		j.follower.Leave()
		m.setLateJoin(nil)
	case j.at == NoFrame && m.now-j.since > m.cfg.ConnectTimeout:
		m.fail(&TimeoutError{m.cfg.Local, "a place in the match", m.now - j.since})
	}
}

// joinError converts the error that ended the search for a host.
func joinError(err error) error {
	var mismatch *MismatchError
	if errors.As(err, &mismatch) {
		return mismatch
	}
	var token *admission.TokenError
	if errors.As(err, &token) && token.Revoked {
		return &JoinError{Why: token.Error(), Revoked: true, Err: token}
	}
	if errors.Is(err, spectate.ErrEnd) {
		return &JoinError{Why: err.Error()}
	}
	return err
}

// JoinError means that a match cannot be joined.
type JoinError struct {
	Why string
	// Revoked says that our token was revoked because somebody was kicked.
	Revoked bool
	// Err is an [*admission.TokenError] if Revoked, otherwise nil.
	Err error
}

// Unwrap returns Err.
func (e *JoinError) Unwrap() error { return e.Err }

// Error gives the reason.
func (e *JoinError) Error() string { return "the match cannot be joined: " + e.Why }

// receiveMemberList handles a member list from the host.
func (m *joining) receiveMemberList(b []byte) {
	j := m.lateJoin
	r, ok := consumeMemberList(b, m.cfg.sets(), j.follower.Host())
	if all := r.state.All(); !ok || r.match != m.match.Number() || all&m.cfg.Local != 0 {
		return
	}
	if j.direct {
		m.learnAddresses(&r)
		return
	}
	j.told, j.known = r.state, true
	for _, p := range r.peers {
		j.follower.AddHost(p.Addr)
	}
	m.setMemberLinks(r.peers)
}

// learnAddresses learns the addresses of peers that have joined since takeFromMembers; the log does not contain
// them. The member list may be older than our log.
func (m *joining) learnAddresses(r *memberList) {
	s := &r.state
	m.match.Log().Reached(s.Slot)
	for _, p := range r.peers {
		l := m.linkToPlayers(p.Players)
		switch {
		case l == nil || !m.ours(l):
		case !l.Addr.IsValid():
			l.Addr, l.state, l.Born, l.Heard = p.Addr, connecting, m.now, m.now
		case s.IDs[lowest(p.Players)] != m.match.Log().State().IDs[lowest(p.Players)]:
			// It has come back; the log here will contain that later.
		case m.lateJoin.observing() && (l.state == gone || l.state == connected && m.now-l.Heard > m.cfg.DropAfter):
			// It has given us up by now. We are not in the match yet, so nobody waits for it here.
			again := m.memberLink(p)
			again.follows = true
			m.put(slices.Index(m.links, l), again)
			m.lateJoin.waitFrom(m.now)
		}
	}
}

// memberLink creates the link to a member of the match that we want to join.
func (m *joining) memberLink(p Peer) *link {
	var way *peer.Link
	if v := m.lateJoin.follower; v.Host() == p.Addr {
		way = v.Link()
	}
	return m.newcomerLink(p, way)
}

// setMemberLinks creates links to these members and drops all others.
func (m *joining) setMemberLinks(list []Peer) {
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
			found = m.memberLink(p)
		}
		links = append(links, found)
	}
	m.replace(links)
}

// takeFromMembers starts taking inputs from the members, if all preconditions are met.
func (m *joining) takeFromMembers() {
	j := m.lateJoin
	if !j.loaded || !j.proof.due(m.now) || !m.stream.Chain.Known() || !j.known || m.phase != Starting || j.follower.Live() > uint32(m.frame)+nearly {
		return
	}
	for _, l := range m.links {
		if l.state != connected || l.doubtful() {
			return
		}
	}
	for _, a := range j.told.Absent[:m.cfg.Players] {
		if a.From != NoFrame && a.From > m.frame {
			return // only the stream has inputs of players that have left, who may be ours
		}
	}
	for p, a := range j.told.Absent[:m.cfg.Players] {
		if p := Player(p); a.From == m.frame && m.sim.Next(p) != NoFrame {
			m.disconnect(p, a.From) // the stream reports that in its next frame, and we may have joined before
		}
	}
	m.match.Follow(membership.New(m.cfg.Local, j.told, roster{&m.play}, m.logConfig(j.id)))
	j.direct, j.since = true, m.now
	j.follower.CannotRestart()
	for _, l := range m.links {
		l.follows = true
	}
	m.enter(Playing)
	m.pacing.schedule.Begin(m.now)
	m.adaptDelay()
	m.events.Add(Event{What: Started, Match: m.match.Number(), Frame: m.frame})
	if j.told.Paused {
		m.match.Pause(j.told.PausedBy, j.told.PausedAt, m.facts())
		m.carryOutOrders()
	}
	if m.stream.Recording.Pending() { // without states the recording began with frame 0
		if err := m.recordHere(m.frame); err != nil {
			m.endRecording(&RecordEnd{Failed: err})
		}
	}
}
