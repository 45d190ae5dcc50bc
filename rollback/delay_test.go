package rollback_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// alone is one local player.
func alone(delay int) rollback.Config {
	cfg := rollback.Config{Players: 1, Local: rollback.SetOf(0), Window: 8}
	cfg.Delay[0] = delay
	return cfg
}

// Rule: a sample taken before frame f takes effect in frame f + delay. Before
// the first sample, inputs are empty.
func TestASampleTakesEffectAfterTheDelay(t *testing.T) {
	want(t, "without", play(t, alone(0)).ticks(1, 2, 3), "0:1 1:2 2:3")
	s := play(t, alone(2))
	want(t, "two", s.ticks(1, 2, 3, 4), "0:0 1:0 2:1 3:2")
	want(t, "next", s.Next(0), 6)
	in, _, status := s.Input(0, 5)
	want(t, "filled", fmt.Sprint(in, status), "4 confirmed")
	_, _, status = s.Input(0, 6)
	want(t, "not filled", status, rollback.Predicted)
}

// Rule: a longer delay repeats an input in a frame in which the player holds
// still; until then the old delay is in effect.
func TestALongerDelayRepeatsWhatIsHeld(t *testing.T) {
	s := play(t, alone(0))
	s.ticks(1)
	s.ok(s.SetDelay(0, 2))
	want(t, "busy", s.ticks(2, 3, 4), "1:2 2:3 3:4")
	asked, actual := s.Delay(0)
	want(t, "not yet", fmt.Sprint(asked, actual), "2 0")
	want(t, "held", s.ticks(4, 5, 6, 7), "4:4 5:4 6:4 7:5")
	asked, actual = s.Delay(0)
	want(t, "in effect", fmt.Sprint(asked, actual), "2 2")
}

// Rule: a shorter delay leaves out repetitions, one a frame.
func TestAShorterDelayLeavesOutRepetitions(t *testing.T) {
	s := play(t, alone(3))
	s.ticks(1, 2, 3, 4)
	s.ok(s.SetDelay(0, 1))
	want(t, "busy", s.ticks(5, 6), "4:2 5:3")
	s.ticks(6, 6, 6)
	_, actual := s.Delay(0)
	want(t, "in effect", actual, 1)
	want(t, "all, once", s.ticks(7, 8, 9), "9:6 10:7 11:8")
}

// Rule: orders are never left out, nor is a frame with orders repeated.
func TestOrdersSurviveAChangeOfTheDelay(t *testing.T) {
	cfg := alone(4)
	cfg.MaxOrders = 1
	s := play(t, cfg)
	for i := range 60 {
		s.ok(s.SetDelay(0, []int{4, 0, 7, 1}[i/10%4]))
		s.ok(s.AddLocal(0, 1, []byte{'a' + byte(i%26)}))
		s.ok(s.Tick())
	}
	s.ticks(1, 1, 1, 1, 1, 1, 1, 1)
	orders := ""
	for f := range s.Frame() {
		_, o, _ := s.Input(0, f)
		orders += string(o)
	}
	want(t, "orders", orders, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefgh")
}

// Rule: a sample is taken once per frame, even if the frame then stalls, and a
// delay that changes in the meantime begins with the next one.
func TestADelayChangesDuringAStall(t *testing.T) {
	s := play(t, two(1))
	s.ticks(1)
	s.sample(1)
	s.waits(rollback.SetOf(1), 0)
	s.ok(s.SetDelay(0, 3))
	want(t, "needs no input", s.NeedsInput(0), false)
	is(t, s.AddLocal(0, 2, nil), rollback.ErrSampled)
	s.get(0, 0, 0, 0, 0, 0, 0, 0)
	want(t, "goes on", s.ticks(1), "1:1,0")
	want(t, "longer", s.ticks(1, 5, 6), "2:1,0 3:1,0 4:1,0")
	want(t, "all", s.ticks(7, 7), "5:1,0 6:5,0")
}

// Rule: delays are 0 to MaxDelay.
func TestDelaysAreBounded(t *testing.T) {
	s := play(t, alone(0))
	for _, d := range []int{-1, rollback.MaxDelay + 1} {
		if s.SetDelay(0, d) == nil {
			t.Errorf("a delay of %d was taken", d)
		}
	}
	s.ok(s.SetDelay(0, rollback.MaxDelay))
	asked, actual := two2(t).Delay(1)
	want(t, "of a player who is not local", fmt.Sprint(asked, actual), "0 0")
}

func two2(t *testing.T) *session { return play(t, two(1)) }

// Rule: a change loses, duplicates and reorders nothing that the player does:
// without repetitions, the inputs are the samples; and an input that lasted one
// frame, between others, still lasts one frame.
func TestNothingIsLostOrDoubled(t *testing.T) {
	seed := rand.Uint64()
	c := seeded(seed)
	for range 40 {
		s := play(t, alone(c.IntN(8)))
		var samples, inputs []button
		in := button(0)
		for range 600 {
			if c.IntN(10) == 0 {
				s.ok(s.SetDelay(0, c.IntN(12)))
			}
			if c.IntN(3) == 0 {
				in = button(c.IntN(4))
			}
			s.sample(in)
			s.ok(s.Tick())
			samples = append(samples, in)
		}
		for f := range s.Next(0) {
			b, _, _ := s.Input(0, f)
			if f < s.Frame() {
				b = s.tape.runs[f].in[0]
			}
			inputs = append(inputs, b)
		}
		// The first sample may look like the empty inputs before it.
		a, b := runsOf(samples), runsOf(inputs)
		if len(b) == len(a)+1 && b[0].in == 0 {
			b = b[1:]
		}
		if len(a) != len(b) {
			t.Fatalf("seed %d: %v, not %v", seed, b, a)
		}
		for i := range a {
			tap := i > 0 && i < len(a)-1 && a[i].length == 1
			if a[i].in != b[i].in || tap && b[i].length != 1 {
				t.Fatalf("seed %d: %v became %v", seed, a[i], b[i])
			}
		}
	}
}

type run struct {
	in     button
	length int
}

func runsOf(list []button) (runs []run) {
	for i, in := range list {
		if i == 0 || in != list[i-1] {
			runs = append(runs, run{in: in})
		}
		runs[len(runs)-1].length++
	}
	return runs
}
