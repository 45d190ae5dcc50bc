package tickbacktest

import (
	"math/rand"
	"runtime"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// counters is a small state.
type counters struct {
	Frame uint32
	Value int64
	Other int64
}

// stepped is a game of one step.
func stepped(step func(s *counters, t *rollback.Tick[pad])) rollback.Game[counters, pad] {
	return rollback.Game[counters, pad]{Step: func(s *counters, t *rollback.Tick[pad]) {
		s.Frame++
		step(s, t)
	}}
}

// caught checks that helpers find what is wrong with a game, and report the expected text.
func caught[S any](t *testing.T, game rollback.Definition[S, pad], o Options[pad], by map[string][]string) {
	t.Helper()
	for name, parts := range by {
		t.Run(name, func(t *testing.T) {
			helper := map[string]func(t testing.TB){
				"SyncTest": func(t testing.TB) { SyncTest(t, game, o) },
				"Twins":    func(t testing.TB) { Twins(t, game, o) },
				"Purity":   func(t testing.TB) { Purity(t, game, o) },
			}[name]
			t.Log(reports(t, helper, append(parts, "tickbacktest."+name)...))
		})
	}
}

// Negative control: a range over a map decides the state.
func TestFindsMapOrder(t *testing.T) {
	weights := map[int64]int64{1: 3, 2: 5, 3: 7, 4: 11, 5: 13}
	caught(t, stepped(func(s *counters, _ *rollback.Tick[pad]) {
		for k, v := range weights {
			s.Value = s.Value*k + v
		}
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"frame", "Value", "ranges over a map", "Replay(t"},
		"Twins":    {"Value", "ranges over a map"},
		"Purity":   {"Value", "simulated again", "ranges over a map"},
	})
}

// Negative control: the clock is part of the state.
func TestFindsClock(t *testing.T) {
	start := time.Now()
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		for runtime.GOOS == "js" && time.Since(start)%7 == 0 { // its clock is coarse
		}
		s.Value = int64(time.Since(start))
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"Value", "the clock"}, "Twins": {"Value", "the clock"}, "Purity": {"Value", "the clock"},
	})
}

// Negative control: the step uses the process's random numbers.
func TestFindsGlobalRandom(t *testing.T) {
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Input(0).Buttons&buttonX != 0 {
			s.Value += rand.Int63n(1000)
		}
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"Value", "math/rand", "player 0"}, "Twins": {"Value", "math/rand"}, "Purity": {"Value", "math/rand"},
	})
}

// Negative control: a package variable is part of the state.
func TestFindsPackageVariable(t *testing.T) {
	hits := int64(0)
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Input(1).Buttons != 0 {
			hits++
		}
		s.Value = hits
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"Value", "outside of the state"}, "Twins": {"Value", "variable of the package"}, "Purity": {"Value", "outside of the state"},
	})
}

// Negative control: a frame has a different result when it is simulated again.
func TestFindsResimulation(t *testing.T) {
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Resimulating() {
			s.Other = int64(t.Frame())
		}
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"frame 1 ", "Other", "Tick.Resimulating"},
		"Purity":   {"frame 1 ", "Other", "as a resimulation", "Tick.Resimulating", "0   ", "1"},
	})
}

// Negative control: predicted inputs are treated differently.
func TestFindsStatus(t *testing.T) {
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Status(1) != rollback.Predicted {
			s.Value += int64(t.Input(1).Stick)
		}
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"frame 0 ", "state 1", "Value", "Predicted or Confirmed"},
		"Purity":   {"frame 0 ", "state 1", "Value", "inputs that are predictions", "Tick.Status"},
	})
}

var spark = effects.OneShot[struct{}](1, "spark")

// Negative control: an effect is only emitted the first time.
func TestFindsEffectsThatAreNotEmittedAgain(t *testing.T) {
	game := stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Input(0).Buttons&buttonX != 0 && !t.Resimulating() {
			spark.Emit(t.Effects(), 0, struct{}{})
		}
	})
	game.Effects = []effects.Declaration{spark}
	caught(t, game, Options[pad]{}, map[string][]string{
		"SyncTest": {"frame 0 ", "the effects of the frame differ", "Buttons:1"},
		"Purity":   {"frame 0 ", "the effects of the frame differ", "as a resimulation"},
	})
}

// Negative control: the match is only finished the first time.
func TestFindsFinishThatIsNotRepeated(t *testing.T) {
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Frame() == 5 && !t.Resimulating() {
			t.Finish(7)
		}
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"frame 5 ", "finished the match differently"},
		"Purity":   {"frame 5 ", "with result 7, then not at all"},
	})
}

// Negative control: goroutines determine the order of a sum that wraps and shifts.
func TestFindsGoroutines(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 || runtime.GOARCH == "wasm" {
		t.Skip("goroutines take turns on one processor")
	}
	caught(t, stepped(func(s *counters, _ *rollback.Tick[pad]) {
		const workers = 8
		values := make(chan int64, workers)
		for i := range workers {
			go func() {
				for range i * 5 {
					runtime.Gosched()
				}
				values <- int64(i)
			}()
		}
		for range workers {
			s.Value = s.Value*31 + <-values
		}
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"Value", "starts goroutines"}, "Twins": {"Value", "starts goroutines"},
	})
}

// Negative control: the step changes its arguments.
func TestFindsChangedOrders(t *testing.T) {
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		for p := range t.Players() {
			if o := t.Orders(p); len(o) > 0 {
				s.Value += int64(o[0])
				o[0]++
			}
		}
	}), Options[pad]{MaxOrders: 8}, map[string][]string{
		"Purity": {"frame 0 ", "changed the orders", "player", "gave 00, and they are 01 now", "orders 00"},
	})
}

// Negative control: a panic is found, with the inputs that cause it.
func TestFindsPanic(t *testing.T) {
	table := [4]int64{}
	caught(t, stepped(func(s *counters, t *rollback.Tick[pad]) {
		s.Value += table[t.Input(0).Buttons>>4]
	}), Options[pad]{}, map[string][]string{
		"SyncTest": {"frame 0 panicked", "index out of range", "Buttons:", "broken_step_test.go", "Options.Generate"},
		"Twins":    {"frame 0 panicked", "Buttons:"},
		"Purity":   {"frame 0 panicked", "Buttons:"},
	})
}
