package session

import (
	"time"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/wire/datagram"
)

// Outcome returns how the last match ended, and whether one has.
func (m *Machine) Outcome() (Outcome, bool) { return m.end.outcome, m.end.over }

// finish enters Ending: all that is to be agreed is.
func (m *Machine) finish() {
	if !m.settle() {
		return
	}
	m.end.playing = true
	m.enterEnding()
	o := m.outcomeAt(m.match.limit)
	m.end.outcome = o
	m.showEnd(&o)
	m.recordEnd(&o)
	for _, l := range m.links {
		if m.inherited(l) {
			m.bequeath(l, o.Frames)
			m.sendSummary(l, o.Summary)
		}
	}
}

// sendSummaries tells each peer once how the match ends here: also one that joins, by the
// log, while the others wait at the end.
func (m *Machine) sendSummaries() {
	for _, l := range m.links {
		if l.state == connected && !l.summed {
			l.summed = true
			m.sendSummary(l, m.end.outcome.Summary)
		}
	}
}

// settle simulates again what has to be, and agrees on it. It reports whether the match is
// still played.
func (m *Machine) settle() bool {
	if err := m.sim.Settle(); err != nil {
		m.fail(err)
		return false
	}
	m.capture()
	m.agree()
	return m.phase == Playing
}

// outcomeAt is how the match ends after so many frames, as far as it is known here.
func (m *Machine) outcomeAt(frames Frame) Outcome {
	s := Summary{
		Frames: frames, Hash: m.stream.Chain.HashAt(frames), Chain: m.stream.Chain.Value(),
		Resimulated: m.sim.Stats().Resimulated, Health: m.Health(),
	}
	o := Outcome{Match: m.match.number, Summary: s, Left: m.end.lost | m.absent(s.Frames)}
	if out, ok := m.sim.Result(); ok {
		o.Result, o.Finished = out.Result, true
	}
	return o
}

func (m *Machine) sendSummary(l *link, s Summary) { m.post(l, s.Append(m.begins(messageDone))) }

// receiveDone is a peer that has come to the end.
func (m *Machine) receiveDone(l *link, b []byte) error {
	summary, err := stream.ConsumeSummary(b)
	if err != nil {
		return err
	}
	most := max(m.tellable(), m.returning()) // nobody agrees on more than we have told, or than needs us,
	if m.end.removed != nil {
		most = m.sampled() // or than they have of us, if we are out
	}
	most = min(most, m.match.limit)
	if summary.Frames > most {
		return datagram.ErrRange
	}
	l.summary, l.done = summary, true
	l.confirmed = max(l.confirmed, l.summary.Frames)
	return nil
}

// returning is the frame from which on the players here are in the match again, or for the
// first time, by the log; 0 if they are not away.
func (m *Machine) returning() Frame {
	if m.core != nil {
		if back := m.core.State().Absent[m.local[0]].Back; back != NoFrame {
			return back
		}
	}
	return 0
}

// linger waits until all have told that they are at the end, and know that we
// are.
func (m *Machine) linger() {
	if !m.end.leaving {
		m.sendSummaries()
		m.compareSummaries()
	}
	patient := m.now-m.end.since <= m.patience() && (m.end.removed == nil || !m.toldUs())
	for _, l := range m.links {
		if l.state != connected || !patient {
			continue
		}
		told := l.done || m.end.leaving
		if !told || l.Channel.Pending() != 0 || m.end.leaving && m.end.playing && !m.delivered(l) {
			return
		}
		if m.end.leaving && m.end.playing && m.logged() && !m.end.resigned {
			return
		}
	}
	if m.end.leaving {
		m.enterOver(m.end.why)
		return
	}
	if m.inquiring() && m.now-m.end.since <= m.patience() {
		return
	}
	m.conclude()
}

// toldUs reports whether anybody has told that it is at the end.
func (m *Machine) toldUs() bool {
	return m.missing(func(l *link) bool { return l.done }) != 0
}

// patience is how long to wait for the others at the end. If somebody is gone, the
// session is over then, and whoever has not heard by then where the match ended never
// would: an interruption that loses nobody must not keep it from them. And a desync
// wants to be explained.
func (m *Machine) patience() time.Duration {
	longest := m.cfg.Linger
	if m.end.leaving || m.end.removed != nil {
		return longest
	}
	for _, l := range m.links {
		if l.state != connected {
			longest = m.cfg.DropAfter + m.cfg.Linger
		}
	}
	if m.inquiry != nil && !m.inquiry.Quiet() {
		longest = max(longest, explaining*m.cfg.Linger)
	}
	return longest
}

// compareSummaries compares the ends of the match: what differs only there is
// explained before it is over.
func (m *Machine) compareSummaries() {
	for _, l := range m.links {
		if l.done && !l.ended {
			l.ended = true
			m.verdict(l, m.end.outcome.Compare(&l.summary))
		}
	}
}

// delivered reports whether a peer has all inputs that we have sampled.
func (m *Machine) delivered(l *link) bool {
	for i, p := range m.local {
		if l.acked[i] != m.history[p].Next() {
			return false
		}
	}
	return true
}

// conclude compares what all have told, and goes back to the lobby, if all are
// still there.
func (m *Machine) conclude() {
	o := &m.end.outcome
	o.Told = true
	least, most, sum := o.Resimulated, o.Resimulated, o.Resimulated
	silent := false
	for _, l := range m.links {
		if !l.done {
			o.Told = false
			silent = silent || l.state == connected && m.end.removed == nil // they say nothing to us any more
			continue
		}
		if l.summary.Health == Desynced {
			m.desynced(l, stream.Verdict{Frame: o.Frames}) // as it says
		}
		least, most = min(least, l.summary.Resimulated), max(most, l.summary.Resimulated)
		sum += l.summary.Resimulated
	}
	if o.Told && sum > 0 {
		o.Fairness = int((most - least) * 10000 / sum)
	}
	if o.Health = m.Health(); silent && o.Health == Healthy {
		o.Health = Unverified // of the last frames
	}
	m.end.over, m.end.playing = true, false
	m.events.add(Event{What: Ended, Match: o.Match, Frame: o.Frames})
	if m.end.removed != nil {
		m.fail(m.end.removed)
		return
	}
	m.enterLobby()
}

// absent are the players who were not there after so many frames, by the log.
func (m *Machine) absent(f Frame) (players PlayerSet) {
	if m.core == nil {
		return 0
	}
	for p, a := range m.core.State().Absent[:m.cfg.Players] {
		if a.From != NoFrame && a.From <= f && f < a.Back {
			players |= PlayerSet(1) << p
		}
	}
	return players
}
