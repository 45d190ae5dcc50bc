package session

import (
	"slices"

	"github.com/tickback/tickback/session/desync"
)

// messageDesync is the first of the kinds of messages of an investigation:
// messageDesync + k is desync.Kind k, about a match.
const messageDesync = 16

// explaining is how many times Config.Linger the end of a match waits for a desync
// to be explained.
const explaining = 3

// seatInquiry sets up who finds out how the states came to differ.
func (m *Machine) seatInquiry() {
	s := desync.Setup{
		Own: byte(m.cfg.Local), Machine: m.cfg.Machine, Game: m.sim, Evidence: &m.evidence,
		Send: m.sendDesync, Period: m.nominal, Patience: m.cfg.DropAfter,
		Ready: func(peer int) bool { return m.links[peer].Channel.Pending() < desync.MaxWaiting },
	}
	for _, l := range m.links {
		s.Peers = append(s.Peers, byte(l.players))
	}
	m.inquiry, m.inquirers = desync.New(s), len(s.Peers)
}

func (m *Machine) sendDesync(peer int, kind desync.Kind, body []byte) {
	if l := m.links[peer]; l.state == connected {
		m.post(l, append(m.begins(messageDesync+byte(kind)), body...))
	}
}

// receiveDesync is a message of an investigation of the match that was set up here.
func (m *Machine) receiveDesync(l *link, kind desync.Kind, b []byte) error {
	if m.inquiry == nil || m.match.number != m.matchAtHand() || m.match.number == 0 || l.state != connected {
		return nil
	}
	peer := slices.Index(m.links, l)
	if peer >= m.inquirers {
		return nil // it has come later, and knows too little
	}
	return m.inquiry.Receive(peer, kind, b, m.now)
}

// suspect has it found out how states up to this one came to differ.
func (m *Machine) suspect(f Frame) {
	if m.inquiry != nil && !m.end.leaving {
		m.inquiry.Suspect(uint32(f), m.now)
	}
}

// inquire goes on with an investigation, and tells what has come of it.
func (m *Machine) inquire() {
	if m.inquiry == nil || m.inquiry.Quiet() {
		return
	}
	for i, l := range m.links[:m.inquirers] {
		if l.state != connected {
			m.inquiry.Lost(i)
		}
	}
	m.inquiry.Update(m.now)
	report, why, ok := m.inquiry.Result()
	if !ok || report == nil && m.Health() != Desynced {
		return // what a peer suspected was nothing
	}
	m.events.add(Event{What: Reported, Match: m.match.number, Text: why, Data: slices.Clone(report)})
}

// inquiring reports whether an investigation is under way.
func (m *Machine) inquiring() bool { return m.inquiry != nil && m.inquiry.Busy() }

// Report returns the report on the desync of the last match, as bytes for
// desync.Decode, or nil if there is none (yet). It is the session's; do not change
// it.
func (m *Machine) Report() []byte {
	if m.inquiry == nil {
		return nil
	}
	return m.inquiry.Report()
}
