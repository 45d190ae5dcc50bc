package predict_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

// trajectories has the scenarios of the contract in which something is moved: by which moves, in milliseconds, and in
// which parts.
var trajectories = []struct {
	name         string
	in           stick
	moves, parts []time.Duration
}{
	{"steady input", stick{Throttle: 2}, []time.Duration{150}, []time.Duration{50, 50, 50}},
	{"turn-and-move input", stick{Turn: 1, Throttle: 2}, []time.Duration{100}, []time.Duration{50, 50}},
	{"non-multiples of the cadence", stick{Turn: 1, Throttle: 2}, []time.Duration{120}, []time.Duration{50, 50, 20}},
	{"two odd moves keep their remainders", stick{2, 2}, []time.Duration{120, 120}, []time.Duration{50, 50, 20, 50, 50, 20}},
	{"a cadence", stick{2, 2}, []time.Duration{50}, []time.Duration{50}},
	{"a little more", stick{2, 2}, []time.Duration{51}, []time.Duration{50, 1}},
	{"moves below the cadence", stick{2, 2}, []time.Duration{20, 30, 20}, []time.Duration{20, 30, 20}},
	{"a move of no duration", stick{2, 2}, []time.Duration{0}, nil},
}

// Scenario: live, in a replay and at the server a move comes to the same state, to the last bit: that of its parts, made
// one by one.
func TestReplayProducesTheSameTrajectoryAsLivePrediction(t *testing.T) {
	for _, c := range trajectories {
		t.Run(c.name, func(t *testing.T) {
			replayed, live, m := newClient(t, 8), pose{}, motion()
			for _, d := range c.parts {
				drive(&live, c.in, d*ms)
			}
			states := []pose{{}} // of the server
			for i, d := range c.moves {
				replayed.do(c.in, d*ms)
				states = append(states, states[i])
				m.Apply(&states[i+1], c.in, d*ms)
			}
			want(t, "live", *replayed.State(), live)
			want(t, "server", states[len(c.moves)], live)
			for i, s := range states {
				replayed.hear(predict.Frame(i), predict.Tick(i), s)
				want(t, "replayed", *replayed.State(), live)
			}
		})
	}
}

// Negative control of the above: what turns goes round a bend, and comes elsewhere if its moves are made in one step
// each, visibly, or if remainders are carried over.
func TestOtherPartsAreAnotherTrajectory(t *testing.T) {
	in, whole := stick{Turn: 2, Throttle: 2}, pose{}
	right, carried := naive(naive(pose{}, in, 120*ms), in, 120*ms), naive(pose{}, in, 240*ms)
	drive(&whole, in, 120*ms)
	drive(&whole, in, 120*ms)
	if off := whole.Pos.Distance(right.Pos); off < speed/50 || carried.Pos == right.Pos {
		t.Errorf("in one step each: only %v off; carried over: %v, and %v is right", off, carried, right)
	}
	first, second := naive(pose{}, in, 50*ms), naive(pose{}, in, 100*ms)
	if first.Pos.Cross(second.Pos.Sub(first.Pos)) == 0 {
		t.Error("both parts go in one direction")
	}
}

// Scenario: only steps up to the acknowledged tick are removed, and the others remain for later rebuilds.
func TestReplayPreservesUnacknowledgedInputsForLaterAuthoritativeRebuilds(t *testing.T) {
	c := newClient(t, 8)
	for _, d := range []time.Duration{50, 120, 50, 150, 30} {
		c.do(stick{Throttle: 1}, d*ms)
	}
	c.hear(10, 2, pose{Heading: 5})
	for range 3 {
		c.rebuild()
		if got := c.ticks(); !slices.Equal(got, []predict.Tick{3, 4, 5}) {
			t.Errorf("pending: %v", got)
		}
	}
	c.hear(11, 4, pose{Heading: 6})
	if got := c.ticks(); !slices.Equal(got, []predict.Tick{5}) {
		t.Errorf("pending: %v", got)
	}
	want(t, "state", *c.State(), naive(pose{Heading: 6}, stick{Throttle: 1}, 30*ms))
}

// Scenario: after reconciliation the pose is that of live play, and so it is after any number of replays.
func TestReplayAndLivePredictionProduceIdenticalResults(t *testing.T) {
	w := &world{Rand: random(1), client: newClient(t, 100)}
	poses := []pose{{}}
	for range 100 {
		w.move()
		poses = append(poses, *w.State())
	}
	w.client.hear(1, 40, poses[40])
	want(t, "still pending", w.Len(), 60)
	for range 5 {
		want(t, "after a replay", *w.State(), poses[100])
		w.rebuild()
	}
}

// Scenario: the server says other things each time, and acknowledges nothing beyond 5.
func TestRepeatedRebuildsRemainDeterministicWhileInputsStayUnacknowledged(t *testing.T) {
	w := &world{Rand: random(2), client: newClient(t, 30)}
	for range 30 {
		w.move()
	}
	for f := range predict.Frame(20) {
		base := pose{Pos: fixed.Vec2{X: 3 * fixed.Num(f)}, Heading: 777 * fixed.Num(f)}
		expected := base
		for _, m := range w.made[5:] {
			expected = naive(expected, m.Input, m.For)
		}
		w.client.hear(f, 5, base)
		want(t, "state on this base", *w.State(), expected)
		w.rebuild()
		want(t, "still pending", w.Len(), 25)
	}
}
