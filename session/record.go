package session

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
)

// Record makes a recorder record the agreed frames of the current match, from a final state on, or, if no match is
// running, of the next one. A match that has just begun is recorded from frame 0. A game without Marshal can only
// be recorded that way (otherwise the error is a [*rollback.CapabilityError]). Other errors are [ErrRecording], and
// the error of a session that is over.
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
		// A match will begin later, or we are about to join one.
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

// StopRecording ends the recording and tells the recorder so.
func (m *Machine) StopRecording(why error) { m.endRecording(&RecordEnd{Failed: why}) }

// Recorded adds the event that a recording is complete.
func (m *Machine) Recorded(next Frame, why string) {
	m.events.Add(Event{What: Recorded, Frame: next, Text: why})
}

// collect keeps the states that a recording needs.
func collect(t *stream.Recording, sim simulation) {
	if t.On() { // the conversion to an interface costs more than the rest does without a recording
		t.Collect(sim)
	}
}

// recordHere begins a recording at a state that is held.
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

// recordFrom begins a recording at frame f, with its encoded state.
func (m *readers) recordFrom(f Frame, encoded []byte) {
	o := &m.lobby.At().Offer
	m.stream.Recording.Start(RecordBegin{
		Match: m.match.Number(), Parameters: stream.ParametersOf(o), Initial: o.State,
		Shape: m.shape(), First: f, State: encoded,
	})
}

// endRecording ends the recording, if there is one.
func (m *readers) endRecording(e *RecordEnd) {
	if !m.stream.Recording.On() {
		return
	}
	e.Log = m.match.Entries()
	m.stream.Recording.End(e)
	m.setEncoding()
}

// setEncoding turns on the encoding of agreed frames while a reader needs it.
func (m *readers) setEncoding() { m.sim.encode(m.audience != nil || m.stream.Recording.On()) }
