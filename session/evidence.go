package session

import (
	"errors"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// DefaultEvidence is how many bytes of states and inputs are kept by default to explain a desync.
const DefaultEvidence = 4 << 20

// remember keeps the inputs of up to frames agreed frames, as far as they fit in bytes.
func (s *simulator[S, I]) remember(frames, bytes int) desync.Inputs {
	if bytes <= 0 {
		return nil
	}
	s.agreed = newPast(s.plan, s.Players(), frames, bytes, s.orders)
	return s.agreed
}

// capture passes the final states that the evidence wants, starting with state from, and returns the newest final
// state. All of them are still held: a frame runs at most a window ahead of what was final before it.
func (s *simulator[S, I]) capture(e *desync.Evidence, from Frame) (final Frame) {
	final = s.Final()
	for f := from; f <= final; f++ {
		if !e.Wants(uint32(f)) {
			continue
		}
		if s.layout != nil {
			e.Keep(uint32(f), s.layout.Append(e.Buffer(), s.StateAt(f)))
		} else if encoded, err := s.Marshal(e.Buffer(), f); err == nil {
			e.Keep(uint32(f), encoded)
		} else {
			e.Disable()
		}
	}
	return final
}

// slow reports whether encoding a state is expensive.
func (s *simulator[S, I]) slow() bool { return s.layout == nil }

// Scalar returns the scalars of an encoded plain state by offset, and its size; nil if the state is not plain.
func (s *simulator[S, I]) Scalar() (at func(offset int) canon.Scalar, size int) {
	if s.layout == nil {
		return nil, 0
	}
	return s.layout.ScalarAt, s.layout.Size()
}

// Sandbox creates an instance of the game that is independent of the match.
func (s *simulator[S, I]) Sandbox() (desync.Sandbox, error) {
	can := rollback.CapabilitiesOf(s.game)
	if !can.New {
		return nil, errors.New("the game gives no New, so that nothing can be simulated beside the match")
	}
	b, err := rollback.NewBlankSandbox(s.game, s.Players())
	if err != nil {
		return nil, err
	}
	return &sandbox[S, I]{b, s.plan, s.Players(), can.Describe}, nil
}

// sandbox is an instance of the game that is independent of the match.
type sandbox[S any, I comparable] struct {
	*rollback.Sandbox[S, I]
	plan     *canon.Plan[I]
	players  int
	describe func(s *S) any
}

// Text returns the live state as text.
func (b *sandbox[S, I]) Text() ([]byte, error) {
	var shown any = b.Live()
	if b.describe != nil {
		shown = b.describe(b.Live())
	}
	return canon.AppendTextAny(nil, shown)
}

// Step runs a frame.
func (b *sandbox[S, I]) Step(f *agreed.Frame) error {
	frame := rollback.SandboxFrame[I]{
		Frame: Frame(f.Number), Inputs: make([]I, b.players), Statuses: make([]rollback.Status, b.players), Orders: f.Orders, Resimulating: true,
	}
	if err := stream.Decode(b.plan, frame.Inputs, f); err != nil {
		return err
	}
	for p := range b.players {
		if frame.Statuses[p] = rollback.Confirmed; f.Gone>>p&1 != 0 {
			frame.Statuses[p] = rollback.Disconnected
		}
	}
	_, err := b.Sandbox.Step(frame)
	return err
}
