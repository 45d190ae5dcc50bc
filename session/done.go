package session

import (
	"iter"
	"slices"
	"time"

	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// closing ends a match: it waits until all peers know how it ended.
type closing struct{ admitting }

// Outcome returns the outcome of the last match; ok is false if there is none.
func (m *Machine) Outcome() (Outcome, bool) { return m.match.End().Outcome() }

// finish enters Ending after the last frame is agreed.
func (m *closing) finish() {
	if !m.resimulate() {
		return
	}
	m.enterEnding()
	o := m.outcomeAt(m.match.Limit())
	m.match.End().Finish(o)
	if m.audience != nil {
		m.audience.Finish(spectate.End{
			Frames: uint32(o.Frames), Hash: o.Hash, Chain: o.Chain, Result: o.Result, Finished: o.Finished, Gone: uint16(o.Left),
		})
	}
	m.endRecording(&RecordEnd{Ended: true, Outcome: o})
}

// outcomeAt returns the outcome after the given number of frames, as far as it is known here.
func (m *closing) outcomeAt(frames Frame) Outcome {
	s := Summary{
		Frames: frames, Hash: m.stream.Chain.HashAt(frames), Chain: m.stream.Chain.Value(),
		Resimulated: m.sim.Stats().Resimulated, Health: m.stream.Chain.Health(),
	}
	o := Outcome{Match: m.match.Number(), Summary: s, Left: m.match.End().Lost()}
	if m.match.Log() != nil {
		o.Left |= m.match.Log().State().Gone(frames) & m.cfg.everybody()
	}
	if out, ok := m.sim.Result(); ok {
		o.Result, o.Finished = out.Result, true
	}
	return o
}

// endAtAgreed ends a match, whose real end is unknown here, with the frames that are agreed.
func (m *closing) endAtAgreed(err error) {
	if m.phase == Playing && !m.resimulate() {
		return
	}
	o := m.outcomeAt(min(m.sim.Agreed(), m.frame)) // after a pause, frames may be agreed that have not run here
	m.match.End().EndAtAgreed(o)
	m.events.Add(Event{What: Ended, Match: m.match.Number(), Frame: o.Frames})
	m.fail(err)
}

// receiveDone handles the summary of a peer that has reached the end.
func (m *closing) receiveDone(l *link, b []byte) error {
	summary, err := stream.ConsumeSummary(b)
	if err != nil {
		return err
	}
	most := m.confirmedToTell() // no peer agrees on more frames than we have confirmed
	if m.match.End().Removed() != nil {
		most = m.inputs.Sampled() // if we are removed: no more frames than the peer has inputs of ours
	} else if m.match.Log() != nil {
		if back := m.match.Log().State().Absent[m.local[0]].Back; back != NoFrame {
			most = max(most, back) // before we joined, the peers did not need us
		}
	}
	if summary.Frames > min(most, m.match.Limit()) {
		return datagram.ErrRange
	}
	l.summary, l.done = summary, true
	l.confirmed = max(l.confirmed, l.summary.Frames)
	return nil
}

// sendSummaries sends each peer, once, how the match ended here. That includes a peer that joins, by the log, while
// the others wait at the end. A peer that was removed, but was in the match until its last frame, also gets the
// inputs that it may lack.
func (m *closing) sendSummaries() {
	o, _ := m.match.End().Outcome()
	for _, l := range m.links {
		heir := l.state == gone && m.match.ToTheEnd(l.players) && (!m.cfg.continues() || m.match.End().KnowAllEntries(l.players))
		if l.summed || l.state != connected && !heir {
			continue
		}
		if l.summed = true; heir {
			for p := range (m.cfg.everybody() &^ l.players).All() {
				m.sendFill(l, p, l.confirmed, o.Frames)
			}
		}
		m.post(l, o.Summary.Append(m.begins(messageDone)))
	}
}

// awaitPeersAtEnd waits until all peers have reported their end of the match, and know ours.
func (m *closing) awaitPeersAtEnd() {
	e := m.match.End()
	leaving, why := e.Leaving()
	if leaving == match.Staying {
		o, _ := e.Outcome()
		m.sendSummaries()
		for _, l := range m.links { // a difference that is found only now can still be explained
			if l.done && !l.ended {
				l.ended = true
				m.verdict(l, o.Compare(&l.summary))
			}
		}
	}
	patient := m.now-m.since <= m.endTimeout()
	told := m.playersWhere(func(l *link) bool { return l.done }) // if we are removed, one peer is enough
	if patient && (e.Removed() == nil || told == 0) && slices.ContainsFunc(m.links, m.awaitedAtEnd) {
		return
	}
	if leaving != match.Staying {
		m.enterOver(why)
		return
	}
	if !patient || !m.inquiry.busy() {
		m.completeOutcome()
	}
}

// awaitedAtEnd reports whether a peer has not reported its end of the match, or does not know ours.
func (m *closing) awaitedAtEnd(l *link) bool {
	switch {
	case l.state != connected:
		return false
	case l.Channel.Pending() != 0:
		return true
	case m.match.End().Stays():
		return !l.done
	}
	leaving, _ := m.match.End().Leaving()
	return leaving == match.LeavingByLog && m.logged() || leaving >= match.LeavingByLog && m.inputs.Unacknowledged(&l.Peer) > 0
}

// endTimeout returns how long to wait for the peers at the end. If a peer is gone, the session ends after that
// wait, and a peer that has not heard where the match ended would never hear it. So the wait is longer than any
// interruption that loses nobody. It is also longer while a desync is being explained.
func (m *closing) endTimeout() time.Duration {
	longest := m.cfg.Linger
	if !m.match.End().Stays() || m.match.End().Removed() != nil {
		return longest
	}
	if m.playersWhere(func(l *link) bool { return l.state != connected }) != 0 {
		longest = m.cfg.DropAfter + m.cfg.Linger
	}
	if !m.inquiry.quiet() {
		longest = max(longest, explaining*m.cfg.Linger)
	}
	return longest
}

// reports yields what each peer has said about the end of the match.
func (m *closing) reports() iter.Seq[match.Report] {
	return func(yield func(match.Report) bool) {
		for _, l := range m.links {
			r := match.Report{Connected: l.state == connected}
			if l.done {
				r.Summary = &l.summary
			}
			if !yield(r) {
				return
			}
		}
	}
}

// completeOutcome completes the outcome with the reports of the peers and goes back to the lobby.
func (m *closing) completeOutcome() {
	o, _ := m.match.End().Outcome()
	for _, l := range m.links {
		if l.done && l.summary.Health == Desynced {
			m.reportDesync(l, stream.Verdict{Frame: o.Frames}) // as the peer reports
		}
	}
	m.match.End().Complete(m.reports(), m.stream.Chain.Health())
	m.events.Add(Event{What: Ended, Match: o.Match, Frame: o.Frames})
	if why := m.match.End().Removed(); why != nil {
		m.fail(why)
		return
	}
	m.enterLobby()
}

// enterEnding starts waiting for the peers: the last frame is agreed, or we leave.
func (m *closing) enterEnding() {
	m.pacing.schedule.End(m.now)
	m.enter(Ending)
	m.eager(true)
}
