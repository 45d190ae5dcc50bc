package tickbacktest

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
)

// Impossible options are refused, with the field and the remedy.
func TestOptionsAreChecked(t *testing.T) {
	orders := rapid.SliceOf(rapid.Byte())
	script := func(rollback.Player, rollback.Frame) pad { return pad{} }
	for want, o := range map[string]Options[pad]{
		"Players is 17":             {Players: 17},
		"Frames is -1":              {Frames: -1},
		"Longest is 100":            {Longest: 100},
		"Longest is 2000000":        {Longest: 2_000_000},
		"Depth is 1000":             {Depth: 1000},
		"MaxOrders is -1":           {MaxOrders: -1},
		"both Inputs, which is all": {Inputs: script, Generate: rapid.Just(pad{})},
		"and Orders":                {Inputs: script, Orders: orders, MaxOrders: 3},
		"MaxOrders is 0":            {Orders: orders},
	} {
		reports(t, func(t testing.TB) { SyncTest(t, comboGame, o) }, want)
	}
}

// A script is played as it is, and shrunk if it fails.
func TestPlaysAndShrinksAScript(t *testing.T) {
	script := Options[pad]{Frames: 100, Inputs: func(p rollback.Player, f rollback.Frame) pad {
		return pad{Stick: int16(f), Buttons: buttons(f) / 16 & 3}
	}}
	reports(t, func(t testing.TB) { SyncTest(t, comboGame, script) }, "Broken", "frames, 2 inputs other than zero")
	script.Frames = 10
	passes(t, func(t testing.TB) { SyncTest(t, comboGame, script) })
}

// With a generator, a failure is shrunk to values that it generates, and to zero.
func TestShrinksWithinTheGenerator(t *testing.T) {
	made := []pad{{7, 1}, {7, 3}, {9, 2}}
	o := Options[pad]{Generate: rapid.SampledFrom(made)}
	reports(t, func(t testing.TB) { SyncTest(t, comboGame, o) }, "frame 20 ", "Stick:7 Buttons:1")
}

// Players leave and come back, unless the options say that they stay.
func TestPlayersLeaveUnlessTheyStay(t *testing.T) {
	for _, stay := range []bool{false, true} {
		o, _ := Options[pad]{Stay: stay}.withDefaults()
		s, err := newSource(o)
		if err != nil {
			t.Fatal(err)
		}
		left, back := 0, 0
		rapid.Check(t, func(r *rapid.T) {
			m := s.random(r)
			for f := range m.frames() - 1 {
				left += (m.gone[f+1] &^ m.gone[f]).Len()
				back += (m.gone[f] &^ m.gone[f+1]).Len()
			}
		})
		if (left > 0) == stay || (back > 0) == stay {
			t.Errorf("with Stay %v players left %d times and came back %d times", stay, left, back)
		}
	}
}

// Inputs of an unsupported type are refused before anything is played.
func TestRefusesInputsThatAreNotPlain(t *testing.T) {
	game := rollback.Game[counters, string]{Step: func(*counters, *rollback.Tick[string]) {}}
	reports(t, func(t testing.TB) { Purity(t, game, Options[string]{}) }, "inputs", "string")
	reports(t, func(t testing.TB) { SyncTest(t, rollback.Game[counters, pad]{}, Options[pad]{}) }, "has no Step")
}

// A test that compares nothing does not pass.
func TestNothingComparedIsAFailure(t *testing.T) {
	idle := rollback.Game[counters, pad]{Step: func(*counters, *rollback.Tick[pad]) {}}
	for _, helper := range []func(testing.TB){
		func(t testing.TB) { SyncTest(t, idle, Options[pad]{}) },
		func(t testing.TB) { Twins(t, idle, Options[pad]{}) },
		func(t testing.TB) { Purity(t, idle, Options[pad]{}) },
	} {
		reports(t, helper, "in every frame of every match", "the step does nothing")
	}
	if f := new(probe).nothing(); f == nil {
		t.Error("a probe that has seen nothing is content")
	}
}
