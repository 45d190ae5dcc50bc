package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Proposal returns the parameters of the match that is proposed or played, and its
// number: 1 for the first. The number is 0 if there is none.
func (m *Machine) Proposal() (Parameters, uint32) {
	p := m.lobby.At()
	if p == nil {
		return Parameters{}, 0
	}
	return stream.ParametersOf(&p.Offer), p.Offer.Match
}

// Propose proposes a match to all peers, and says that we are ready for it. Only the host can
// do so, and only in the lobby; otherwise the error is [ErrNotHost] or [ErrPhase]. If this machine
// cannot play a match with these parameters, it is that of the hook.
func (m *Machine) Propose(p Parameters) error {
	defer m.handleLosses()
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
		m.sendProgress(l)
	}
	return nil
}

// prepare makes state 0 of a match that we propose.
func (m *lobbying) prepare(number uint32, p Parameters) error {
	p.Data = append([]byte(nil), p.Data...)
	founders := m.cfg.Local | m.notGone()
	if err := m.set(number, p, founders); err != nil {
		return err
	}
	state, err := m.sim.Hash()
	if err != nil && len(m.links) > 0 {
		return err
	}
	m.lobby.Set(lobby.Proposal{Offer: p.Offer(number, state), Founders: founders})
	return nil
}

// receiveProposal takes the host's proposal.
func (m *lobbying) receiveProposal(l *link, b []byte) error {
	p, err := lobby.Consume(b, m.cfg.sets())
	if err != nil {
		return err
	}
	if l.players&^p.Founders != 0 {
		return datagram.ErrRange
	}
	m.takeProposal(l, &p)
	return nil
}

// takeProposal takes a proposal, which comes more than once, if it is the host's.
func (m *lobbying) takeProposal(l *link, p *lobby.Proposal) {
	// The host may have ended the last match before us.
	if !l.players.Has(0) || !m.lobby.Receive(p, m.phase == Playing || m.phase == Ending) {
		return
	}
	if m.cfg.Local&^p.Founders != 0 {
		m.fail(&RemovedError{Reason: "the host begins the next match without us"})
		return
	}
	m.lobby.Offer(*p)
	if m.phase == Lobby {
		m.enterStarting()
	}
	m.events.Add(Event{What: Proposed, Players: l.players, Match: p.Offer.Match})
	if m.cfg.Lobby {
		return
	}
	if err := m.accept(); err != nil {
		m.fail(&RefusedError{m.cfg.Local, err.Error()})
		return
	}
	if err := m.ready(); err != nil {
		m.fail(err)
	}
}

// Accept says that we will play what the host proposes: it makes state 0. If the
// hook refuses the parameters, all peers are told why, and the error is the
// hook's.
func (m *Machine) Accept() error {
	defer m.handleLosses()
	return m.accept()
}

func (m *lobbying) accept() error {
	if m.lobby.Stage() != lobby.Offered || m.phase > Starting {
		return phaseError("there is no proposal to accept")
	}
	p := m.lobby.At()
	if err := m.set(p.Offer.Match, stream.ParametersOf(&p.Offer), p.Founders); err != nil {
		m.refuse(err.Error())
		return err
	}
	state, err := m.sim.Hash()
	if err != nil {
		return err
	}
	if state != p.Offer.State {
		err := &MismatchError{m.host().players, "hash of state 0 of the match", quote(hex(state)), quote(hex(p.Offer.State))}
		m.refuse(reasonOf(err))
		return err
	}
	m.lobby.Accept(m.host().players)
	m.tell(m.begins(messageAccept), 0)
	return nil
}

// Refuse says that we will not play what the host proposes, and why: at most 256
// bytes of text. All are back in the lobby.
func (m *Machine) Refuse(reason string) error {
	defer m.handleLosses()
	if m.lobby.Stage() == lobby.Idle || m.phase > Starting || m.cfg.host() {
		return phaseError("there is no proposal to refuse")
	}
	m.refuse(reason)
	return nil
}

func (m *lobbying) refuse(reason string) {
	m.tell(m.refusal(m.cfg.Local, reason), 0)
	m.withdraw()
}

// withdraw ends a proposal that will not be played. Its number is used up.
func (m *lobbying) withdraw() {
	if m.lobby.Stage() == lobby.Idle {
		return
	}
	m.match.number = m.lobby.Number()
	m.lobby.Clear()
	if m.phase == Starting {
		m.enterLobby()
	}
}

// Ready says that we can start the match that we have accepted: everything is
// loaded. It starts when all are ready.
func (m *Machine) Ready() error {
	defer m.handleLosses()
	return m.ready()
}

func (m *lobbying) ready() error {
	if m.phase > Starting || !m.lobby.Ready(m.now) {
		return phaseError("no match has been accepted")
	}
	m.tell(m.begins(messageReady), 0)
	return nil
}

// Send sends a message to the applications of these players, in the lobby or
// while playing: 1 to [MaxMessage] bytes, which arrive complete and in order. The
// error is that of the channel if too much waits to be sent.
func (m *Machine) Send(to PlayerSet, data []byte) error {
	defer m.handleLosses()
	if len(data) == 0 || len(data) > MaxMessage {
		return fmt.Errorf("session: a message has %d bytes, must be 1 to %d", len(data), MaxMessage)
	}
	if m.phase == Over {
		return m.err
	}
	if to &^= m.cfg.Local; to&^m.cfg.everybody() != 0 || to == 0 {
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

// sendProgress tells a peer that has just connected how far we are.
func (m *lobbying) sendProgress(l *link) {
	stage := m.lobby.Stage()
	if m.cfg.host() && stage != lobby.Idle {
		m.post(l, m.lobby.At().Append(append(m.message[:0], messageOffer), m.cfg.sets()))
		return
	}
	if stage >= lobby.Accepted {
		m.post(l, m.begins(messageAccept))
	}
	if stage >= lobby.Ready {
		m.post(l, m.begins(messageReady))
	}
}

// startWhenReady starts the match when everybody is ready. Those who have heard it from the
// last first wait for half a round trip, so that all start at about the same time.
func (m *lobbying) startWhenReady() {
	if m.phase == Connecting && len(m.links) == 0 {
		m.opened()
	}
	if m.phase != Starting {
		return
	}
	trip := time.Duration(0)
	for _, l := range m.links {
		if l.state != gone && !m.cfg.host() { // who is gone does not begin it, or the log says what becomes of it
			trip = max(trip, l.RoundTrip.Smoothed)
		}
	}
	if m.lobby.Starts(m.now, m.notGone(), trip) {
		m.enterPlaying()
	}
}

// receiveRefusal ends the proposal. The message comes from the peer that refuses, or from the host,
// which passes it on after the offer.
func (m *lobbying) receiveRefusal(l *link, b []byte) error {
	players, b, err := m.cfg.consumeSet(b)
	if err != nil {
		return err
	}
	reason := cut(string(b))
	if players &^= m.cfg.Local; players == 0 {
		players = l.players
	}
	// A host that gave up waiting has not heard from us that we were ready.
	unheard := m.phase == Playing && l.players.Has(0) && m.sim.Agreed() == 0
	if m.phase != Starting && m.phase != Connecting && !unheard {
		return nil
	}
	if unheard {
		m.enterStarting()
	}
	m.events.Add(Event{What: Refused, Players: players, Match: m.lobby.Number(), Text: reason})
	if m.cfg.host() {
		m.tell(m.refusal(players, reason), players)
	}
	if !m.cfg.Lobby {
		m.fail(&RefusedError{players, reason})
		return nil
	}
	m.withdraw()
	return nil
}

// enterPlaying begins with frame 0.
func (m *lobbying) enterPlaying() {
	m.phase = Playing
	m.match.stalls.Reminder.End()
	m.match.schedule.Begin(m.now)
	m.adaptDelay()
	m.events.Add(Event{What: Started, Players: m.lobby.At().Founders, Match: m.match.number})
	if m.audience != nil {
		if err := m.audience.Begin(&m.lobby.At().Offer); err != nil {
			m.fail(err)
		}
	}
	if m.stream.Recording.Pending() {
		m.recordFrom(0, nil)
	}
}
