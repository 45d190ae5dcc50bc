package session

import (
	"errors"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// spectatorRecording records the frames that a spectator shows. It encodes them again instead of copying the host's
// bytes, so that all machines of a match record the same.
type spectatorRecording struct {
	stream.Recording
	made    agreed.Frame
	orders  [rollback.MaxPlayers][]byte
	initial uint64 // hash of state 0, as reported by the host
}

// Record makes a recorder record what is shown of the current match from the next frame on, or of the next match;
// see [Machine.Record]. The state with which the recording begins is encoded when that frame runs. A game without
// Marshal can only be recorded from frame 0; otherwise the recorder gets a [*rollback.CapabilityError].
func (s *Spectator[S, I]) Record(r Recorder, wants RecordWants) error {
	switch {
	case s.phase == Over:
		return s.err
	case s.shown.recording.On():
		return ErrRecording
	case s.phase == Playing && s.shown.engine.Frame() > 0 && !rollback.CapabilitiesOf(s.shown.game).Marshal:
		return &rollback.CapabilityError{Missing: "Marshal", For: "a recording that begins in the middle of a match"}
	}
	s.shown.recording.Prepare(r, wants)
	return nil
}

// StopRecording ends the recording.
func (s *Spectator[S, I]) StopRecording(why error) { s.shown.recording.End(&RecordEnd{Failed: why}) }

// Recorded adds the event that a recording is complete.
func (s *Spectator[S, I]) Recorded(next Frame, why string) {
	s.events.Add(Event{What: Recorded, Frame: next, Text: why})
}

// errAnotherMatch ends the recording of a match that the host no longer shows.
var errAnotherMatch = errors.New("the host shows another match")

// recordState records the state before a frame if the recording needs it.
func (k *shownMatch[S, I]) recordState() {
	t, f := &k.recording, k.engine.Frame()
	if t.Pending() {
		b := RecordBegin{Match: k.match, Parameters: k.params, Initial: t.initial, Shape: k.shape(), First: f}
		if f > 0 {
			var err error
			if b.State, err = k.engine.Marshal(nil, f); err != nil {
				k.recording.End(&RecordEnd{Failed: err})
				return
			}
		}
		t.Start(b)
	}
	if t.Misses(f) {
		encoded, err := k.engine.Marshal(nil, f)
		t.Keep(f, encoded, err)
	}
}

// recordFrame records a frame that has run.
func (k *shownMatch[S, I]) recordFrame(f *agreed.Frame) {
	t, g, next := &k.recording, &k.recording.made, k.engine.Frame()
	*g = agreed.Frame{Number: f.Number, Inputs: g.Inputs[:0], Gone: f.Gone & (1<<k.engine.Players() - 1)}
	for p := range k.inputs {
		gone := PlayerSet(g.Gone).Has(Player(p))
		if t.orders[p] = nil; f.Orders != nil && !gone {
			t.orders[p] = f.Orders[p]
		}
		if len(t.orders[p]) > 0 {
			g.Orders = t.orders[:len(k.inputs)]
		}
		if !gone {
			g.Inputs = k.plan.Append(g.Inputs, &k.inputs[p])
		} else {
			g.Inputs = append(g.Inputs, make([]byte, k.plan.Size())...)
		}
	}
	if o, over := k.engine.Result(); over && o.Frame+1 == next {
		g.Finished, g.Result = true, o.Result
	}
	var hash uint64
	hashed := t.Wants().Hashes > 0 && next%t.Wants().Hashes == 0
	if hashed {
		var err error
		if hash, err = k.engine.Hash(); err != nil {
			hashed = false
		}
	}
	t.Frame(g, hash, hashed)
}
