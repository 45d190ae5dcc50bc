package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Proposal returns the parameters and the number of the match that is proposed or played. The first match has
// number 1. The number is 0 if there is none.
func (m *Machine) Proposal() (Parameters, uint32) {
	p := m.lobby.At()
	if p == nil {
		return Parameters{}, 0
	}
	return stream.ParametersOf(&p.Offer), p.Offer.Match
}

// Propose proposes a match to all peers, and implies that we are ready for it. Only the host can do so, and only in
// the lobby; otherwise the error is [ErrNotHost] or [ErrPhase]. If this machine cannot play a match with these
// parameters, the error is the one of the hook.
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
	if err := m.prepare(m.match.Number()+1, p); err != nil {
		return err
	}
	m.enterStarting()
	for _, l := range m.links {
		m.sendProgress(l)
	}
	return nil
}

// prepare creates state 0 of a match that we propose.
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

// receiveProposal handles the host's proposal.
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

// takeProposal accepts a proposal, which may arrive more than once, if it is the host's.
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

// Accept accepts the match that the host proposes, and creates state 0. If the hook refuses the parameters, all
// peers get the reason, and Accept returns the error of the hook.
func (m *Machine) Accept() error {
	defer m.handleLosses()
	return m.accept()
}

func (m *lobbying) accept() error {
	if m.lobby.Stage() != lobby.Offered || m.phase > Starting {
		return match.PhaseError("there is no proposal to accept")
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
	if err := admission.CompareBegin(m.host().players, state, p.Offer.State, false); err != nil {
		m.refuse(reasonOf(err))
		return err
	}
	m.lobby.Accept(m.host().players)
	m.tell(m.begins(messageAccept), 0)
	return nil
}

// Refuse refuses the match that the host proposes. The reason is at most 256 bytes of text. All peers go back to
// the lobby.
func (m *Machine) Refuse(reason string) error {
	defer m.handleLosses()
	if m.lobby.Stage() == lobby.Idle || m.phase > Starting || m.cfg.host() {
		return match.PhaseError("there is no proposal to refuse")
	}
	m.refuse(reason)
	return nil
}

func (m *lobbying) refuse(reason string) {
	m.tell(m.refusal(m.cfg.Local, reason), 0)
	m.withdraw()
}

// withdraw ends a proposal that will not be played. Its number is not used again.
func (m *lobbying) withdraw() {
	if m.lobby.Stage() == lobby.Idle {
		return
	}
	m.match.Withdraw(m.lobby.Number())
	m.lobby.Clear()
	if m.phase == Starting {
		m.enterLobby()
	}
}

// Ready says that we can start the match that we have accepted: everything is loaded. The match starts when all
// peers are ready.
func (m *Machine) Ready() error {
	defer m.handleLosses()
	return m.ready()
}

func (m *lobbying) ready() error {
	if m.phase > Starting || !m.lobby.Ready(m.now) {
		return match.PhaseError("no match has been accepted")
	}
	m.tell(m.begins(messageReady), 0)
	return nil
}

// Send sends a message to the applications of these players, in the lobby or while playing: 1 to [MaxMessage]
// bytes, which arrive complete and in order. If too much is waiting to be sent, the error is the one of the
// channel.
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
		if err := l.Channel.Send(m.keep(append(append(m.message[:0], messageApplication), data...))); err != nil {
			return fmt.Errorf("session: to %v: %w", l.players, err)
		}
		m.counts.countSent()
	}
	return nil
}

// sendProgress sends a newly connected peer our stage in the lobby.
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

// startWhenReady starts the match when everybody is ready. A machine that has the news from the last peer first
// waits for half a round trip, so that all start at about the same time.
func (m *lobbying) startWhenReady() {
	if m.phase == Connecting && len(m.links) == 0 {
		m.opened()
	}
	if m.phase != Starting {
		return
	}
	trip := time.Duration(0)
	for _, l := range m.links {
		if l.state != gone && !m.cfg.host() { // a peer that is gone does not begin the match, or the log decides about it
			trip = max(trip, l.RoundTrip.Smoothed)
		}
	}
	if m.lobby.Starts(m.now, m.notGone(), trip) {
		m.enterPlaying()
	}
}

// receiveRefusal ends the proposal. The message comes from the peer that refuses, or from the host, which forwards
// it after the offer.
func (m *lobbying) receiveRefusal(l *link, b []byte) error {
	players, b, err := m.cfg.consumeSet(b)
	if err != nil {
		return err
	}
	reason := cut(string(b))
	if players &^= m.cfg.Local; players == 0 {
		players = l.players
	}
	// A host that gave up waiting did not receive our message that we were ready.
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

// enterPlaying begins the match with frame 0.
func (m *lobbying) enterPlaying() {
	m.enter(Playing)
	m.pacing.stalls.Reminder.End()
	m.pacing.schedule.Begin(m.now)
	m.adaptDelay()
	m.events.Add(Event{What: Started, Players: m.lobby.At().Founders, Match: m.match.Number()})
	if m.audience != nil {
		if err := m.audience.Begin(&m.lobby.At().Offer); err != nil {
			m.fail(err)
		}
	}
	if m.stream.Recording.Pending() {
		m.recordFrom(0, nil)
	}
}
