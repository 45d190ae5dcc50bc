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

// remember keeps the inputs of so many agreed frames, as far as they fit in so many bytes.
func (s *simulator[S, I]) remember(frames, bytes int) desync.Inputs {
	if bytes <= 0 {
		return nil
	}
	s.agreed = newPast(s.plan, s.Players(), frames, bytes, s.orders)
	return s.agreed
}

// capture gives evidence the final states that it wants, from one on, and returns the newest final
// one. All of them are still held: a frame runs at most a window ahead of what was final before it.
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

// slow reports whether it is expensive to encode a state.
func (s *simulator[S, I]) slow() bool { return s.layout == nil }

func (s *simulator[S, I]) Scalar() (at func(offset int) canon.Scalar, size int) {
	if s.layout == nil {
		return nil, 0
	}
	return s.layout.ScalarAt, s.layout.Size()
}

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

// sandbox is an instance of the game beside the match.
type sandbox[S any, I comparable] struct {
	*rollback.Sandbox[S, I]
	plan     *canon.Plan[I]
	players  int
	describe func(s *S) any
}

func (b *sandbox[S, I]) Text() ([]byte, error) {
	var shown any = b.Live()
	if b.describe != nil {
		shown = b.describe(b.Live())
	}
	return canon.AppendTextAny(nil, shown)
}

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
