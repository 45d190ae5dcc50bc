package rollback_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Rule: every error about a Config wraps ErrConfig and names the field.
func TestWrongConfigurationsAreRefused(t *testing.T) {
	for name, change := range map[string]func(c *rollback.Config){
		"Players is 0":                  func(c *rollback.Config) { c.Players = 0 },
		"Players is -1":                 func(c *rollback.Config) { c.Players = -1 },
		"Players is 17":                 func(c *rollback.Config) { c.Players = 17 },
		"Local":                         func(c *rollback.Config) { c.Local = 4 },
		"delay of player 0":             func(c *rollback.Config) { c.Delay[0] = rollback.MaxDelay + 1 },
		"is -1 frames":                  func(c *rollback.Config) { c.Delay[0] = -1 },
		"Delay[1]":                      func(c *rollback.Config) { c.Delay[1] = 1 },
		"Delay[15]":                     func(c *rollback.Config) { c.Delay[15] = 1 },
		"Window is -1":                  func(c *rollback.Config) { c.Window = -1 },
		"Window is 121":                 func(c *rollback.Config) { c.Window = rollback.MaxWindow + 1 },
		"SyncTest is -1":                func(c *rollback.Config) { c.SyncTest = -1 },
		"SyncTest is 121":               func(c *rollback.Config) { c.SyncTest = rollback.MaxWindow + 1 },
		"Snapshots is 8":                func(c *rollback.Config) { c.Snapshots = 8 },
		"Snapshots is 12":               func(c *rollback.Config) { c.SyncTest, c.Snapshots = 12, 12 },
		"Snapshots is -1":               func(c *rollback.Config) { c.Snapshots = -1 },
		"Snapshots is 4097":             func(c *rollback.Config) { c.Snapshots = rollback.MaxSnapshots + 1 },
		"History is 64":                 func(c *rollback.Config) { c.History = 64 },
		"History is 200":                func(c *rollback.Config) { c.History = 200 },
		"History is -128":               func(c *rollback.Config) { c.History = -128 },
		"History is 128, less than 130": func(c *rollback.Config) { c.Window, c.History = 64, 128 },
		"History is 32768":              func(c *rollback.Config) { c.History = rollback.MaxHistory * 2 },
		"MaxOrders is -1":               func(c *rollback.Config) { c.MaxOrders = -1 },
		"MaxOrders is 4097":             func(c *rollback.Config) { c.MaxOrders = rollback.MaxOrderBytes + 1 },
	} {
		cfg := two(8)
		change(&cfg)
		_, err := rollback.New(new(tape).game(0, nil, nil), cfg)
		is(t, err, rollback.ErrConfig)
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not say %q", err, name)
		}
	}
	cfg := two(8)
	for _, most := range []int{-1, effects.MaxPerFrame + 1} {
		cfg.MaxEffects = most
		_, err := rollback.New(new(tape).game(0, nil, kinds), cfg)
		is(t, err, rollback.ErrConfig)
	}
}

// The largest and the smallest configurations work.
func TestTheLimitsWork(t *testing.T) {
	for _, cfg := range []rollback.Config{
		{Players: 1, Window: rollback.MaxWindow, History: 256, Snapshots: rollback.MaxSnapshots},
		{Players: rollback.MaxPlayers, Local: 1<<16 - 1, Window: 1, History: rollback.MaxHistory, MaxOrders: rollback.MaxOrderBytes},
		{Players: 1, Local: 1, SyncTest: rollback.MaxWindow, History: 256},
	} {
		if _, err := rollback.New(new(tape).game(0, nil, kinds), cfg); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

func stepless[I comparable]() error {
	_, err := rollback.New(rollback.Game[world, I]{Step: func(*world, *rollback.Tick[I]) {}}, rollback.Config{Players: 1})
	return err
}

// Rule: inputs are plain, without floats or excluded fields, and have at most MaxInputSize bytes.
func TestTypesOfInputsAreChecked(t *testing.T) {
	type excluded struct {
		A uint8
		B uint8 `canon:"-"`
	}
	type nested struct{ E [2]excluded }
	type padded struct {
		A uint8
		B uint32
	}
	for name, err := range map[string]error{
		"float": stepless[float32](), "complex": stepless[complex64](), "float field": stepless[struct{ X float64 }](),
		"excluded": stepless[excluded](), "nested excluded": stepless[nested](), "65 bytes": stepless[[65]byte](),
		"pointer": stepless[*int](), "string": stepless[string](), "int": stepless[int](), "any": stepless[any](),
		"channel": stepless[chan int](),
	} {
		if err == nil {
			t.Errorf("%s: taken as an input", name)
		}
	}
	for name, err := range map[string]error{
		"struct{}": stepless[struct{}](), "bool": stepless[bool](), "padded": stepless[padded](), "64 bytes": stepless[[64]byte](),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Inputs without any content are valid.
func TestEmptyInputsRun(t *testing.T) {
	cfg := two(2)
	cfg.Stream = true
	e := fresh(rollback.New(rollback.Game[world, struct{}]{Step: func(w *world, _ *rollback.Tick[struct{}]) { w.Sum++ }}, cfg))
	for f := range Frame(300) {
		must(e.AddLocal(0, struct{}{}, nil))
		must(e.Tick())
		must(e.AddInput(1, f, struct{}{}, nil))
		must(e.Agree(f + 1))
		if a := e.NextAgreed(); a == nil || a.Frame != f || len(a.Inputs) != 2 {
			t.Fatalf("%+v", a)
		}
	}
	want(t, "frames", e.State().Sum, 300)
	want(t, "rollbacks", e.Stats().Rollbacks, 0)
}

// Rule: inputs have no floats, whatever the game does about them, and the message says what to use
// instead.
func TestInputsHaveNoFloats(t *testing.T) {
	type stick struct{ X float32 }
	_, err := rollback.New(rollback.Game[world, stick]{Step: func(*world, *rollback.Tick[stick]) {}, AllowFloats: true}, two(2))
	var check *canon.CheckError
	if !errors.As(err, &check) || strings.Contains(err.Error(), "AllowFloats") || !strings.Contains(err.Error(), "X: float32; inputs have none") {
		t.Error(err)
	}
}

// Rule: states of a Game are plain, and floats must be allowed explicitly.
func TestTypesOfStatesAreChecked(t *testing.T) {
	type floating struct{ X float64 }
	step := func(*floating, *rollback.Tick[button]) {}
	_, err := rollback.New(rollback.Game[floating, button]{Step: step}, two(2))
	_, admitted := rollback.New(rollback.Game[floating, button]{Step: step, AllowFloats: true}, two(2))
	if err == nil || !strings.Contains(err.Error(), "X: float64; use a fixed-point number, or ask for floats that are the same everywhere: Floats: tickback.Strict") || admitted != nil {
		t.Error(err, admitted)
	}
	_, err = rollback.New(rollback.Game[heap, button]{Step: func(*heap, *rollback.Tick[button]) {}}, two(2))
	if err == nil || !strings.Contains(err.Error(), "OwnMemory") {
		t.Error(err)
	}
	if _, err = rollback.New(rollback.Game[world, button]{}, two(2)); err == nil {
		t.Error("a game without a Step was taken")
	}
}

// Rule: every 16th tick is measured with the clock, and averages follow.
func TestCostsAreMeasured(t *testing.T) {
	now := time.Duration(0)
	for _, own := range []bool{false, true} {
		cfg := two(4)
		cfg.Stream = true
		cfg.Clock = func() time.Duration { return now }
		g := heapWith(func(g *heapGame) { slowly(g, &now) })
		p := new(tape).game(chaining, nil, nil)
		step := p.Step
		p.Step = func(w *world, tick *rollback.Tick[button]) { now += 100; step(w, tick) }
		var e engine
		var costs func() rollback.Costs
		if own {
			x := fresh(rollback.New(g, cfg))
			e, costs = of(x), x.Costs
		} else {
			x := fresh(rollback.New(p, cfg))
			e, costs = of(x), x.Costs
		}
		want(t, "nothing yet", costs(), rollback.Costs{})
		want(t, "nothing yet", costs().DeepestRollback(time.Hour), -1)
		for f := range Frame(100) {
			must(e.AddLocal(0, 1, nil))
			must(e.Tick())
			must(e.AddInput(1, f, button(f), nil))
		}
		got := costs()
		want(t, "step", got.Step, 100)
		if own {
			want(t, "restore", got.Restore, 30)
		} else {
			want(t, "save and restore", got.Save+got.Restore, 0)
		}
		if own && (got.Save < 20 || got.Save > 27) {
			t.Errorf("saving takes %v", got.Save)
		}
	}
}

// slowly makes everything that the game does take time.
func slowly(g *heapGame, now *time.Duration) {
	step, save, restore, hash := g.Step, g.Save, g.Restore, g.Hash
	g.Equal = nil
	g.Step = func(h *heap, tick *rollback.Tick[button]) { *now += 100; step(h, tick) }
	g.Save = func(h *heap, s *heapSlot) { *now += 20; save(h, s) }
	g.Restore = func(h *heap, s *heapSlot) { *now += 30; restore(h, s) }
	g.Hash = func(h *heap) uint64 { *now += 7; return hash(h) }
}

// Rule: the deepest rollback that fits into a tick beside a new frame and a hash.
func TestTheDeepestRollback(t *testing.T) {
	c := rollback.Costs{Step: 80, Save: 20, Restore: 50, Hash: 10}
	for period, depth := range map[time.Duration]int{0: -1, 109: -1, 110: 0, 159: 0, 259: 0, 260: 1, 1060: 9, 1059: 8} {
		want(t, fmt.Sprint("in ", period), c.DeepestRollback(period), depth)
	}
	want(t, "frames of a nanosecond", rollback.Costs{Step: 1}.DeepestRollback(10), 9)
}

// Rule: undeclared or mistaken kinds of effects are refused, or end the match.
func TestEffectsMustBeDeclared(t *testing.T) {
	twice := []effects.Declaration{hit, hit}
	if _, err := rollback.New(new(tape).game(0, nil, twice), two(2)); err == nil {
		t.Error("one kind was declared twice")
	}
	s := playStyle(t, chaining, nil, two(2))
	e := fresh(rollback.New(new(tape).game(chaining, nil, []effects.Declaration{hum}), two(2)))
	must(e.AddLocal(0, 0, nil))
	must(e.Tick())
	must(e.AddLocal(0, 2, nil)) // emits a hit
	if err := e.Tick(); err == nil || !strings.Contains(err.Error(), "hit") || !strings.Contains(err.Error(), "frame 1:") {
		t.Errorf("not declared: %v", err)
	}
	if e.Tick() == nil {
		t.Error("it goes on")
	}
	s.ticks(2)
}

// Rule: effects beyond MaxEffects are dropped and counted, from the beginning of the match.
func TestTooManyEffectsAreCounted(t *testing.T) {
	cfg := two(2)
	cfg.Local, cfg.MaxEffects = 3, 1
	s := play(t, cfg)
	s.ticks(2, 2)
	want(t, "dropped", s.Stats().DroppedEffects, 2)
	s.Restart(nil)
	want(t, "dropped", s.Stats().DroppedEffects, 0)
}

// Rule: a game says how many can play it; anything that would run it with another number is refused
// with its error.
func TestGamesRefusePlayers(t *testing.T) {
	refused := errors.New("two, neither more nor less")
	two := func(n int) error {
		if n != 2 {
			return refused
		}
		return nil
	}
	plain := rollback.Game[int64, uint8]{Step: func(*int64, *rollback.Tick[uint8]) {}, Players: two}
	own := rollback.OwnMemory[int64, int64, uint8]{Step: func(*int64, *rollback.Tick[uint8]) {}, Players: two}
	for _, game := range []rollback.Definition[int64, uint8]{plain, own} {
		for n := 1; n <= 3; n++ {
			_, engine := rollback.New(game, rollback.Config{Players: n})
			_, stepper := rollback.NewStepper(game, n, 0)
			_, sandbox := rollback.NewSandbox(game, n, 0)
			for _, err := range []error{engine, stepper, sandbox} {
				if errors.Is(err, refused) != (n != 2) || (err == nil) != (n == 2) {
					t.Errorf("%T, %d players: %v", game, n, err)
				}
			}
			if n != 2 && !errors.Is(engine, rollback.ErrConfig) {
				t.Errorf("%v is not about the config", engine)
			}
		}
	}
}
