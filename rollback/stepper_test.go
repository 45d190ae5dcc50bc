package rollback_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// stepping is a stepper for any game.
type stepping interface {
	Restart(tp *tape) error
	Load(f Frame, encoded []byte) error
	Frame() Frame
	Result() (rollback.Outcome, bool)
	Hash() (uint64, error)
	Marshal(b []byte) ([]byte, error)
	Step(inputs []button, orders [][]byte, gone PlayerSet) error
	Run(inputs []button, gone PlayerSet) error
}

type stepper[S any] struct{ *rollback.Stepper[S, button] }

func (s stepper[S]) Restart(*tape) error { return s.Stepper.Restart(nil) }

func newStepper(t *testing.T, tp *tape, own bool, style uint8) stepping {
	t.Helper()
	if own {
		s, err := rollback.NewStepper(tp.own(style, nil, kinds), 3, 8)
		if err != nil {
			t.Fatal(err)
		}
		return stepper[heap]{s}
	}
	s, err := rollback.NewStepper(tp.game(style, nil, kinds), 3, 8)
	if err != nil {
		t.Fatal(err)
	}
	return stepper[world]{s}
}

// Rule: a stepper passes a step exactly what an engine passes it that is fed the same
// frames, and reaches the same states and the same end, whichever players join and
// leave.
func TestStepperIsAnEngineThatIsFed(t *testing.T) {
	for seed := range uint64(10) {
		list := agreedMatch(t, seed, 800)
		for _, own := range []bool{false, true} {
			fed, stepped := new(tape), new(tape)
			e, err := rollback.New(fed.game(chaining, nil, kinds), rollback.Config{Players: 3, MaxOrders: 8, Stream: true})
			if err != nil {
				t.Fatal(err)
			}
			s := newStepper(t, stepped, own, chaining)
			over := false
			for f, one := range list {
				if err := errors.Join(e.Feed(one.inputs, one.orders, one.gone), s.Step(one.inputs, one.orders, one.gone)); err != nil {
					t.Fatalf("seed %d, own %v, frame %d: %v", seed, own, f, err)
				}
				if hash, err := s.Hash(); err != nil || hash != one.hash {
					t.Fatalf("seed %d, own %v, frame %d: hash %x, not %x (%v)", seed, own, f, hash, one.hash, err)
				}
				if one.finished {
					over = true
					if o, ok := s.Result(); !ok || o != (rollback.Outcome{Frame: Frame(f), Result: one.result}) {
						t.Fatalf("seed %d, own %v, frame %d: the result is %v %v", seed, own, f, o, ok)
					}
				}
				for e.NextAgreed() != nil {
				}
			}
			if _, ok := s.Result(); ok != over || !over {
				t.Fatalf("seed %d, own %v: finished is %v, not %v", seed, own, ok, over)
			}
			if !slices.Equal(fed.runs, stepped.runs) {
				t.Fatalf("seed %d, own %v: a step was shown something else", seed, own)
			}
		}
	}
}

// Rule: many frames at once give the same result as one by one, absent players
// included; the first frame that finishes decides, even in the middle of a run.
func TestRunIsManySteps(t *testing.T) {
	for _, own := range []bool{false, true} {
		for style := range styles {
			one, many := new(tape), new(tape)
			a, b := newStepper(t, one, own, style), newStepper(t, many, own, style)
			for round := range 20 {
				gone := PlayerSet(round % 8)
				inputs := make([]button, 3*round)
				for i := range inputs {
					inputs[i] = button((i*7 + round) % 14)
				}
				for f := range round {
					if err := a.Step(inputs[3*f:3*f+3], nil, gone); err != nil {
						t.Fatal(err)
					}
				}
				if err := b.Run(inputs, gone); err != nil {
					t.Fatal(err)
				}
				first, err1 := a.Hash()
				second, err2 := b.Hash()
				outcome, over := a.Result()
				result, ended := b.Result()
				if err := errors.Join(err1, err2); err != nil || first != second || outcome != result || over != ended || a.Frame() != b.Frame() {
					t.Fatalf("own %v, style %d, round %d: %x %v %v, not %x %v %v (%v)", own, style, round, second, result, ended, first, outcome, over, err)
				}
			}
			if !slices.Equal(one.runs, many.runs) {
				t.Errorf("own %v, style %d: a step was shown something else", own, style)
			}
		}
	}
}

// Rule: whatever inputs and orders are given for an absent player, the step sees none.
func TestAStepperShowsNothingOfWhoIsGone(t *testing.T) {
	for _, own := range []bool{false, true} {
		for style := range styles {
			one, other := new(tape), new(tape)
			a, b := newStepper(t, one, own, style), newStepper(t, other, own, style)
			for f := range 20 {
				in := button(f % 14)
				err1 := a.Step([]button{in, 0, in}, nil, 2)
				err2 := b.Step([]button{in, 9, in}, nil, 2)
				first, err3 := a.Hash()
				second, err4 := b.Hash()
				if err := errors.Join(err1, err2, err3, err4); err != nil || first != second {
					t.Fatalf("own %v, style %d, frame %d: %x, want %x (%v)", own, style, f, second, first, err)
				}
			}
			if !slices.Equal(one.runs, other.runs) {
				t.Errorf("own %v, style %d: a step was shown something else", own, style)
			}
		}
	}
}

// Rule: from a state that was loaded, a match goes on as it did; restarted, it is the
// match from the beginning. Both forget how it ended.
func TestStepperGoesOnFromAState(t *testing.T) {
	for _, own := range []bool{false, true} {
		s := newStepper(t, new(tape), own, chaining)
		inputs := []button{13, 1, 2, 3, 4, 5}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(s.Run(slices.Clone(inputs), 0))
		encoded, err := s.Marshal(nil)
		must(err)
		must(s.Run(slices.Clone(inputs), 1))
		want, err := s.Hash()
		must(err)
		must(s.Load(2, encoded))
		if _, over := s.Result(); over || s.Frame() != 2 {
			t.Errorf("own %v: at frame %d, over is %v", own, s.Frame(), over)
		}
		must(s.Run(slices.Clone(inputs), 1))
		if got, err := s.Hash(); err != nil || got != want {
			t.Errorf("own %v: another state after Load: %v", own, err)
		}
		must(s.Restart(nil))
		must(s.Run(slices.Clone(inputs), 0))
		if again, err := s.Marshal(nil); err != nil || string(again) != string(encoded) {
			t.Errorf("own %v: another state after Restart: %v", own, err)
		}
		if err := s.Load(2, encoded[1:]); err == nil {
			t.Errorf("own %v: half a state was loaded", own)
		}
	}
}

// Step refuses what is not a frame of the match, and changes nothing.
func TestStepperRefuses(t *testing.T) {
	s := newStepper(t, new(tape), false, chaining)
	var orders *rollback.OrdersError
	for name, err := range map[string]error{
		"two inputs of three players": s.Step(make([]button, 2), nil, 0),
		"orders of one of three":      s.Step(make([]button, 3), make([][]byte, 1), 0),
		"half a frame":                s.Run(make([]button, 4), 0),
		"nobody":                      func() error { _, err := rollback.NewStepper(new(tape).game(0, nil, nil), 0, 0); return err }(),
		"a game without a step":       func() error { _, err := rollback.NewStepper(rollback.Game[world, button]{}, 1, 0); return err }(),
		"too many orders":             func() error { _, err := rollback.NewStepper(new(tape).game(0, nil, nil), 1, 1<<20); return err }(),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if err := s.Step(make([]button, 3), [][]byte{nil, make([]byte, 9), nil}, 0); !errors.As(err, &orders) || orders.Player != 1 {
		t.Errorf("nine bytes of orders are %v", err)
	}
	if s.Frame() != 0 {
		t.Errorf("the frame is %d", s.Frame())
	}
	if err := s.Step(make([]button, 3), [][]byte{nil, make([]byte, 9), nil}, 2); err != nil {
		t.Errorf("the orders of who is gone: %v", err)
	}
}

// Differences names the fields, and leaves the live state as it is.
func TestStepperNamesDifferences(t *testing.T) {
	for _, own := range []bool{false, true} {
		tp := &tape{blind: true}
		diff := func(s interface {
			Run([]button, PlayerSet) error
			Marshal([]byte) ([]byte, error)
			Hash() (uint64, error)
		}, differences func([]byte) (string, int, error),
		) {
			before, _ := s.Marshal(nil)
			if err := s.Run([]button{3, 1, 1}, 0); err != nil {
				t.Fatal(err)
			}
			hash, _ := s.Hash()
			text, total, err := differences(before)
			if err != nil || total != 1 || text != "Level[0]: 0 != 2" {
				t.Errorf("own %v: %q, %d in all, %v", own, text, total, err)
			}
			if after, _ := s.Hash(); after != hash {
				t.Errorf("own %v: the live state has changed", own)
			}
		}
		if own {
			s, err := rollback.NewStepper(tp.own(clamping, nil, nil), 3, 0)
			if err != nil {
				t.Fatal(err)
			}
			diff(s, func(b []byte) (string, int, error) {
				r, err := s.Differences(b, 5)
				return r.String(), r.Total, err
			})
			continue
		}
		s, err := rollback.NewStepper(tp.game(clamping, nil, nil), 3, 0)
		if err != nil {
			t.Fatal(err)
		}
		diff(s, func(b []byte) (string, int, error) { r, err := s.Differences(b, 5); return r.String(), r.Total, err })
	}
}

// In the steady state a stepper allocates nothing.
func TestStepperAllocatesNothing(t *testing.T) {
	s := newStepper(t, &tape{blind: true}, false, chaining)
	inputs, orders := make([]button, 300), [][]byte{{1}, nil, nil}
	if n := testing.AllocsPerRun(100, func() {
		if err := errors.Join(s.Run(inputs, 2), s.Step(inputs[:3], orders, 1)); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Rule: orders of the maximum size are allowed, and larger ones are not.
func TestAStepperTakesOrdersUpToTheLimit(t *testing.T) {
	for most, ok := range map[int]bool{-1: false, 0: true, rollback.MaxOrderBytes: true, rollback.MaxOrderBytes + 1: false} {
		if _, err := rollback.NewStepper(new(tape).game(0, nil, nil), 2, most); (err == nil) != ok {
			t.Errorf("orders of %d bytes: %v", most, err)
		}
	}
	s := newStepper(t, new(tape), false, chaining)
	if err := s.Step(make([]button, 3), [][]byte{nil, make([]byte, 8), nil}, 0); err != nil {
		t.Errorf("eight bytes of orders are %v", err)
	}
}
