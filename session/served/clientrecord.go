package served

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// ErrPartial is why a client with partial sight cannot record: it does not know what all players do.
// The server can.
var ErrPartial = errors.New("served: a client with partial sight does not know the match, and cannot record it")

// clientTape is what a client records: the frames of which everything is known.
type clientTape[I comparable] struct {
	stream.Tape
	encoder *stream.Encoder[I]
}

// Record gives a recorder every tick of which everything is known, from the present known state on,
// or from the first one if none has come yet. The game needs Marshal, unless it is recorded from
// tick 0 on. Errors are [ErrPartial], session.ErrRecording, [*rollback.CapabilityError], and that
// of a client that is over.
func (c *Client[S, I]) Record(r stream.Recorder, wants stream.Wants) error {
	switch {
	case c.phase == session.Over:
		return c.err
	case c.hooks.Sight != nil:
		return ErrPartial
	case c.tape.On():
		return session.ErrRecording
	case !rollback.CapabilitiesOf(c.game).Marshal:
		return &rollback.CapabilityError{Missing: "Marshal", For: "a recording that begins in the middle of a match"}
	}
	c.tape.Arm(r, wants)
	if c.tape.encoder == nil {
		c.tape.encoder = stream.NewEncoder(c.plan)
	}
	if c.phase != session.Playing {
		return nil
	}
	if err := c.recordFrom(min(c.engine.Agreed(), c.engine.Final())); err != nil {
		c.tape.Disarm()
		return err
	}
	return nil
}

// StopRecording ends the recording. The recorder is told that nothing more comes.
func (c *Client[S, I]) StopRecording(why error) { c.tape.End(&stream.End{Failed: why}) }

// Recorded adds the event that a recording is complete.
func (c *Client[S, I]) Recorded(next Frame, why string) {
	c.events.Add(Event{What: event.Recorded, Frame: next, Text: why})
}

// recordFrom begins a recording with a state that is known.
func (c *Client[S, I]) recordFrom(f Frame) error {
	b := stream.Begin{
		Match: c.remote.offer.Match, Parameters: c.params, Initial: c.remote.offer.State, First: f,
		Shape: agreed.Shape{Players: c.cfg.Players, InputSize: c.plan.Size(), MaxOrders: c.cfg.MaxOrders},
	}
	if f > 0 {
		var err error
		if b.State, err = c.engine.Marshal(nil, f); err != nil {
			return err
		}
	}
	c.tape.Start(b)
	return nil
}

// recordPlay begins a recording that waits for the first state, which has come.
func (c *Client[S, I]) recordPlay(f Frame) {
	if !c.tape.Armed() {
		return
	}
	if err := c.recordFrom(f); err != nil {
		c.StopRecording(err)
	}
}

// agreed gets a tick of which everything is known, and records it.
func (c *Client[S, I]) agreed(a *rollback.Agreed[I]) {
	if c.hooks.Agreed != nil {
		c.hooks.Agreed(a)
	}
	if !c.tape.On() || c.tape.Armed() {
		return
	}
	c.tape.Collect(states[S, I]{c})
	c.tape.Frame(c.tape.encoder.Encode(a), a.Hash, a.Hashed)
}

// recordEnd ends the recording if the last tick of the match is recorded.
func (c *Client[S, I]) recordEnd() {
	if c.over && c.tape.On() && c.engine.Agreed() >= c.outcome.Frames && c.engine.Final() >= c.outcome.Frames {
		c.tape.End(&stream.End{Ended: true, Outcome: c.outcome})
	}
}

// states are those that a recording can have.
type states[S any, I comparable] struct{ *Client[S, I] }

func (s states[S, I]) Final() Frame { return s.engine.Final() }

func (s states[S, I]) Marshals() bool { return true }

func (s states[S, I]) Marshal(b []byte, f Frame) ([]byte, error) { return s.engine.Marshal(b, f) }
