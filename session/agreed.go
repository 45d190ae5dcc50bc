package session

import (
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Aliases of package stream, for code that imports only this package. They describe what this machine and its peers
// agree on in a match.
type (
	// Parameters are the parameters of a match, as proposed by the host; see [stream.Parameters].
	Parameters = stream.Parameters
	// Summary is what a peer reports at the end of a match; see [stream.Summary].
	Summary = stream.Summary
	// Outcome is how a match ended; see [stream.Outcome].
	Outcome = stream.Outcome
	// Health says whether the peers of a match had equal states; see [stream.Health].
	Health = stream.Health
	// EntryKind is the kind of an [Entry]; see [stream.EntryKind].
	EntryKind = stream.EntryKind
	// Entry is one line of the membership log of a match; see [stream.Entry].
	Entry = stream.Entry
	// Recorder records what is agreed in a match; see [stream.Recorder].
	Recorder = stream.Recorder
	// RecordWants says what a recording contains besides frames; see [stream.Wants].
	RecordWants = stream.Wants
	// RecordBegin describes what is recorded; see [stream.Begin].
	RecordBegin = stream.Begin
	// RecordEnd says how a recording ends; see [stream.End].
	RecordEnd = stream.End
)

// Values and limits of these types; see package stream.
const (
	Unverified = stream.Unverified
	Healthy    = stream.Healthy
	Desynced   = stream.Desynced

	EntryLeave  = stream.EntryLeave
	EntryDrop   = stream.EntryDrop
	EntryEnd    = stream.EntryEnd
	EntryKick   = stream.EntryKick
	EntryJoin   = stream.EntryJoin
	EntryPause  = stream.EntryPause
	EntryResume = stream.EntryResume

	MaxData = stream.MaxData
)

// ErrRecording means that a recording is already running.
var ErrRecording = stream.ErrRecording

// Health reports whether the states of all peers in the current match are equal, as far as is known.
func (m *Machine) Health() Health { return m.stream.Chain.Health() }

// takeFrame handles the next agreed frame.
func (m *readers) takeFrame(f *stream.Frame) {
	if err := m.stream.Take(f); err != nil {
		m.fail(err)
	}
	chain, next := &m.stream.Chain, m.stream.Next()
	if !chain.Known() {
		return
	}
	if j := m.lateJoin; j != nil {
		if err := j.checkState(next); err != nil {
			m.fail(&JoinError{Why: err.Error()})
			return
		}
	}
	m.setComplete(f.Last || next == m.match.Limit())
	if m.match.Log() == nil || m.lateJoin.observing() {
		return
	}
	value, due := chain.Point(next)
	if !due {
		return
	}
	for _, l := range m.links {
		if l.state == connected && next > l.chainFrom {
			b := le.AppendUint32(m.begins(messageChain), uint32(next))
			m.post(l, le.AppendUint64(b, value))
		}
		m.compareChain(l)
	}
}

// receiveChain handles a chain value from a peer, for a frame for which that peer had our inputs.
func (m *readers) receiveChain(l *link, b []byte) error {
	if len(b) != 12 {
		return datagram.ErrShort
	}
	if err := m.stream.Chain.Receive(&l.chain, Frame(le.Uint32(b)), le.Uint64(b[4:]), m.inputs.Sampled()); err != nil {
		return err
	}
	m.compareChain(l)
	return nil
}

// compareChain compares the chain values that both sides have.
func (m *readers) compareChain(l *link) {
	for v, ok := m.stream.Chain.Compare(&l.chain); ok; v, ok = m.stream.Chain.Compare(&l.chain) {
		m.verdict(l, v)
	}
}

// verdict handles the result of a comparison, unless nothing has been hashed.
func (m *readers) verdict(l *link, v stream.Verdict) {
	if m.stream.Chain.Hashed() == 0 {
		return
	}
	if !v.Same {
		m.reportDesync(l, v)
		return
	}
	l.chain.Note(v)
	if all := m.equal(); all != NoFrame {
		m.inquiry.verified(all)
		m.stream.Chain.Verified(all)
	}
	for _, other := range m.links {
		if other.alive() && !other.chain.Compared() {
			return
		}
	}
	m.stream.Chain.Confirm()
}

func (m *readers) reportDesync(l *link, v stream.Verdict) {
	if m.stream.Chain.Differ() {
		m.events.Add(Event{What: Desync, Players: l.players, Frame: v.Frame, Ours: v.Ours, Theirs: v.Theirs})
	}
	if m.match.End().Stays() {
		m.inquiry.suspect(v.Frame, m.now)
	}
}
