package served

import (
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// verify compares the last state, which may be nil, with the server's hash of it, once both are available. With partial
// sight both refer to the state reduced to what this client may know.
func (k *clientMatch[S, I]) verify(m *match, last *S) {
	plan := k.inquiry.states
	if !m.over || m.verified || plan == nil || last == nil {
		return
	}
	m.verified = true
	o := &m.outcome
	if ours := plan.Hash(last); o.Hash != 0 && ours != o.Hash && k.health != stream.Desynced {
		k.health = stream.Desynced
		k.events.Add(Event{What: event.Desync, Frame: o.Frames, Ours: ours, Theirs: o.Hash, Text: "the server"})
	}
	o.Health = max(o.Health, k.health)
}
