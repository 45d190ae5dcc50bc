package session

import (
	"slices"
	"time"

	"github.com/tickback/tickback/session/desync"
)

// messageDesync is the first kind of the messages about a desync: kind messageDesync + k carries desync.Kind k, for
// a match.
const messageDesync = 16

// explaining is how long, in multiples of Config.Linger, the end of a match waits for the explanation of a desync.
const explaining = 3

// The inputs that are kept cover some comparison intervals, and this many more frames for delays, so that there is
// a snapshot to begin with.
const pastIntervals, pastFrames = 4, 1024

// inquiry explains a desync: it keeps evidence during a match and, together with the peers that began the session,
// finds the first state that differs. Peers that came later know too little. Without peers it does nothing.
type inquiry struct {
	sim      simulation
	evidence desync.Evidence
	search   *desync.Investigation // nil without peers
	peers    int                   // how many peers take part: the first links
	captured Frame                 // final states up to this one have been captured if wanted
}

// begin starts a match whose state 0 exists, with what a report says about it.
func (q *inquiry) begin(r desync.Report) {
	if q.search == nil {
		return
	}
	q.evidence.Reset()
	q.captured = q.sim.capture(&q.evidence, 0)
	q.search.Begin(r)
}

// capture keeps the states that have become final, if they are wanted.
func (q *inquiry) capture() {
	if q.search != nil {
		q.captured = q.sim.capture(&q.evidence, q.captured+1)
	}
}

// verified drops evidence older than a state that is equal at all peers.
func (q *inquiry) verified(state Frame) { q.evidence.Verified(uint32(state), uint32(q.captured)) }

// suspect starts a search for the cause of a difference in this state or an earlier one.
func (q *inquiry) suspect(state Frame, now time.Duration) {
	if q.search != nil {
		q.search.Suspect(uint32(state), now)
	}
}

// receive handles a message from the i-th peer.
func (q *inquiry) receive(i int, kind desync.Kind, b []byte, now time.Duration) error {
	if q.search == nil || i >= q.peers {
		return nil
	}
	return q.search.Receive(i, kind, b, now)
}

// quiet reports whether no desync has been suspected in this match.
func (q *inquiry) quiet() bool { return q.search == nil || q.search.Quiet() }

// busy reports whether there is something to do or to wait for.
func (q *inquiry) busy() bool { return q.search != nil && q.search.Busy() }

// stop ends the search: the session is over.
func (q *inquiry) stop() {
	if q.search != nil {
		q.search.Stop()
	}
}

// beginInquiry sets up the inquiry. A newcomer has none, since it has not seen the whole match.
func (m *readers) beginInquiry() {
	if len(m.links) == 0 {
		return
	}
	c, q := &m.cfg, &m.inquiry
	q.sim, q.peers = m.sim, len(m.links)
	q.evidence.Init(desync.Config{
		Shape:     m.shape(),
		HashEvery: uint32(max(c.HashEvery, 0)), Every: uint32(c.ChainEvery),
		Budget: max(c.Evidence, 0), Marshals: m.sim.Marshals(), Slow: m.sim.slow(),
	}, m.sim.remember(pastIntervals*c.ChainEvery+pastFrames, (c.Evidence+desync.InputShare-1)/desync.InputShare))
	if q.evidence.On() {
		m.stream.SetEvidence(&q.evidence)
	}
	setup := desync.Setup{
		Own: uint16(c.Local), Machine: c.Machine, Game: m.sim, Evidence: &q.evidence,
		Period: m.nominal, Patience: c.DropAfter,
		Ready: func(i int) bool { return m.links[i].Channel.Pending() < desync.MaxWaiting },
		Send: func(i int, kind desync.Kind, body []byte) {
			if l := m.links[i]; l.state == connected {
				m.post(l, append(m.begins(messageDesync+byte(kind)), body...))
			}
		},
	}
	for _, l := range m.links {
		setup.Peers = append(setup.Peers, uint16(l.players))
	}
	q.search = desync.New(setup)
}

// receiveDesync handles a message about a desync in the match that was set up here.
func (m *readers) receiveDesync(l *link, kind desync.Kind, b []byte) error {
	if m.match.Number() != m.lobby.Number() || m.match.Number() == 0 || l.state != connected {
		return nil
	}
	return m.inquiry.receive(slices.Index(m.links, l), kind, b, m.now)
}

// updateInquiry continues the search and reports its result.
func (m *readers) updateInquiry() {
	q := &m.inquiry
	if q.quiet() {
		return
	}
	for i, l := range m.links[:q.peers] {
		if l.state != connected {
			q.search.Lost(i)
		}
	}
	q.search.Update(m.now)
	report, why, ok := q.search.Result()
	if !ok || report == nil && m.stream.Chain.Health() != Desynced {
		return // the suspicion of a peer was unfounded
	}
	m.events.Add(Event{What: Reported, Match: m.match.Number(), Text: why, Data: slices.Clone(report)})
}

// Report returns the report on the desync of the last match, encoded for desync.Decode, or nil if there is none
// (yet). It belongs to the session and must not be modified.
func (m *Machine) Report() []byte {
	if m.inquiry.search == nil {
		return nil
	}
	return m.inquiry.search.Report()
}
