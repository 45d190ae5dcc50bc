package tickbacktest

import (
	"maps"
	"math/rand"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

// boat turns and moves: in which parts that is done matters.
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

// foreseenWrongly fails unless Prediction fails with a text that has all of these.
func foreseenWrongly(t *testing.T, m predict.Motion[boat, helm], o PredictionOptions[boat, helm], parts ...string) {
	t.Helper()
	t.Log(reports(t, func(t testing.TB) { Prediction(t, m, o) }, append(parts, "tickbacktest.Prediction")...))
}

// leaky is the boat with something wrong in its step.
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
		Start: func(s *boat) { s.Heading = 5 }, Length: 3,
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
		"leads the server to another state", "Pos.", "live", "server", "in one piece", "Rudder:", "PredictionOptions.Moves: []predict.Move[tickbacktest.helm]{{Input: ")
}

// Negative control: the server carries the remainder of a move over to the next.
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
		"move 0, ", "Log[0]", "outside of the state")
}

// Negative control: a move comes out differently only the ninth time it is made, which
// is in a replay after the move that follows it. The report names the first of the two.
func TestPredictionNamesTheMoveOfAReplay(t *testing.T) {
	const short = 7 * time.Millisecond
	calls := 0
	m := leaky(func(s *boat, d time.Duration) {
		if d == short {
			if calls++; calls > 8 {
				s.Log[1]++
			}
		}
	})
	moves := []predict.Move[helm]{
		{Input: helm{Oars: 1}, For: 50 * time.Millisecond},
		{Input: helm{Rudder: 1}, For: short},
		{Input: helm{Oars: 1}, For: 50 * time.Millisecond},
	}
	p, err := newForesight(m, PredictionOptions[boat, helm]{Moves: moves})
	if err != nil {
		t.Fatal(err)
	}
	f := p.try(moves)
	if f == nil || f.frame != 1 || f.what != "comes out differently when it is made again" || f.diff.Differences[0].Path != "Log[1]" {
		t.Errorf("%+v", f)
	}
}

// Negative controls: dice and maps.
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

// Negative control: Copy shares a slice.
func TestPredictionFindsCopiesThatShareMemory(t *testing.T) {
	type train struct{ Cars []int64 }
	m := predict.Motion[train, helm]{
		Cadence: 50 * time.Millisecond,
		Step: func(s *train, in helm, d time.Duration) {
			if len(s.Cars) == 0 {
				s.Cars = make([]int64, 1)
			}
			s.Cars[0] += int64(d) * int64(in.Oars)
		},
		Copy: func(dst, src *train) { dst.Cars = append(dst.Cars[:0], src.Cars...) },
	}
	o := PredictionOptions[train, helm]{Start: func(s *train) { s.Cars = []int64{1} }}
	Prediction(t, m, o)
	m.Copy = func(dst, src *train) { *dst = *src }
	t.Log(reports(t, func(t testing.TB) { Prediction(t, m, o) }, "changes a copy of the state that was made before", "shares a slice"))
}

// A failure is shrunk, and what it prints plays it again. From some of what is found at random no single step leads
// to the shortest: 44 of 2,000 searches stayed at more, so that nine of 20 do with a probability below 10^-9.
func TestPredictionShrinksToFewMoves(t *testing.T) {
	const searches, enough = 20, 12
	shortest := 0
	for range searches {
		p, err := newForesight(boats(), PredictionOptions[boat, helm]{Server: row})
		if err != nil {
			t.Fatal(err)
		}
		p.search(t)
		p.conclude()
		if p.found == nil {
			t.Fatal("not found")
		}
		if weight := weightOf(p); len(p.moves) <= 2 && weight <= 3 { // one bit of the rudder in a turn before, and one or two of the oars
			shortest++
		}
		again := Failure(t, func(t testing.TB) {
			Prediction(t, boats(), PredictionOptions[boat, helm]{Server: row, Moves: p.moves})
		})
		if !strings.Contains(again, "leads the server to another state") {
			t.Errorf("the moves %+v do not fail again: %s", p.moves, again)
		}
		passes(t, func(t testing.TB) { Prediction(t, boats(), PredictionOptions[boat, helm]{Moves: p.moves}) })
	}
	if shortest < enough {
		t.Errorf("%d of %d failures were shrunk to the shortest, want %d at least", shortest, searches, enough)
	}
}

// weightOf is how much its moves have in them.
func weightOf(p *foresight[boat, helm]) (weight int) {
	for _, m := range p.moves {
		weight += p.inputs.weight(m.Input)
	}
	return weight
}

// What proves nothing does not pass.
func TestPredictionOfNothingFails(t *testing.T) {
	idle := boats()
	idle.Step = func(*boat, helm, time.Duration) {}
	foreseenWrongly(t, idle, PredictionOptions[boat, helm]{}, "would pass whatever")
	foreseenWrongly(t, boats(), PredictionOptions[boat, helm]{Moves: []predict.Move[helm]{}}, "no moves were compared")
}

func TestPredictionRefusesWhatMakesNoSense(t *testing.T) {
	foreseenWrongly(t, predict.Motion[boat, helm]{}, PredictionOptions[boat, helm]{}, "Step is missing")
	for _, o := range []PredictionOptions[boat, helm]{
		{Length: -1},
		{Length: maxMoves + 1},
		{Moves: make([]predict.Move[helm], maxMoves+1)},
		{Moves: make([]predict.Move[helm], 1), Generate: rapid.Just(helm{})},
	} {
		foreseenWrongly(t, boats(), o, "PredictionOptions")
	}
	long := []predict.Move[helm]{{For: time.Hour}}
	foreseenWrongly(t, boats(), PredictionOptions[boat, helm]{Moves: long}, "bad duration", "move 0")
}

// The durations that are tried are all kinds.
func TestPredictionTriesAllKindsOfDurations(t *testing.T) {
	p, err := newForesight(boats(), PredictionOptions[boat, helm]{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	rapid.Check(t, func(r *rapid.T) {
		for _, m := range p.random(r) {
			cadence, d := p.motion.Cadence, m.For
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
