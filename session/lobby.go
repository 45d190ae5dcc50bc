package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/wire/datagram"
)

// lobby is how far a match is from its start.
type lobby struct {
	next    *datagram.Offer // came before the last match had ended here,
	later   PlayerSet       // for these players
	refused uint32          // such an offer that was withdrawn again
	initial uint64          // hash of state 0 as the game makes it

	offer    *datagram.Offer // the match that is proposed, or played
	founders PlayerSet       // who begins it, as the host says
	accepted bool            // by us
	ready    bool            // we are
	begun    bool            // somebody plays it, and so all were ready
	readyAt  time.Duration   // when we said so
	since    time.Duration   // when the present phase began
}

// Proposal returns the parameters of the match that is proposed or played, and its
// number: 1 for the first. The number is 0 if there is none.
func (m *Machine) Proposal() (Parameters, uint32) {
	if m.lobby.offer == nil {
		return Parameters{}, 0
	}
	return stream.ParametersOf(m.lobby.offer), m.lobby.offer.Match
}

// Propose proposes a match to all peers, and says that we are ready for it. Only
// the host can, in the lobby: [ErrNotHost], [ErrPhase]. Parameters that this
// machine cannot play are refused with the hook's own error.
func (m *Machine) Propose(p Parameters) error {
	switch {
	case !m.cfg.host():
		return ErrNotHost
	case m.phase != Lobby:
		return fmt.Errorf("%w: proposals are made in the lobby, this is %v", ErrPhase, m.phase)
	}
	if len(p.Data) > MaxData {
		return fmt.Errorf("session: the parameters have %d bytes of data, more than %d", len(p.Data), MaxData)
	}
	if err := m.prepare(m.match.number+1, p); err != nil {
		return err
	}
	m.enterStarting()
	for _, l := range m.links {
		m.sendOffer(l)
	}
	return nil
}

// eager has everything that is not acknowledged sent again in each datagram, while
// it is little: before and after a match, and until its start has arrived, latency
// matters more than bytes.
func (m *Machine) eager(on bool) {
	m.eagerly = on
	for _, l := range m.links {
		l.Channel.SetEager(on || l.state == gone)
	}
}

// calm ends the haste of the start.
func (m *Machine) calm() {
	for _, l := range m.links {
		if l.state == connected && l.Channel.Pending() != 0 {
			return
		}
	}
	m.eager(false)
}

// prepare makes state 0 of a match that we propose, and accepts it.
func (m *Machine) prepare(number uint32, p Parameters) error {
	p.Data = append([]byte(nil), p.Data...)
	m.lobby.founders = m.cfg.Local | m.missing(func(l *link) bool { return l.state != gone })
	if err := m.set(number, p); err != nil {
		return err
	}
	state, err := m.sim.Hash()
	if err != nil && len(m.links) > 0 {
		return err
	}
	o := p.Offer(number, state)
	m.lobby.offer, m.lobby.accepted, m.lobby.ready = &o, true, true
	return nil
}

// set brings everything to frame 0 of a match.
func (m *Machine) set(number uint32, p Parameters) error {
	if err := m.sim.prepare(p); err != nil {
		return err
	}
	if recorded, ok := m.stream.Tape.Of(); ok && recorded != number {
		m.StopRecording(ErrUnrecorded)
	}
	limit := p.Frames
	if limit == 0 {
		limit = NoFrame
	}
	m.match = match{number: number, limit: limit, pausedAt: NoFrame}
	m.frame, m.end, m.log = 0, ending{}, m.log[:0]
	m.stream.Begin(Frame(max(m.cfg.HashEvery, 0)), Frame(m.cfg.ChainEvery))
	if m.joining != nil {
		m.stream.Chain.Lose() // what was before is told by the host, with a mark
	}
	m.match.schedule.Init(m.nominal)
	m.counts.changes = 0
	m.counts.prepared++
	for p := range m.cfg.Players {
		m.history[p].Init(m.sim.inputSize())
		m.orders[p].clear()
	}
	for _, l := range m.links {
		l.standing = standing{}
	}
	m.beginLog()
	m.lobby.begun = false
	m.resetEvidence(&p)
	return nil
}

// receiveProposal is the host's proposal, and who begins the match.
func (m *Machine) receiveProposal(l *link, b []byte) error {
	var o datagram.Offer
	if len(b) < 1 {
		return datagram.ErrShort
	}
	if err := o.Consume(b[1:]); err != nil {
		return err
	}
	founders := PlayerSet(b[0])
	if founders&^m.everybody() != 0 || l.players&^founders != 0 {
		return datagram.ErrRange
	}
	m.receiveOffer(l, &o, founders)
	return nil
}

// receiveOffer is a proposal for some players. It comes more than once.
func (m *Machine) receiveOffer(l *link, o *datagram.Offer, founders PlayerSet) {
	if !l.players.Has(0) || o.Match <= max(m.match.number, m.lobby.refused) || m.lobby.offer != nil && o.Match <= m.lobby.offer.Match {
		return
	}
	offer := *o
	offer.Data = append([]byte(nil), o.Data...)
	if m.phase == Playing || m.phase == Ending {
		m.lobby.next, m.lobby.later = &offer, founders // the host has ended the last match already
		return
	}
	if m.cfg.Local&^founders != 0 {
		m.fail(&RemovedError{Reason: "the host begins the next match without us"})
		return
	}
	p := stream.ParametersOf(&offer)
	if p.Check() != nil {
		return
	}
	m.lobby.offer, m.lobby.founders = &offer, founders
	m.lobby.accepted, m.lobby.ready = false, false
	if m.phase == Lobby {
		m.enterStarting()
	}
	m.events.add(Event{What: Proposed, Players: l.players, Match: o.Match})
	if m.cfg.Lobby {
		return
	}
	if err := m.Accept(); err != nil {
		m.fail(&RefusedError{m.cfg.Local, err.Error()})
		return
	}
	if err := m.Ready(); err != nil {
		m.fail(err)
	}
}

// Accept says that we will play what the host proposes: it makes state 0. If the
// hook refuses the parameters, all peers are told why, and the error is the
// hook's.
func (m *Machine) Accept() error {
	if m.lobby.offer == nil || m.lobby.accepted || m.phase != Starting && m.phase != Connecting {
		return fmt.Errorf("%w: there is no proposal to accept", ErrPhase)
	}
	if err := m.set(m.lobby.offer.Match, stream.ParametersOf(m.lobby.offer)); err != nil {
		m.refuse(err.Error())
		return err
	}
	state, err := m.sim.Hash()
	if err != nil {
		return err
	}
	if state != m.lobby.offer.State {
		err := &MismatchError{m.host().players, "hash of state 0 of the match", quote(hex(state)), quote(hex(m.lobby.offer.State))}
		m.refuse(reasonOf(err))
		return err
	}
	m.lobby.accepted = true
	m.host().readyFor = m.lobby.offer.Match
	m.tell(messageAccept)
	return nil
}

// host returns the link to the host.
func (m *Machine) host() *link { return m.at[0] }

// Refuse says that we will not play what the host proposes, and why: at most 256
// bytes of text. All are back in the lobby.
func (m *Machine) Refuse(reason string) error {
	if m.lobby.offer == nil || m.phase != Starting && m.phase != Connecting || m.cfg.host() {
		return fmt.Errorf("%w: there is no proposal to refuse", ErrPhase)
	}
	m.refuse(reason)
	return nil
}

func (m *Machine) refuse(reason string) {
	m.passOn(m.cfg.Local, reason)
	m.withdraw()
}

// passOn tells all who refuses the match at hand.
func (m *Machine) passOn(players PlayerSet, reason string) {
	for _, l := range m.links {
		if l.state == connected && l.players&players == 0 {
			m.sendRefusal(l, players, reason)
		}
	}
}

// withdraw ends a proposal that will not be played. Its number is used up.
func (m *Machine) withdraw() {
	if m.lobby.offer == nil {
		return
	}
	m.match.number = m.lobby.offer.Match
	m.lobby.offer, m.lobby.accepted, m.lobby.ready = nil, false, false
	if m.phase == Starting {
		m.enterLobby()
	}
}

// Ready says that we can start the match that we have accepted: everything is
// loaded. It starts when all are ready.
func (m *Machine) Ready() error {
	if !m.lobby.accepted || m.lobby.ready || m.phase != Starting && m.phase != Connecting {
		return fmt.Errorf("%w: no match has been accepted", ErrPhase)
	}
	m.lobby.ready, m.lobby.readyAt = true, m.now
	m.tell(messageReady)
	return nil
}

// Send sends a message to the applications of these players, in the lobby or
// while playing: 1 to [MaxMessage] bytes, which arrive complete and in order. The
// error is that of the channel if too much waits to be sent.
func (m *Machine) Send(to PlayerSet, data []byte) error {
	if len(data) == 0 || len(data) > MaxMessage {
		return fmt.Errorf("session: a message has %d bytes, must be 1 to %d", len(data), MaxMessage)
	}
	if m.phase == Over {
		return m.err
	}
	if to &^= m.cfg.Local; to&^m.everybody() != 0 || to == 0 {
		return fmt.Errorf("session: %v: no other players of this match", to)
	}
	for _, l := range m.links {
		if l.players&to == 0 {
			continue
		}
		if l.state != connected {
			return &LostError{Players: l.players, Why: "not connected"}
		}
		m.message = append(append(m.message[:0], messageApplication), data...)
		if err := l.Channel.Send(m.message); err != nil {
			return fmt.Errorf("session: to %v: %w", l.players, err)
		}
		m.counts.sent++
	}
	return nil
}

// greet tells a peer that has just connected where we are.
func (m *Machine) greet(l *link) {
	if m.lobby.offer == nil {
		return
	}
	if m.cfg.host() {
		m.sendOffer(l)
		return
	}
	if m.lobby.accepted {
		m.sendShort(l, messageAccept)
	}
	if m.lobby.ready {
		m.sendShort(l, messageReady)
	}
}

// tell sends a message without content to all peers that are there.
func (m *Machine) tell(kind byte) {
	for _, l := range m.links {
		if l.state == connected {
			m.sendShort(l, kind)
		}
	}
}

// barrier starts the match when everybody is ready. Those who have heard it from
// the last first wait for half a round trip, so that all start at about the same
// time.
func (m *Machine) barrier() {
	if m.phase == Connecting && len(m.links) == 0 {
		m.opened()
	}
	if m.phase != Starting || !m.lobby.ready {
		return
	}
	start := m.now
	for _, l := range m.links {
		if l.state == gone {
			continue // it does not begin the match, or the log says what becomes of it
		}
		if l.readyFor != m.match.number && !m.lobby.begun {
			return
		}
		if !m.cfg.host() {
			start = max(start, m.lobby.readyAt+l.RoundTrip.Smoothed/2)
		}
	}
	if m.now >= start {
		m.enterPlaying()
	}
}
