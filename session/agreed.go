package session

import (
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// What a match agrees on at this machine has a room of its own; see package stream.
type (
	// Parameters are what the host proposes for a match; see [stream.Parameters].
	Parameters = stream.Parameters
	// Summary is what a peer says at the end of a match; see [stream.Summary].
	Summary = stream.Summary
	// Outcome is how a match ended; see [stream.Outcome].
	Outcome = stream.Outcome
	// Health says whether the peers of a match have been in the same states; see
	// [stream.Health].
	Health = stream.Health

	// EntryKind is what an [Entry] says; see [stream.EntryKind].
	EntryKind = stream.EntryKind
	// Entry is one line of the membership log of a match; see [stream.Entry].
	Entry = stream.Entry

	// Recorder takes what is agreed in a match, for a recording; see [stream.Recorder].
	Recorder = stream.Recorder
	// RecordWants is what a recording has besides frames; see [stream.Wants].
	RecordWants = stream.Wants
	// RecordBegin says what is recorded; see [stream.Begin].
	RecordBegin = stream.Begin
	// RecordEnd says how a recording ends; see [stream.End].
	RecordEnd = stream.End
)

const (
	// Unverified: nothing has been compared yet, or with not all peers.
	Unverified = stream.Unverified
	// Healthy: everything that was compared was equal.
	Healthy = stream.Healthy
	// Desynced: a peer had another state than this one. It stays so.
	Desynced = stream.Desynced

	// EntryLeave: the players left by themselves.
	EntryLeave = stream.EntryLeave
	// EntryDrop: the players were lost.
	EntryDrop = stream.EntryDrop
	// EntryEnd: the match ends for all after so many frames.
	EntryEnd = stream.EntryEnd
	// EntryKick: the players were sent away.
	EntryKick = stream.EntryKick
	// EntryJoin: the players have come.
	EntryJoin = stream.EntryJoin
	// EntryPause: no frame runs from there on, until EntryResume.
	EntryPause = stream.EntryPause
	// EntryResume: frames run again.
	EntryResume = stream.EntryResume

	// MaxData is the most bytes of the game's own in [Parameters].
	MaxData = stream.MaxData
)

var (
	// ErrRecording is a second recording at one time.
	ErrRecording = stream.ErrRecording
	// ErrUnrecorded is a recording that ended before anything could be recorded.
	ErrUnrecorded = stream.ErrUnrecorded
	// ErrRecordGap is a recording that cannot go on, because agreed frames were left out.
	ErrRecordGap = stream.ErrRecordGap
)

// Health returns the verdict so far on the match at hand.
func (m *Machine) Health() Health { return m.stream.Chain.Health() }

// record takes the next agreed frame.
func (m *Machine) record(f stream.Frame) {
	if err := m.stream.Take(&f); err != nil {
		m.fail(err)
	}
	chain, next := &m.stream.Chain, m.stream.Next()
	if !chain.Known() {
		return
	}
	m.match.complete = f.Last || next == m.match.limit
	if m.core == nil || m.observing() {
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

// receiveChain is the value of a peer's chain. It is not ahead of what we have told.
func (m *Machine) receiveChain(l *link, b []byte) error {
	if len(b) != 12 {
		return datagram.ErrShort
	}
	if err := m.stream.Chain.Hear(&l.chain, Frame(le.Uint32(b)), le.Uint64(b[4:]), m.sampled()); err != nil {
		return err
	}
	m.compareChain(l)
	return nil
}

// compareChain compares what we both have.
func (m *Machine) compareChain(l *link) {
	for v, ok := m.stream.Chain.Compare(&l.chain); ok; v, ok = m.stream.Chain.Compare(&l.chain) {
		m.verdict(l, v)
	}
}

// verdict takes note of a comparison. With nothing hashed there is nothing to say.
func (m *Machine) verdict(l *link, v stream.Verdict) {
	if m.stream.Chain.Hashed() == 0 {
		return
	}
	if !v.Same {
		m.desynced(l, v)
		return
	}
	l.chain.Note(v)
	m.verified()
	for _, other := range m.links {
		if other.alive() && !other.chain.Compared() {
			return
		}
	}
	m.stream.Chain.Confirm()
}

func (m *Machine) desynced(l *link, v stream.Verdict) {
	if m.stream.Chain.Differ() {
		m.events.add(Event{What: Desync, Players: l.players, Frame: v.Frame, Ours: v.Ours, Theirs: v.Theirs})
	}
	m.suspect(v.Frame)
}
