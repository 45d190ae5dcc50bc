package served

import (
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// Record makes a recorder record every tick from the next one on; with a Journal, from the first tick of the match on. A game without Marshal can only be recorded from
// its first tick on. Errors are session.ErrRecording, [*rollback.CapabilityError], an error from encoding the
// state, and [ErrEnd] if the match is over.
func (h *Host) Record(r stream.Recorder, wants stream.Wants) error {
	if h.phase != session.Playing {
		return ErrEnd
	}
	return h.log.record(r, wants, h.journal.to)
}

// StopRecording ends the recording and tells the recorder so.
func (h *Host) StopRecording(why error) {
	h.log.stream.Recording.End(&stream.End{Failed: why})
	h.log.listen(h.journal.to != nil)
}

// Recorded adds the event that a recording is complete.
func (h *Host) Recorded(next Frame, why string) {
	h.events.Add(Event{What: event.Recorded, Frame: next, Text: why})
}
