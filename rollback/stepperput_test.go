package rollback_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: after Put, a stepper continues from a copy of that value, as after Load of its
// encoding.
func TestPutIsLoadWithoutEncoding(t *testing.T) {
	type state struct{ Sum, Frame int64 }
	game := rollback.Game[state, int32]{
		Init: func(s *state) { *s = state{Sum: 5} },
		Step: func(s *state, k *rollback.Tick[int32]) {
			s.Sum = s.Sum*3 + int64(k.Input(0))
			s.Frame = int64(k.Frame())
			if s.Sum > 1000 {
				k.Finish(uint64(s.Sum))
			}
		},
	}
	put, err := rollback.NewStepper(game, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	load, _ := rollback.NewStepper(game, 1, 0)
	value := state{Sum: 7, Frame: 9}
	for _, s := range []*rollback.Stepper[state, int32]{put, load} {
		for s.Restart(nil); s.Frame() < 12; {
			if err := s.Step([]int32{2}, nil, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, over := put.Result(); !over {
		t.Fatal("nothing is over")
	}
	if err := put.Put(10, &value); err != nil {
		t.Fatal(err)
	}
	other, _ := rollback.NewStepper(game, 1, 0)
	*other.State() = value
	encoded, err := other.Marshal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Load(10, encoded); err != nil {
		t.Fatal(err)
	}
	value.Sum = 0 // it was copied
	for f := rollback.Frame(10); f < 14; f++ {
		for _, s := range []*rollback.Stepper[state, int32]{put, load} {
			if s.Frame() != f {
				t.Fatalf("frame %d follows, want %d", s.Frame(), f)
			}
			if _, over := s.Result(); over {
				t.Fatal("the end of before is still there")
			}
			if err := s.Step([]int32{int32(f)}, nil, 0); err != nil {
				t.Fatal(err)
			}
		}
		if *put.State() != *load.State() || put.State().Sum == 0 {
			t.Fatalf("%+v and %+v", *put.State(), *load.State())
		}
	}
	before := *put.State()
	if err := put.Put(rollback.NoFrame, &value); !errors.Is(err, rollback.ErrFrames) || *put.State() != before || put.Frame() != 14 {
		t.Errorf("beyond any match: %v", err)
	}
}

// Rule: a game that owns its memory has no values to begin with.
func TestPutNeedsValues(t *testing.T) {
	type own struct{ n *int }
	s, err := rollback.NewStepper(rollback.OwnMemory[own, int, int32]{
		Init:    func(o *own) { o.n = new(int) },
		Step:    func(o *own, k *rollback.Tick[int32]) { *o.n++ },
		Save:    func(o *own, v *int) { *v = *o.n },
		Restore: func(o *own, v *int) { *o.n = *v },
	}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var missing *rollback.CapabilityError
	if err := s.Put(3, &own{}); !errors.As(err, &missing) || s.Frame() != 0 {
		t.Errorf("%v", err)
	}
}
