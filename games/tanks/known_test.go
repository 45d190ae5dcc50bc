package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// run plays frames of a script from state 0 of the seed.
func run(seed uint64, script tanks.Script, players int, frames rollback.Frame) tanks.State {
	s := tanks.New(seed)
	for f := range frames {
		in := script(f)
		tanks.Step(&s, &in, first(players), nil)
	}
	return s
}

// runBots makes bots of a seed play.
func runBots(bot tanks.Bot, players int, frames rollback.Frame) tanks.State {
	s := tanks.New(bot.Seed)
	for range frames {
		stepBots(bot, &s, players)
	}
	return s
}

// stepBots makes bots play a tick.
func stepBots(bot tanks.Bot, s *tanks.State, players int) {
	in := botInputs(bot, s, players)
	tanks.Step(s, &in, first(players), nil)
}

func botInputs(bot tanks.Bot, s *tanks.State, players int) (in [tanks.MaxPlayers]tanks.Input) {
	for p := range players {
		in[p] = bot.Input(rollback.Player(p), rollback.Frame(s.Frame), s)
	}
	return in
}

// The states that a seed and a script lead to, on every architecture. Some of them are in docs/reference/tanks.md, too,
// which says what to do if they change.
func TestFrozenStates(t *testing.T) {
	for _, c := range []struct {
		players int
		frames  rollback.Frame
		want    uint64
	}{
		{2, 0, 0xF6711E7EC4912C30},
		{2, 1000, 0x9DD0DB2389B7434D},
		{4, 5000, 0x48BDB13AFBE3D162},
		{8, 100, 0x40E47EF788DAF329},
		{8, 6000, 0x5F1EC1351FA35188},
		{16, 6000, 0xE5C18D9D13099DDA},
	} {
		if c.players > everybody {
			continue
		}
		s := run(7, tanks.Random(7), c.players, c.frames)
		if got := plan(t).Hash(&s); got != c.want {
			t.Errorf("%d players, frame %d: 0x%016X", c.players, c.frames, got)
		}
	}
}

// Bots affect a match only through their inputs; but a match in which they meet has everything that can happen.
func TestFrozenBots(t *testing.T) {
	for _, c := range []struct {
		players int
		mood    tanks.Mood
		seen    uint8
		want    uint64
	}{
		{2, tanks.Busy, 0, 0x0A54575522236F41},
		{8, tanks.Busy, 4, 0xD5B86E36BEB2FA56},
		{8, tanks.Calm, 0, 0x469937FD1D7EBB93},
		{16, tanks.Busy, 3, 0x5F10170B4F53389D},
		{16, tanks.Calm, 0, 0x66F30895F9DA8490},
	} {
		if c.players > everybody {
			continue
		}
		s := runBots(tanks.Bot{Seed: 3, Mood: c.mood, Seen: c.seen}, c.players, 3000)
		if got := plan(t).Hash(&s); got != c.want {
			t.Errorf("%d players, mood %d: 0x%016X", c.players, c.mood, got)
		}
	}
}

// A seed always gives the same inputs of the random script.
func TestFrozenRandomScript(t *testing.T) {
	script, sum := tanks.Random(7), uint64(0)
	for f := range rollback.Frame(1000) {
		for _, in := range script(f) {
			sum = sum*31 + uint64(uint8(in.Turn))<<24 + uint64(uint8(in.Throttle))<<16 + uint64(in.Buttons)<<8 + uint64(in.Seen)
		}
	}
	want(t, "sum", sum, 3474277445796777648)
}

// Two machines that step with the same inputs have the same states, and a restored state continues in the same way.
func TestTwinsStayTwins(t *testing.T) {
	script := tanks.Random(11)
	a, b := tanks.New(11), tanks.New(11)
	var inputs [2000][tanks.MaxPlayers]tanks.Input
	for f := range inputs {
		inputs[f] = script(rollback.Frame(f))
		tanks.Step(&a, &inputs[f], first(everybody), nil)
		tanks.Step(&b, &inputs[f], first(everybody), nil)
		if f%100 == 0 {
			saved := b
			for ahead := range 7 { // a wrong prediction, rolled back
				wrong := inputs[max(0, f-ahead)]
				tanks.Step(&b, &wrong, first(everybody), nil)
			}
			b = saved
		}
	}
	same(t, "twins", &a, &b)
}

// The arguments of a step are not changed, and it allocates nothing.
func TestStepLeavesItsInputsAloneAndDoesNotAllocate(t *testing.T) {
	c := match(t, everybody)
	script, f := tanks.Random(1), rollback.Frame(0)
	allocations := testing.AllocsPerRun(2000, func() {
		c.in = script(f)
		before := c.in
		c.step(1)
		if c.in != before {
			t.Error("the inputs have changed")
		}
		f++
	})
	want(t, "allocations", allocations, 0)
}
