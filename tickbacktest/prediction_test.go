package tickbacktest

import (
	"maps"
	"math/bits"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

// boat turns and moves: the result depends on the parts into which a move is divided.
type boat struct {
	Pos     fixed.Vec2
	Heading fixed.Num
	Log     [2]int64
}

// helm is what its player does.
type helm struct{ Rudder, Oars int8 }

func row(s *boat, in helm, d time.Duration) {
	ms := int64(d / time.Millisecond)
	s.Heading += fixed.Num(int64(in.Rudder) * ms * 20)
	sin, cos := fixed.SinCos(s.Heading)
	way := fixed.Num(int64(in.Oars) * ms * 10)
	s.Pos = s.Pos.Add(fixed.Vec2{X: cos.Mul(way), Y: sin.Mul(way)})
}

func boats() predict.Motion[boat, helm] {
	return predict.Motion[boat, helm]{Step: row, Cadence: 50 * time.Millisecond, Unit: time.Millisecond}
}

// foreseenWrongly fails unless Prediction fails with a text that contains all of these.
func foreseenWrongly(t *testing.T, m predict.Motion[boat, helm], o PredictionOptions[boat, helm], parts ...string) {
	t.Helper()
	t.Log(reports(t, func(t testing.TB) { Prediction(t, m, o) }, append(parts, "tickbacktest.Prediction")...))
}

// leaky is the boat with a fault in its step.
func leaky(wrong func(s *boat, d time.Duration)) predict.Motion[boat, helm] {
	m := boats()
	m.Step = func(s *boat, in helm, d time.Duration) {
		row(s, in, d)
		wrong(s, d)
	}
	return m
}

func TestPredictionPasses(t *testing.T) {
	Prediction(t, boats(), PredictionOptions[boat, helm]{})
	Prediction(t, boats(), PredictionOptions[boat, helm]{
		Start:    func(s *boat) { s.Heading = 5 },
		Generate: rapid.SampledFrom([]helm{{Oars: 1}, {Rudder: -1}}),
	})
	m := boats()
	Prediction(t, m, PredictionOptions[boat, helm]{Server: m.Apply})
	m.Unit, m.Longest = 0, m.Cadence
	Prediction(t, m, PredictionOptions[boat, helm]{})
}

// Negative control: the server makes a move in one piece.
func TestPredictionFindsAccumulatedDurations(t *testing.T) {
	foreseenWrongly(t, boats(), PredictionOptions[boat, helm]{Server: row},
		"leads the server to another state", "Pos.", "live", "server", "in one piece", "Rudder:", `PredictionOptions.Replay: "tb1.`)
}

// Negative control: the server carries over the remainder of a move to the next.
func TestPredictionFindsRemaindersThatAreCarriedOver(t *testing.T) {
	server := func(s *boat, in helm, d time.Duration) {
		s.Log[1] += int64(d)
		for ; s.Log[1] >= int64(50*time.Millisecond); s.Log[1] -= int64(50 * time.Millisecond) {
			row(s, in, 50*time.Millisecond)
		}
	}
	foreseenWrongly(t, boats(), PredictionOptions[boat, helm]{Server: server}, "leads the server to another state", "Log[1]", "carried over")
}

// Negative control: the step counts its calls outside of the state.
func TestPredictionFindsVariablesOutsideOfTheState(t *testing.T) {
	calls := int64(0)
	foreseenWrongly(t, leaky(func(s *boat, _ time.Duration) { calls++; s.Log[0] = calls }), PredictionOptions[boat, helm]{},
		"frame 0 ", "Log[0]", "outside of the state")
}

// Negative controls: random numbers and maps.
func TestPredictionFindsDiceAndMaps(t *testing.T) {
	foreseenWrongly(t, leaky(func(s *boat, _ time.Duration) { s.Log[0] = rand.Int63() }), PredictionOptions[boat, helm]{}, "Log[0]", "math/rand")
	weights := map[int64]int64{1: 3, 2: 5, 3: 7, 4: 11, 5: 13}
	foreseenWrongly(t, leaky(func(s *boat, _ time.Duration) {
		for k := range maps.Keys(weights) {
			s.Log[0] = s.Log[0]*k + weights[k]
		}
	}), PredictionOptions[boat, helm]{}, "Log[0]", "ranges over a map")
}

// Negative control: a step that panics is reported with the move.
func TestPredictionFindsPanics(t *testing.T) {
	foreseenWrongly(t, leaky(func(s *boat, d time.Duration) {
		if d < 10*time.Millisecond {
			panic("too short")
		}
	}), PredictionOptions[boat, helm]{}, "panicked: too short", "prediction_test.go")
}

// A failure is shrunk, and its line replays it. From some random failures no single change leads to the shortest one,
// so not all of the searches have to find it.
func TestPredictionShrinksToFewMoves(t *testing.T) {
	const searches, enough = 20, 12
	shortest := 0
	for range searches {
		wrong := PredictionOptions[boat, helm]{Server: row}
		text := reports(t, func(t testing.TB) { Prediction(t, boats(), wrong) }, "leads the server to another state")
		wrong.Replay = predictionLine.FindStringSubmatch(text)[1]
		again := reports(t, func(t testing.TB) { Prediction(t, boats(), wrong) }, "leads the server to another state", wrong.Replay)
		if strings.Contains(again, "does not always fail") {
			t.Error(again)
		}
		passes(t, func(t testing.TB) { Prediction(t, boats(), PredictionOptions[boat, helm]{Replay: wrong.Replay}) })

		c, err := newCodec[stride[helm]]()
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.parse(wrong.Replay)
		if err != nil {
			t.Fatal(err)
		}
		weight := 0 // one bit of the rudder, in a turn before the last move or in it, and one or two of the oars
		for _, s := range m.inputs {
			weight += bits.OnesCount8(uint8(s.Input.Rudder)) + bits.OnesCount8(uint8(s.Input.Oars))
		}
		if m.frames() <= 2 && weight <= 3 {
			shortest++
		}
	}
	if shortest < enough {
		t.Errorf("%d of %d failures were shrunk to the shortest, want %d at least", shortest, searches, enough)
	}
}

var predictionLine = regexp.MustCompile(`PredictionOptions.Replay: "([^"]*)"`)

// With Generate, inputs stay among those that it generates, and zero.
func TestPredictionShrinksAmongWhatIsGenerated(t *testing.T) {
	helms := []helm{{Oars: 7}, {Rudder: 5, Oars: 7}}
	text := reports(t, func(t testing.TB) {
		Prediction(t, boats(), PredictionOptions[boat, helm]{Server: row, Generate: rapid.SampledFrom(helms)})
	}, "leads the server to another state", "Rudder:5 Oars:7")
	if strings.Contains(text, "Rudder:1") || strings.Contains(text, "Rudder:4") {
		t.Error(text)
	}
}

// A test that proves nothing does not pass.
func TestPredictionOfNothingFails(t *testing.T) {
	idle := boats()
	idle.Step = func(*boat, helm, time.Duration) {}
	foreseenWrongly(t, idle, PredictionOptions[boat, helm]{}, "would pass whatever")
}

func TestPredictionRefusesWhatMakesNoSense(t *testing.T) {
	foreseenWrongly(t, predict.Motion[boat, helm]{}, PredictionOptions[boat, helm]{}, "Step is missing")
	c, err := newCodec[stride[helm]]()
	if err != nil {
		t.Fatal(err)
	}
	line := func(id checkID, players int, moves ...stride[helm]) string {
		m := newMatch[stride[helm]](players, len(moves)/players)
		m.check, m.inputs = id, moves
		return c.line(m)
	}
	for text, line := range map[string]string{
		"does not begin with":           "tb2.",
		"is damaged":                    "tb1.AAAA",
		"the line is of another check":  line(checkSync, 1, stride[helm]{}),
		"the line is of another check ": line(checkPrediction, 2, make([]stride[helm], 2)...),
		"move 0: predict: bad duration": line(checkPrediction, 1, stride[helm]{For: time.Hour}),
		"no frames":                     line(checkPrediction, 1),
	} {
		foreseenWrongly(t, boats(), PredictionOptions[boat, helm]{Replay: line}, strings.TrimSpace(text))
	}
}

// All kinds of durations are tried.
func TestPredictionTriesAllKindsOfDurations(t *testing.T) {
	p := &prediction[boat, helm]{motion: boats()}
	durations, cadence, seen := p.durations(), p.motion.Cadence, map[string]bool{}
	rapid.Check(t, func(r *rapid.T) {
		for range predictedMoves {
			d := durations.Draw(r, "duration")
			seen["zero"] = seen["zero"] || d == 0
			seen["short"] = seen["short"] || d > 0 && d < cadence
			seen["whole"] = seen["whole"] || d > cadence && d%cadence == 0
			seen["odd"] = seen["odd"] || d > cadence && d%cadence != 0
			seen["longest"] = seen["longest"] || d == predict.DefaultLongest
			if err := p.motion.Check(d); err != nil {
				r.Fatal(err)
			}
		}
	})
	for _, kind := range []string{"zero", "short", "whole", "odd", "longest"} {
		if !seen[kind] {
			t.Errorf("never tried: %s", kind)
		}
	}
}
