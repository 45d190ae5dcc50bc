package session

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
)

// Record gives a recorder the agreed frames of the match that is played, from a final state on, or,
// if none is played, of the next one. A match that has just begun is recorded from frame 0. That of
// a game without Marshal can only be recorded so (else [*rollback.CapabilityError]). Other errors
// are [ErrRecording], and that of a session that is over.
func (m *Machine) Record(r Recorder, wants RecordWants) error {
	switch {
	case m.phase == Over:
		return m.err
	case m.stream.Recording.On():
		return ErrRecording
	}
	m.stream.Recording.Prepare(r, wants)
	var err error
	switch {
	case m.phase != Playing:
		// A match will begin, or we are about to join one.
	case m.stream.Next() == 0:
		m.recordFrom(0, nil)
	default:
		err = m.recordHere(m.sim.Final())
	}
	if err != nil {
		m.stream.Recording.Cancel()
		return err
	}
	m.setEncoding()
	return nil
}

// StopRecording ends the recording. The recorder is told that nothing more comes.
func (m *Machine) StopRecording(why error) { m.endRecording(&RecordEnd{Failed: why}) }

// Recorded adds the event that a recording is complete.
func (m *Machine) Recorded(next Frame, why string) {
	m.events.Add(Event{What: Recorded, Frame: next, Text: why})
}

// collect keeps the states that a recording wants.
func collect(t *stream.Recording, sim simulation) {
	if t.On() { // the conversion takes longer than what follows without a recording
		t.Collect(sim)
	}
}

// recordHere begins a recording with a state that is held.
func (m *readers) recordHere(f Frame) error {
	if !m.sim.Marshals() {
		return &rollback.CapabilityError{Missing: "Marshal", For: "a recording that begins in the middle of a match"}
	}
	encoded, err := m.sim.Marshal(nil, f)
	if err != nil {
		return err
	}
	m.recordFrom(f, encoded)
	return nil
}

func (m *readers) recordFrom(f Frame, encoded []byte) {
	o := &m.lobby.At().Offer
	m.stream.Recording.Start(RecordBegin{
		Match: m.match.number, Parameters: stream.ParametersOf(o), Initial: o.State,
		Shape: m.shape(), First: f, State: encoded,
	})
}

func (m *readers) endRecording(e *RecordEnd) {
	if !m.stream.Recording.On() {
		return
	}
	e.Log = m.log.before(m.match.limit)
	m.stream.Recording.End(e)
	m.setEncoding()
}

// setEncoding has agreed frames encoded while a reader needs them.
func (m *readers) setEncoding() { m.sim.encode(m.audience != nil || m.stream.Recording.On()) }
