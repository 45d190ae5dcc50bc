package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// Record gives a recorder every tick from the next one on. A game without Marshal can only be
// recorded from its first tick on. Errors are session.ErrRecording, [*rollback.CapabilityError],
// that of encoding the state, and that of a server that is over.
func (h *Host) Record(r stream.Recorder, wants stream.Wants) error {
	f := h.world.Frame()
	switch {
	case h.phase != session.Playing:
		return ErrEnd
	case h.stream.Tape.On():
		return session.ErrRecording
	case f > 0 && !h.world.Marshals():
		return &rollback.CapabilityError{Missing: "Marshal", For: "a recording that begins in the middle of a match"}
	}
	b := stream.Begin{Match: 1, Parameters: h.cfg.Match, Initial: h.offer.State, Shape: h.shape(), First: f}
	if f > 0 {
		var err error
		if b.State, err = h.world.Marshal(nil, f); err != nil {
			return err
		}
	}
	h.stream.Tape.Arm(r, wants)
	h.stream.Tape.Start(b)
	h.listen()
	return nil
}

// keep records the state before a tick, if it is wanted.
func (h *Host) keep(f Frame) {
	if t := &h.stream.Tape; t.Misses(f) {
		encoded, err := h.world.Marshal(nil, f)
		t.Keep(f, encoded, err)
	}
}

// StopRecording ends the recording. The recorder is told that nothing more comes.
func (h *Host) StopRecording(why error) {
	h.stream.Tape.End(&stream.End{Failed: why})
	h.listen()
}

// Recorded adds the event that a recording is complete.
func (h *Host) Recorded(next Frame, why string) {
	h.events.Add(Event{What: event.Recorded, Frame: next, Text: why})
}
