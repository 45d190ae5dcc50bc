package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// members runs the log that decides who is in the match, and carries out its decisions.
type members struct {
	closing
	news [MaxPlayers]*link // peers that the log has sent messages to, by lowest player
}

// The peers agree on who is in the match by a log (package membership). This file drives it: it passes the log what
// is known about the peers, and carries out what the log decides.

// roster gives the log access to the match.
type roster struct{ *play }

// Next returns the first frame for which the input of player p is missing.
func (r roster) Next(p Player) Frame { return r.sim.Next(p) }

// Provisional returns how the match ended, as far as is known here, and whether it did.
func (r roster) Provisional() (rollback.Outcome, bool) { return r.sim.Provisional() }

// Floor returns the first frame that has not run here and is not confirmed.
func (r roster) Floor() Frame { return max(r.frame, r.sim.Confirmed()) }

// beginLog starts the log of a match that the founders begin.
func (m *members) beginLog(founders PlayerSet) {
	m.resetAdmission()
	if !m.cfg.shared() || m.lateJoin != nil {
		return
	}
	members, absent := []PlayerSet{m.cfg.Local}, m.cfg.everybody()&^m.cfg.Local
	for _, l := range m.links {
		switch here := l.players&^founders == 0; {
		case here:
			members = append(members, l.players)
			absent &^= l.players
		case l.state != gone:
			m.loseAndTell(l, "the host has lost it")
		}
	}
	m.match.Follow(membership.New(m.cfg.Local, membership.Begin(members, absent), roster{&m.play}, m.logConfig(0)))
	for p := range absent.All() {
		m.disconnect(p, 0)
	}
	for _, l := range m.links {
		if l.state == gone {
			m.match.Log().MarkGone(l.players) // the host has not noticed yet that it is gone
		}
	}
}

// logConfig returns the configuration of the log, which is the same at all members except for the id.
func (m *members) logConfig(id uint64) membership.Config {
	return membership.Config{ID: id, Kickers: PlayerSet(1), Sets: m.cfg.sets(), Lazy: m.cfg.OnLeave != Continue}
}

// pollLog polls the log and handles its decisions.
func (m *members) pollLog() {
	if m.phase != Playing && m.phase != Ending {
		return
	}
	switch log := m.match.Log(); {
	case log == nil:
		m.match.EndPause(m.facts())
		m.carryOutOrders()
		return
	case m.match.Calm() && len(m.newcomers) == 0 && (m.audience == nil || !m.seekPlaces()) && m.steady():
		log.Accuse(0) // nearly always: what tellLog does, by a few comparisons
	default:
		m.tellLog()
	}
	if !m.match.Due(m.now) {
		return
	}
	m.match.Poll(m.now, m.frame+m.lead())
	m.applyLog()
	m.sendLogEagerly()
}

// tellLog tells the log what is known about the other machines, and deals with those that come or have to go.
func (m *members) tellLog() {
	f := m.facts()
	m.match.EndPause(f)
	m.match.Log().Accuse(m.silentPeers() | m.stuckPeers())
	m.connectNewcomers()
	m.match.RemoveKicked(f)
	m.sendBackfill()
}

// steady reports whether no peer is silent, stuck or has just joined: then tellLog has nothing to do about the peers.
func (m *members) steady() bool {
	heard := m.now - m.cfg.DropAfter
	settling := m.memberSince >= heard
	for _, l := range m.links {
		if l.expected != 0 || l.backfillTo != 0 || l.Heard < heard && !settling && l.state <= connected {
			return false
		}
	}
	return true
}

// carryOutOrders carries out the orders of the match.
func (m *members) carryOutOrders() {
	for o := m.match.Next(m.facts()); o != nil; o = m.match.Next(m.facts()) {
		m.execute(o)
	}
}

// execute carries out one order.
func (m *members) execute(o *match.Order) {
	switch o.Kind {
	case match.DoEmit:
		m.events.Add(Event{What: o.What, Players: o.Players, Frame: o.Frame, For: o.Lasted})
	case match.DoDisconnect:
		m.disconnect(o.Player, o.Frame)
	case match.DoDropMembers:
		m.dropMembers(o.Entry, o.What)
	case match.DoAdmit:
		m.admit(o.Entry)
	case match.DoResume:
		m.pacing.schedule.SetNext(max(m.pacing.schedule.Next(), m.now))
	case match.DoRevoke:
		m.revoke(o.Players)
	case match.DoSendKick:
		m.sendKick(o.Players, o.Text)
	case match.DoSendLeaves:
		m.sendLeaves(o.Text, o.Resigns)
	case match.DoIdle:
		for _, p := range m.local {
			m.inputs.Idle(p, o.Frame)
		}
	case match.DoLinger:
		if m.enterEnding(); o.Resigns {
			m.progress()
		}
		m.sendAll()
	case match.DoClose:
		m.enterOver(o.Err)
	case match.DoFail:
		m.fail(o.Err)
	case match.DoEndAtAgreed:
		m.endAtAgreed(o.Err)
	}
}

// applyLog carries out what the log has decided, and sends its messages.
func (m *members) applyLog() {
	m.carryOutOrders()
	for to, b := range m.match.Log().Outgoing() {
		if l := m.linkToPlayers(to); l != nil && l.state != connecting {
			_ = l.Channel.Send(append(m.begins(messageMember), b...)) // if the stream is full, the peer will be found silent
			m.news[lowest(to)] = l
		}
	}
	m.fill()
	for p := range (m.cfg.everybody() &^ m.cfg.Local).All() {
		if err := m.inputs.Limit(p, m.match.Log().Limit(p)); err != nil {
			m.lose(m.at[p], "an input: "+err.Error())
		}
	}
}

// sendLogEagerly makes every datagram repeat the messages of the log until they have arrived. If frames wait for a
// decision, because inputs are stopped or a gate is set, it sends them at once. It is called once for all messages
// of a datagram.
func (m *members) sendLogEagerly() {
	news := m.news
	m.news = [MaxPlayers]*link{}
	if m.phase != Playing || m.match.Log() == nil || m.match.Log().Quiet() || news == m.news {
		return
	}
	waits := m.match.Log().Stopped() != 0 || m.match.Log().Gate() != NoFrame
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

// receiveMember passes a message to the log.
func (m *members) receiveMember(l *link, b []byte) error {
	if m.match.Log() == nil || l.state == connecting || m.match.Number() != m.lobby.Number() || !m.inMatch() {
		return nil
	}
	err := m.match.Log().Receive(l.players, b)
	m.applyLog()
	return err
}

// silentPeers returns the players of peers that have been silent for longer than DropAfter. Time before we became a
// member does not count.
func (m *members) silentPeers() PlayerSet {
	return m.playersWhere(func(l *link) bool {
		return (l.state == connected || l.state == connecting) && m.now-max(l.Heard, m.memberSince) > m.cfg.DropAfter
	})
}

const (
	// leadTrips is how many round trips it takes until all peers know a decision. leadTime allows for tick periods,
	// and for a lost datagram.
	leadTrips = 3
	leadTime  = 50 * time.Millisecond
)

// lead returns how many frames ahead a decision made now takes effect, so that nobody has to wait for it.
func (m *members) lead() Frame {
	return min(Frame((leadTrips*m.farthest()+leadTime)/m.nominal)+1, m.cfg.ahead()/2)
}

// fill sends inputs of stopped players to members that lack them.
func (m *members) fill() {
	for f := range m.match.Log().Fills() {
		if l := m.linkToPlayers(f.To); l != nil {
			m.sendFill(l, f.Player, f.From, f.End)
		}
	}
}

// receiveFill handles inputs of a player that is stopped or has left, from a member that has them.
func (m *members) receiveFill(l *link, b []byte) error {
	return m.inputs.TakeFill(b, func(p Player, f Frame) bool {
		inherits := m.match.End().Removed() != nil && m.ours(l) && f < m.match.Limit()
		return m.match.Log() != nil && m.inMatch() && (m.match.Log().Takes(l.players, p) || m.isBackfill(l, p, f) || inherits) && f == m.sim.Next(p)
	})
}

// set resets everything to frame 0 of a match that the founders begin.
func (m *members) set(number uint32, p Parameters, founders PlayerSet) error {
	if err := m.sim.prepare(p); err != nil {
		return err
	}
	if recorded, ok := m.stream.Recording.Of(); ok && recorded != number {
		m.endRecording(&RecordEnd{Failed: stream.ErrUnrecorded})
	}
	limit := p.Frames
	if limit == 0 {
		limit = NoFrame
	}
	m.match.Begin(number, limit)
	m.resetFrames()
	m.stream.Begin(Frame(max(m.cfg.HashEvery, 0)), Frame(m.cfg.ChainEvery))
	if m.lateJoin != nil {
		m.stream.Chain.Lose() // the host sends the chain so far, with a mark
	}
	m.counts.countPrepared()
	m.inputs.Reset()
	for _, l := range m.links {
		l.matchPeer = matchPeer{}
		l.Needs(0)
	}
	m.beginLog(founders)
	m.inquiry.begin(desync.Report{
		Game: m.cfg.GameID, Build: m.cfg.Build, Match: number, TickRate: uint16(m.cfg.TickRate), Rate: m.cfg.Rate,
		Seed: p.Seed, Content: p.Content, Limit: uint32(p.Frames), Data: p.Data, Whole: true,
	})
	return nil
}

// receiveNewcomer handles a message from a newcomer. It is not a member yet, so most messages are ignored. An error
// means that it violates the protocol.
func (m *members) receiveNewcomer(c *newcomer, b []byte) error {
	kind, b := b[0], b[1:]
	if kind != messageMember && kind != messageOrders && kind != messageLeave {
		return nil
	}
	if len(b) < 4 {
		return datagram.ErrShort
	}
	number, b := le.Uint32(b), b[4:]
	switch {
	case number != m.lobby.Number():
	case kind == messageMember:
		return m.receiveMember(c.link, b)
	case kind == messageOrders:
		return m.inputs.Keep(&c.Peer, b) // it learned that it plays before we did
	case kind == messageLeave && len(b) >= 4 && Frame(le.Uint32(b)) == NoFrame:
		c.said = true // it regards itself as a member: the log says when it leaves
	case kind == messageLeave:
		c.state = gone
	}
	return nil
}

// progress advances agreement, and ends the match when its last frame is agreed.
func (m *members) progress() {
	if !m.inquiry.quiet() {
		m.updateInquiry()
	}
	m.pollLog()
	switch {
	case m.phase != Playing:
	case m.match.Stands(m.frame): // during a pause no tick resimulates frames that were predicted wrongly
		m.resimulate()
	default:
		m.agree()
	}
	if m.match.End().Removed() != nil {
		m.match.AwaitEnd(m.facts())
		m.carryOutOrders()
	}
	if m.phase == Playing && m.frame >= m.match.Limit() && m.sim.Agreed() >= m.match.Limit() {
		m.finish()
	}
	if m.phase == Ending {
		m.awaitPeersAtEnd()
	}
}
