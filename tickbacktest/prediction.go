package tickbacktest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/predict"
)

// DefaultMoves is the length of the sequences of [Prediction] by default.
const DefaultMoves = 24

// maxMoves bounds a sequence, since all of its moves are replayed after each move.
const maxMoves = 1 << 10

// PredictionOptions describes the sequences of [Prediction]. The zero value suits most games.
type PredictionOptions[S any, I comparable] struct {
	// Start makes the state before the first move. By default it is zero.
	Start func(s *S)
	// Length is how many moves a sequence has; the default is [DefaultMoves].
	Length int
	// Generate makes one input. By default any value may come; see
	// [Options.Generate].
	Generate *rapid.Generator[I]
	// Moves, if given, is the only sequence to play: one that a failure has printed. Its ticks do not matter.
	Moves []predict.Move[I]
	// Server is how the server makes a move. The default is Motion.Apply. Set it if your server has its own code for this.
	Server func(s *S, in I, d time.Duration)
}

func (o PredictionOptions[S, I]) withDefaults() (PredictionOptions[S, I], error) {
	if o.Length == 0 {
		o.Length = DefaultMoves
	}
	switch {
	case o.Length < 1 || o.Length > maxMoves:
		return o, fmt.Errorf("PredictionOptions.Length is %d, not 1 to %d", o.Length, maxMoves)
	case len(o.Moves) > maxMoves:
		return o, fmt.Errorf("PredictionOptions.Moves has %d moves, more than %d", len(o.Moves), maxMoves)
	case o.Moves != nil && o.Generate != nil:
		return o, errors.New("PredictionOptions has both Moves, which is all that happens, and Generate")
	}
	return o, nil
}

// Prediction plays random sequences of moves, with any input and any duration that the motion allows, and requires that
// live play, every replay, and the server arrive at the same state: after each move, with nothing acknowledged and with
// the server one, two and five moves behind. It fails with the first move and the fields that differ, the moves that
// lead there, and likely causes:
//
//	func TestPrediction(t *testing.T) {
//		tickbacktest.Prediction(t, motion, tickbacktest.PredictionOptions[State, Input]{})
//	}
//
// The number of sequences is -rapid.checks, as for [Check].
func Prediction[S any, I comparable](t testing.TB, motion predict.Motion[S, I], opts PredictionOptions[S, I]) {
	t.Helper()
	if inOtherBuild() {
		return
	}
	p, err := newForesight(motion, opts)
	if err != nil {
		t.Fatalf("tickbacktest.Prediction: %v", err)
	}
	p.search(t)
	if text := p.conclude(); text != "" {
		t.Fatal(text)
	}
}

// foresight looks for a sequence of moves that a client predicts wrongly.
type foresight[S any, I comparable] struct {
	PredictionOptions[S, I]
	motion predict.Motion[S, I]
	inputs *source[I]
	viewer[S]
	probe probe
	found *failure
	moves []predict.Move[I] // that failed
}

func newForesight[S any, I comparable](m predict.Motion[S, I], o PredictionOptions[S, I]) (*foresight[S, I], error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := predict.New(*new(S), predict.Config[S, I]{Motion: m}); err != nil {
		return nil, err
	}
	inputs, err := newSource(Options[I]{Generate: o.Generate})
	if err != nil {
		return nil, err
	}
	return &foresight[S, I]{PredictionOptions: o, motion: m, inputs: inputs, viewer: newStateViewer[S]()}, nil
}

// search plays sequences until one fails.
func (p *foresight[S, I]) search(t testing.TB) {
	t.Helper()
	if p.Moves != nil {
		p.first(p.Moves)
		return
	}
	rapid.Check(silent{t}, func(r *rapid.T) {
		if p.found == nil {
			p.first(p.random(r))
		}
	})
}

func (p *foresight[S, I]) first(moves []predict.Move[I]) {
	if p.found = p.try(moves); p.found != nil {
		p.moves = moves
	}
}

// try plays a sequence, and returns what is wrong with it, or nil.
func (p *foresight[S, I]) try(moves []predict.Move[I]) *failure {
	return p.probe.guard(func() *failure { return p.play(moves) })
}

// random returns a sequence of moves.
func (p *foresight[S, I]) random(r *rapid.T) []predict.Move[I] {
	durations := p.durations()
	moves := make([]predict.Move[I], p.Length)
	for i := range moves {
		moves[i] = predict.Move[I]{Input: p.inputs.input(r), For: durations.Draw(r, "duration")}
	}
	return moves
}

// durations returns a generator of the durations that a motion allows: zero, less than the cadence, whole cadences, odd
// ones, and the longest.
func (p *foresight[S, I]) durations() *rapid.Generator[time.Duration] {
	unit, cadence := max(p.motion.Unit, 1), p.motion.Cadence
	longest := cadence
	for _, d := range []time.Duration{predict.DefaultLongest, p.motion.Longest} {
		if d -= d % unit; d > longest && p.motion.Check(d) == nil {
			longest = d
		}
	}
	typical := []time.Duration{cadence}
	for _, d := range []time.Duration{0, unit, cadence - unit, cadence + unit, 2 * cadence, 2*cadence + cadence/5*2/unit*unit, 3 * cadence, longest} {
		if p.motion.Check(d) == nil {
			typical = append(typical, d)
		}
	}
	return rapid.OneOf(
		rapid.SampledFrom(typical),
		rapid.Map(rapid.Int64Range(0, int64(longest/unit)), func(n int64) time.Duration { return time.Duration(n) * unit }),
	)
}
