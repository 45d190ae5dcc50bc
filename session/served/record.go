package served

import (
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// Record gives a recorder every tick from the next one on. A game without Marshal can only be
// recorded from its first tick on. Errors are session.ErrRecording, [*rollback.CapabilityError],
// that of encoding the state, and that of a server that is over.
func (h *Host) Record(r stream.Recorder, wants stream.Wants) error {
	if h.phase != session.Playing {
		return ErrEnd
	}
	return h.log.record(r, wants)
}

// StopRecording ends the recording. The recorder is told that nothing more comes.
func (h *Host) StopRecording(why error) {
	h.log.stream.Recording.End(&stream.End{Failed: why})
	h.log.listen()
}

// Recorded adds the event that a recording is complete.
func (h *Host) Recorded(next Frame, why string) {
	h.events.Add(Event{What: event.Recorded, Frame: next, Text: why})
}
