package rollback_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// session makes a test read as a script.
type session struct {
	*rollback.Engine[world, button]
	t    *testing.T
	tape *tape
}

// play begins a match of the model game that never forgets an input.
func play(t *testing.T, cfg rollback.Config) *session { return playStyle(t, chaining, nil, cfg) }

func playStyle(t *testing.T, style uint8, predict rollback.Predictor[button], cfg rollback.Config) *session {
	t.Helper()
	tp := new(tape)
	e, err := rollback.New(tp.game(style, predict, kinds), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &session{e, t, tp}
}

// two is a match with player 0 here and player 1 on another machine.
func two(window int) rollback.Config {
	return rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: window}
}

// ok demands that there is no error.
func (s *session) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// get passes inputs of player 1, from frame f on, to the engine.
func (s *session) get(f Frame, inputs ...button) {
	s.t.Helper()
	for i, in := range inputs {
		s.ok(s.AddInput(1, f+Frame(i), in, nil))
	}
}

// ticks samples the local players, who all do the same, and runs a frame, for
// each of these inputs. It returns the simulated inputs: "~" again, "?"
// predicted, "x" disconnected.
func (s *session) ticks(inputs ...button) string {
	s.t.Helper()
	for _, in := range inputs {
		s.sample(in)
		s.ok(s.Tick())
	}
	return s.ran()
}

func (s *session) sample(in button) {
	s.t.Helper()
	for p := range Player(s.Players()) {
		if s.NeedsInput(p) {
			s.ok(s.AddLocal(p, in, nil))
		}
	}
}

// ran returns what was simulated since the last call.
func (s *session) ran() string {
	var list []string
	for _, r := range s.tape.runs {
		text := fmt.Sprintf("%d:", r.frame)
		if r.again {
			text = "~" + text
		}
		for p := range s.Players() {
			if p > 0 {
				text += ","
			}
			text += fmt.Sprint(r.in[p])
			switch {
			case r.gone.Has(Player(p)):
				text += "x"
			case !r.known.Has(Player(p)):
				text += "?"
			}
			text += r.orders[p]
		}
		list = append(list, text)
	}
	s.tape.runs = s.tape.runs[:0]
	return strings.Join(list, " ")
}

// want compares two values.
func want[T comparable](t *testing.T, what string, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s:\n%v, not\n%v", what, got, wanted)
	}
}

// refused requires an error of type E, and returns it.
func refused[E error](t *testing.T, err error) (e E) {
	t.Helper()
	if !errors.As(err, &e) {
		t.Fatalf("%T %v, not a %T", err, err, e)
	}
	return e
}

// is demands an error that wraps another.
func is(t *testing.T, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Fatalf("%v, not %v", err, wanted)
	}
}

// waits requires that the next frame cannot run, and that nothing has changed.
func (s *session) waits(waiting PlayerSet, have Frame) {
	s.t.Helper()
	before, frame := *s.State(), s.Frame()
	stall := refused[*rollback.Stall](s.t, s.Tick())
	if *stall != (rollback.Stall{Frame: frame, Waiting: waiting, Have: have}) {
		s.t.Errorf("%+v, not for %v from %d", *stall, waiting, have)
	}
	if *s.State() != before || s.Frame() != frame || s.ran() != "" {
		s.t.Error("a stall has changed something")
	}
}
