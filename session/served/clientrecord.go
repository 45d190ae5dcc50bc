package served

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// ErrPartial means that a client with partial sight cannot record: it does not know the inputs of all players. The
// server can record.
var ErrPartial = errors.New("served: a client with partial sight does not know the match, and cannot record it")

// clientRecording records the frames that a client knows completely.
type clientRecording[S any, I comparable] struct {
	stream.Recording
	engine  *rollback.Engine[S, I]
	encoder *stream.Encoder[I]
	shape   agreed.Shape
}

// from begins a recording at a known state.
func (t *clientRecording[S, I]) from(f Frame, p stream.Parameters, o *datagram.Offer) error {
	state, err := t.engine.Marshal(nil, f)
	if err == nil {
		t.Start(stream.Begin{Match: o.Match, Parameters: p, Initial: o.State, First: f, Shape: t.shape, State: state})
	}
	return err
}

// first begins a recording that has waited for the first state, now that this has arrived.
func (t *clientRecording[S, I]) first(f Frame, p stream.Parameters, o *datagram.Offer) {
	if !t.Pending() {
		return
	}
	if err := t.from(f, p, o); err != nil {
		t.End(&stream.End{Failed: err})
	}
}

// take records a tick that is completely known.
func (t *clientRecording[S, I]) take(a *rollback.Agreed[I]) {
	if !t.On() {
		return
	}
	t.Collect(states[S, I]{t.engine})
	t.Frame(t.encoder.Encode(a), a.Hash, a.Hashed)
}

// finish ends the recording if the last tick of the match has been recorded.
func (t *clientRecording[S, I]) finish(m *match) {
	if m.over && t.On() && t.engine.Agreed() >= m.outcome.Frames && t.engine.Final() >= m.outcome.Frames {
		t.End(&stream.End{Ended: true, Outcome: m.outcome})
	}
}

// states gives a recording access to the states that it may need.
type states[S any, I comparable] struct{ *rollback.Engine[S, I] }

// Marshals returns true: a client records only games that can encode a state.
func (s states[S, I]) Marshals() bool { return true }

// Record makes a recorder record every tick that is completely known, from the current known state on, or from the
// first one if none has arrived yet. The game needs Marshal, unless it is recorded from tick 0 on. Errors are
// [ErrPartial], session.ErrRecording, [*rollback.CapabilityError], and the error of a client that is over.
func (c *Client[S, I]) Record(r stream.Recorder, wants stream.Wants) error {
	switch {
	case c.phase == session.Over:
		return c.err
	case c.hooks.Sight != nil:
		return ErrPartial
	case c.recording.On():
		return session.ErrRecording
	case !rollback.CapabilitiesOf(c.game).Marshal:
		return &rollback.CapabilityError{Missing: "Marshal", For: "a recording that begins in the middle of a match"}
	}
	c.recording.Prepare(r, wants)
	if c.phase != session.Playing {
		return nil
	}
	if err := c.recording.from(min(c.engine.Agreed(), c.engine.Final()), c.match.params, c.server.offer); err != nil {
		c.recording.Cancel()
		return err
	}
	return nil
}

// StopRecording ends the recording and tells the recorder so.
func (c *Client[S, I]) StopRecording(why error) { c.recording.End(&stream.End{Failed: why}) }

// Recorded adds the event that a recording is complete.
func (c *Client[S, I]) Recorded(next Frame, why string) {
	c.events.Add(Event{What: event.Recorded, Frame: next, Text: why})
}

// agreed handles a tick that is completely known.
func (c *Client[S, I]) agreed(a *rollback.Agreed[I]) {
	if c.hooks.Agreed != nil {
		c.hooks.Agreed(a)
	}
	c.recording.take(a)
}
