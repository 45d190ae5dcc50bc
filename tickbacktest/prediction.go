package tickbacktest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/rollback"
)

// predictedMoves is the number of moves in a sequence: all of them are replayed after each move.
const predictedMoves = 24

// PredictionOptions describes the sequences of moves that [Prediction] plays. The zero value suits most games.
type PredictionOptions[S any, I comparable] struct {
	// Start makes the state before the first move. By default it is zero.
	Start func(s *S)
	// Generate makes one input. By default any value may come; see [Options.Generate].
	Generate *rapid.Generator[I]
	// Server is how the server makes a move. The default is Motion.Apply. Set it if your server has its own code for this.
	Server func(s *S, in I, d time.Duration)
	// Replay, if given, is the only sequence to play: the line that a failure has printed.
	Replay string
}

// Prediction plays random sequences of moves, with any input and any duration that the motion allows, and requires that
// live play, a replay of all moves so far, and the server arrive at the same state after each move. It fails with the
// first move and the fields that differ, the moves that lead there, likely causes, and a line that plays them again. It
// calls a move a frame of player 0, since it searches and shrinks as [Check] does:
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
	if _, err := predict.New(*new(S), predict.Config[S, I]{Motion: motion}); err != nil {
		t.Fatalf("tickbacktest.Prediction: %v", err)
	}
	p := &prediction[S, I]{opts, motion}
	h := newHunter(t, check[S, stride[I]]{id: checkPrediction, name: "Prediction", play: p.play, replay: "PredictionOptions.Replay: %q"}, p.game())
	o, err := p.prepare(h)
	if err != nil {
		t.Fatalf("tickbacktest.Prediction: %v", err)
	}
	if opts.Replay != "" {
		h.playAgain(t)
		return
	}
	if text := h.run(o); text != "" {
		t.Fatal(text)
	}
}

// stride is a move without its tick, which is the input of a frame when a motion is played as a game.
type stride[I comparable] struct {
	Input I
	For   time.Duration
}

// prediction checks a motion.
type prediction[S any, I comparable] struct {
	PredictionOptions[S, I]
	motion predict.Motion[S, I]
}

// game is the motion as a game of one player.
func (p *prediction[S, I]) game() rollback.Game[S, stride[I]] {
	return rollback.Game[S, stride[I]]{Init: p.Start, AllowFloats: true, Step: func(s *S, t *rollback.Tick[stride[I]]) {
		in := t.Input(0)
		p.motion.Apply(s, in.Input, in.For)
	}}
}

// prepare gives the hunter the match of a line; without a line, it returns the options for random matches.
func (p *prediction[S, I]) prepare(h *hunter[S, stride[I]]) (o Options[stride[I]], err error) {
	if p.Replay != "" {
		if h.codec, err = newCodec[stride[I]](); err != nil {
			return o, err
		}
		h.match, err = h.parse(p.Replay)
		if err == nil && (h.match.check != checkPrediction || h.match.players != 1) {
			err = errors.New("the line is of another check")
		}
		return o, err
	}
	inputs, err := newCodec[I]()
	if err != nil {
		return o, err
	}
	in, durations := p.Generate, p.durations()
	if in == nil {
		in = rapid.Custom(inputs.draw)
		h.reduce = func(s stride[I]) []stride[I] { return p.simpler(inputs, s) }
	}
	return Options[stride[I]]{
		Players: 1, Stay: true, Frames: predictedMoves, Longest: predictedMoves,
		Generate: rapid.Custom(func(r *rapid.T) stride[I] {
			return stride[I]{in.Draw(r, "input"), durations.Draw(r, "duration")}
		}),
	}, nil
}

// play plays a sequence of moves.
func (p *prediction[S, I]) play(game rollback.Definition[S, stride[I]], m *match[stride[I]], pr *probe) *failure {
	var server S
	if p.Start != nil {
		p.Start(&server)
	}
	client, err := predict.New(server, predict.Config[S, I]{Motion: p.motion, Room: m.frames()})
	if err != nil {
		return refusal(err)
	}
	view := newViewer[S](game)
	for f, move := range m.inputs {
		pr.frame = f
		if _, err := client.Do(move.Input, move.For); err != nil {
			return refusal(fmt.Errorf("move %d: %w", f, err))
		}
		pr.see(view.plan.Hash(client.State()))
		pr.compared++
		c := client.Rebuild()
		if diff := view.plan.Diff(c.Before, c.After, mostDifferences); diff.Total > 0 {
			found := &failure{frame: f, what: "comes out differently when it is made again", causes: causesOfMoves}
			return found.show(rollback.Frame(f+1), "live", "replayed", diff, nil)
		}
		if p.Server == nil {
			continue
		}
		p.Server(&server, move.Input, move.For)
		if diff := view.plan.Diff(client.State(), &server, mostDifferences); diff.Total > 0 {
			found := &failure{frame: f, what: "leads the server to another state than the client", causes: append([]string{causeOfParts}, causesOfMoves...)}
			return found.show(rollback.Frame(f+1), "live", "server", diff, nil)
		}
	}
	return nil
}

// simpler returns simpler versions of a move: with the duration of the cadence, or with a simpler input.
func (p *prediction[S, I]) simpler(inputs codec[I], s stride[I]) (list []stride[I]) {
	if s.For != p.motion.Cadence && s.Input != *new(I) {
		list = append(list, stride[I]{s.Input, p.motion.Cadence})
	}
	for _, in := range inputs.simpler(s.Input) {
		list = append(list, stride[I]{in, s.For})
	}
	return list
}

// durations returns a generator of the durations that a motion allows: zero, less than the cadence, whole cadences, odd
// ones, and the longest.
func (p *prediction[S, I]) durations() *rapid.Generator[time.Duration] {
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

// The likely causes, in the order in which to look for them.
const causeOfParts = "PredictionOptions.Server makes a move in other parts than Motion.Apply: in one piece, or with remainders carried over to the next"

var causesOfMoves = []string{
	"Step reads or writes something outside of the state: a variable of the package, or other players that are not the same at the server",
	"Step ranges over a map, asks the clock or math/rand, or starts goroutines: see docs/determinism.md",
}
