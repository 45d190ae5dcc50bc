package predict_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

// The contract of moves: a replay of what the server has not acknowledged comes to
// the same state as playing it live did. Each test is one scenario of it.

func TestReplayProducesSameTrajectoryAsLivePredictionForSteadyInput(t *testing.T) {
	in := stick{Throttle: 2}
	replayed, live := newClient(t, 8), newClient(t, 8)
	do(t, replayed, in, 150*ms)
	c := replayed.Rebuild()
	want(t, "parts", c.After.Parts, 3)
	do(t, live, in, cadence, cadence, cadence)
	want(t, "state", *replayed.State(), *live.State())
}

func TestReplayProducesSameTrajectoryAsLivePredictionForTurnAndMoveInput(t *testing.T) {
	in := stick{Turn: 1, Throttle: 2}
	replayed, live := newClient(t, 8), newClient(t, 8)
	do(t, replayed, in, 100*ms)
	replayed.Rebuild()
	do(t, live, in, cadence)
	first := *live.State()
	do(t, live, in, cadence)
	want(t, "parts", replayed.State().Parts, 2)
	want(t, "state", *replayed.State(), *live.State())

	// The second part goes where the first one has turned to: the way bends.
	second := live.State().Pos.Sub(first.Pos)
	if first.Pos.Cross(second) == 0 {
		t.Error("both parts go in one direction")
	}
}

func TestReplayHandlesNonMultiplesOfCadenceInterval(t *testing.T) {
	var parts []time.Duration
	m := motion()
	m.Step = func(s *pose, in stick, d time.Duration) {
		parts = append(parts, d)
		drive(s, in, d)
	}
	p, err := predict.New(pose{}, predict.Config[pose, stick]{Motion: m})
	if err != nil {
		t.Fatal(err)
	}
	do(t, p, stick{Turn: 1, Throttle: 2}, 120*ms)
	live := slices.Clone(parts)
	parts = nil
	p.Rebuild()
	if want := []time.Duration{50 * ms, 50 * ms, 20 * ms}; !slices.Equal(parts, want) || !slices.Equal(live, want) {
		t.Errorf("live %v, replayed %v, want %v", live, parts, want)
	}
}

func TestReplayPreservesUnacknowledgedInputsForLaterAuthoritativeRebuilds(t *testing.T) {
	p := newClient(t, 8)
	do(t, p, stick{Throttle: 1}, 50*ms, 120*ms, 50*ms, 150*ms, 30*ms)
	c := accept(t, p, 10, 2, pose{Heading: 5})
	want(t, "acknowledged", c.Acknowledged, 2)
	want(t, "replayed", c.Replayed, 3)
	for range 3 {
		if got := ticks(p); !slices.Equal(got, []predict.Tick{3, 4, 5}) {
			t.Fatalf("pending: %v", got)
		}
		want(t, "replayed again", p.Rebuild().Replayed, 3)
	}
	c = accept(t, p, 11, 4, pose{Heading: 6})
	want(t, "acknowledged", c.Acknowledged, 2)
	if got := ticks(p); !slices.Equal(got, []predict.Tick{5}) {
		t.Errorf("pending: %v", got)
	}
	want(t, "state", *p.State(), naive(pose{Heading: 6}, stick{Throttle: 1}, 30*ms))
}

// session records a live session of random moves, and returns the client and every
// pose it came through, beginning with that of tick 0.
func session(t *testing.T, seed uint64, moves int) (*predict.Predictor[pose, stick], []pose, []predict.Move[stick]) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	p := newClient(t, moves)
	poses, made := []pose{*p.State()}, []predict.Move[stick](nil)
	for range moves {
		m, err := p.Do(randomStick(random), randomDuration(random))
		if err != nil {
			t.Fatal(err)
		}
		poses, made = append(poses, *p.State()), append(made, m)
	}
	return p, poses, made
}

func TestReplayAndLivePredictionProduceIdenticalResults(t *testing.T) {
	p, poses, _ := session(t, 1, 100)
	live := poses[100]
	// Reconciliation with what the server says after some of the moves.
	c := accept(t, p, 1, 40, poses[40])
	want(t, "before", *c.Before, live)
	want(t, "after", *c.After, live)
	want(t, "replayed", c.Replayed, 60)
	for range 5 {
		want(t, "after another replay", *p.Rebuild().After, live)
	}
}

func TestRepeatedRebuildsRemainDeterministicWhileInputsStayUnacknowledged(t *testing.T) {
	p, _, made := session(t, 2, 30)
	for f := range predict.Frame(20) {
		// The server says other things each time, and acknowledges nothing beyond 5.
		base := pose{Heading: 777 * fixed.Num(f), Parts: int64(f)}
		base.Pos.X = 3 * fixed.Num(f)
		expected := base
		for _, m := range made[5:] {
			expected = naive(expected, m.Input, m.For)
		}
		accept(t, p, f+1, 5, base)
		want(t, "state on this base", *p.State(), expected)
		want(t, "state after a rebuild", *p.Rebuild().After, expected)
		want(t, "still pending", p.Len(), 25)
	}
}

// Two odd moves in a row: live, in a replay and at the server they are the same six
// parts. Neither one long duration, nor a remainder that is carried over, is that.
func TestTwoOddMovesAreTheSameLiveReplayedAndAtTheServer(t *testing.T) {
	in := stick{Turn: 2, Throttle: 2}
	p, m := newClient(t, 8), motion()
	do(t, p, in, 120*ms, 120*ms)
	live := *p.State()
	want(t, "parts", live.Parts, 6)
	want(t, "replayed", *p.Rebuild().After, live)

	var server pose
	m.Apply(&server, in, 120*ms)
	m.Apply(&server, in, 120*ms)
	want(t, "server", server, live)
	want(t, "naive", naive(naive(pose{}, in, 120*ms), in, 120*ms), live)

	// Negative controls.
	if carried := naive(pose{}, in, 240*ms); carried.Pos == live.Pos {
		t.Error("a remainder that is carried over would not be noticed")
	}
	var whole pose
	drive(&whole, in, 120*ms)
	drive(&whole, in, 120*ms)
	if whole.Pos == live.Pos {
		t.Error("a replay in one duration would not be noticed")
	}
}

// Negative control of all tests here: making a move as one accumulated duration leads
// elsewhere, visibly.
func TestOneAccumulatedDurationIsAnotherTrajectory(t *testing.T) {
	in := stick{Turn: 2, Throttle: 2}
	right := naive(pose{}, in, 150*ms)
	var wrong pose
	drive(&wrong, in, 150*ms)
	if off := wrong.Pos.Distance(right.Pos); off < speed/50 {
		t.Errorf("only %v off", off)
	}
}
