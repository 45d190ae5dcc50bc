package rollback_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// tested runs a sync test of a step that adds something to the world's step,
// until it fails or 100 frames have passed.
func tested(depth int, more func(w *world, tick *rollback.Tick[button])) (*rollback.Engine[world, button], error) {
	tp := &tape{blind: true}
	game := tp.game(chaining, nil, kinds)
	step := game.Step
	game.Step = func(w *world, tick *rollback.Tick[button]) {
		step(w, tick)
		more(w, tick)
	}
	cfg := two(8)
	cfg.Local, cfg.SyncTest = 3, depth
	e := fresh(rollback.New(game, cfg))
	for range 100 {
		must(e.AddLocal(0, button(rand.IntN(16)), nil))
		must(e.AddLocal(1, button(rand.IntN(16)), nil))
		if err := e.Tick(); err != nil {
			return e, err
		}
		e.Effects()
	}
	return e, nil
}

// Rule: a step that depends only on the state and the inputs passes, and the
// test reports how much it has compared.
func TestASyncTestPassesAGoodGame(t *testing.T) {
	e, err := tested(4, func(*world, *rollback.Tick[button]) {})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "stats", fmt.Sprint(e.Stats().Compared, e.Stats().Rollbacks, e.Stats().Deepest), "394 100 4")
}

// Rule: a sync test names the first frame with a different result, and every
// field with both values; after that, the match cannot go on.
func TestASyncTestFindsAHiddenVariable(t *testing.T) {
	hidden := uint64(0)
	e, err := tested(1, func(w *world, tick *rollback.Tick[button]) {
		if tick.Frame() == 7 {
			hidden++
			w.Level[3], w.Sum = uint8(hidden), hidden*100
		}
	})
	m := refused[*rollback.SyncTestError](t, err)
	want(t, "frame", m.Frame, 7)
	want(t, "differences", fmt.Sprint(m.Differences, m.Total), "[Sum: 100 != 200 Level[3]: 1 != 2] 2")
	for _, text := range []string{"frame 7", "state 8", "Sum: 100 != 200", "Level[3]: 1 != 2"} {
		if !strings.Contains(m.Error(), text) {
			t.Errorf("%q does not say %q", m.Error(), text)
		}
	}
	must(e.AddLocal(0, 1, nil))
	must(e.AddLocal(1, 1, nil))
	refused[*rollback.SyncTestError](t, e.Tick())
	refused[*rollback.SyncTestError](t, e.Settle())
	want(t, "frame", e.Frame(), 8)
	e.Restart(nil)
	must(e.AddLocal(0, 1, nil))
	must(e.AddLocal(1, 1, nil))
	must(e.Tick())
}

// Rule: anything that a step must not depend on differs the second time.
func TestASyncTestFindsWhatMustNotInfluenceTheState(t *testing.T) {
	for name, more := range cheats() {
		for _, depth := range []int{1, 3} {
			_, err := tested(depth, more)
			m := refused[*rollback.SyncTestError](t, err)
			effect, end := strings.Contains(name, "effect"), name == "Finish" || name == "a result"
			if m.Frame != 9 || m.Effects != effect || m.Result != end || (m.Total == 0) != (effect || end) {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

// Rule: a sync test continues while effects become final, and those are
// reported once it is done with their frames.
func TestASyncTestLetsEffectsBecomeFinal(t *testing.T) {
	cfg := two(8)
	cfg.Local, cfg.SyncTest = 3, 2
	s := play(t, cfg)
	confirmed := 0
	for range 50 {
		s.ticks(2) // a hit each
		for _, ev := range s.Effects() {
			if ev.What == effects.Confirmed {
				confirmed++
			}
		}
	}
	want(t, "confirmed", confirmed, 2*(50-2))
}

// Rule: comparing nothing is an error.
func TestASyncTestOfNothingIsRefused(t *testing.T) {
	cfg := two(8)
	cfg.SyncTest = 2
	_, err := rollback.New(rollback.Game[struct{}, button]{Step: func(*struct{}, *rollback.Tick[button]) {}}, cfg)
	is(t, err, rollback.ErrNothingCompared)
	type hidden struct {
		X uint64 `canon:"-"`
	}
	_, err = rollback.New(rollback.Game[hidden, button]{Step: func(*hidden, *rollback.Tick[button]) {}}, cfg)
	is(t, err, rollback.ErrNothingCompared)
}

// In a match with predictions, corrections and sync tests do not disturb each
// other.
func TestASyncTestRunsInAMatchToo(t *testing.T) {
	cfg := two(4)
	cfg.SyncTest = 3
	s, plain := play(t, cfg), play(t, two(4))
	for f := range Frame(40) {
		s.ticks(button(f))
		plain.ticks(button(f))
		if f > 1 {
			s.get(f-2, button(f*3))
			plain.get(f-2, button(f*3))
		}
		want(t, "state", *s.State(), *plain.State())
	}
}

// cheats are steps that go wrong in frame 9.
func cheats() map[string]func(w *world, tick *rollback.Tick[button]) {
	count := uint32(0)
	return map[string]func(w *world, tick *rollback.Tick[button]){
		"Resimulating": func(w *world, tick *rollback.Tick[button]) {
			if tick.Frame() == 9 && tick.Resimulating() {
				w.Sum++
			}
		},
		"Confirmed": func(w *world, tick *rollback.Tick[button]) {
			if tick.Frame() == 9 && tick.Status(1) == rollback.Confirmed {
				w.Sum++
			}
		},
		"Predicted": func(w *world, tick *rollback.Tick[button]) {
			if tick.Frame() == 9 && tick.Status(0) == rollback.Predicted {
				w.Sum++
			}
		},
		"effects": func(_ *world, tick *rollback.Tick[button]) {
			if count++; tick.Frame() == 9 {
				hit.Emit(tick.Effects(), count, 1)
			}
		},
		"an effect's payload": func(_ *world, tick *rollback.Tick[button]) {
			if count++; tick.Frame() == 9 {
				hit.Emit(tick.Effects(), 77, uint8(count))
			}
		},
		"Finish": func(_ *world, tick *rollback.Tick[button]) {
			if tick.Frame() == 9 && tick.Resimulating() {
				tick.Finish(1)
			}
		},
		"a result": func(_ *world, tick *rollback.Tick[button]) {
			if count++; tick.Frame() == 9 {
				tick.Finish(uint64(count))
			}
		},
	}
}
