package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// run plays frames of a script from state 0 of the seed.
func run(seed uint64, script arena.Script, players int, frames rollback.Frame) arena.State {
	s := arena.New(seed)
	for f := range frames {
		in := script(f)
		arena.Step(&s, &in, first(players), nil)
	}
	return s
}

// runBots makes bots of a seed and a skill play.
func runBots(seed uint64, skill arena.Skill, players int, frames rollback.Frame) arena.State {
	s, bot := arena.New(seed), arena.Bot{Seed: seed, Skill: skill}
	for f := range frames {
		var in [arena.MaxPlayers]arena.Input
		for p := range players {
			in[p] = bot.Input(rollback.Player(p), f, &s)
		}
		arena.Step(&s, &in, first(players), nil)
	}
	return s
}

// The states that a seed and a script lead to, on every architecture.
func TestFrozenStates(t *testing.T) {
	for _, c := range []struct {
		players int
		frames  rollback.Frame
		want    uint64
	}{
		{2, 0, 0xA59996CB5C2D4A0B},
		{2, 1000, 0x4F8ADF61DE0B9BDD},
		{2, 5000, 0xA2C6CE806BBEF173},
		{3, 5000, 0x719333AB4A784735},
		{4, 5000, 0x99014179609D9355},
		{8, 1000, 0x7CF200CABE112EF5},
		{8, 20000, 0x75A9CB6EA2FCC0C1},
	} {
		s := run(7, arena.Random(7), c.players, c.frames)
		if got := plan(t).Hash(&s); got != c.want {
			t.Errorf("%d players, frame %d: 0x%016X", c.players, c.frames, got)
		}
	}
}

// Bots affect a recorded match only through their inputs; but a match in which they meet has everything that can
// happen.
func TestFrozenBots(t *testing.T) {
	for _, c := range []struct {
		players int
		skill   arena.Skill
		want    uint64
	}{
		{2, arena.Hard, 0x1E5B27031B959F9A},
		{4, arena.Normal, 0x7E53E87D9B22A552},
		{8, arena.Easy, 0xEC1F1AC0CAEF51C6},
	} {
		s := runBots(3, c.skill, c.players, 5000)
		if got := plan(t).Hash(&s); got != c.want {
			t.Errorf("%d players, skill %d: 0x%016X", c.players, c.skill, got)
		}
	}
}

// A seed always gives the same inputs of the random script.
func TestFrozenRandomScript(t *testing.T) {
	script, sum := arena.Random(7), uint64(0)
	for f := range rollback.Frame(1000) {
		for _, in := range script(f) {
			sum = sum*31 + uint64(uint8(in.X))<<16 + uint64(uint8(in.Y))<<8 + uint64(in.Buttons)
		}
	}
	want(t, "sum", sum, 2490614092226420504)
}

// Two machines that step with the same inputs have the same states, and a restored state continues in the same way.
func TestTwinsStayTwins(t *testing.T) {
	script := arena.Random(11)
	a, b := arena.New(11), arena.New(11)
	var inputs [2000][arena.MaxPlayers]arena.Input
	for f := range inputs {
		inputs[f] = script(rollback.Frame(f))
		arena.Step(&a, &inputs[f], first(5), nil)
		arena.Step(&b, &inputs[f], first(5), nil)
		if f%100 == 0 {
			saved := b
			for ahead := range 7 { // a wrong prediction, rolled back
				wrong := inputs[max(0, f-ahead)]
				arena.Step(&b, &wrong, first(5), nil)
			}
			b = saved
		}
	}
	if a != b {
		t.Error(plan(t).Diff(&a, &b, 10))
	}
}

// The arguments of a step are not changed, and none is kept.
func TestStepLeavesItsInputsAlone(t *testing.T) {
	c := fight(t, 8)
	c.untilPhase(arena.RoundOver)
	c.in = arena.Random(5)(0)
	before := c.in
	c.step(1)
	want(t, "inputs", c.in, before)
}

func TestStepDoesNotAllocate(t *testing.T) {
	c := fight(t, 8)
	script, f := arena.Random(1), rollback.Frame(0)
	allocations := testing.AllocsPerRun(2000, func() {
		c.in = script(f)
		c.step(1)
		f++
	})
	want(t, "allocations", allocations, 0)
}
