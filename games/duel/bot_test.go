package duel_test

import (
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// bout plays until a fighter has no health left, for three minutes at most, and returns the last state. A player
// without a bot has random input.
func bout(t testing.TB, seed uint32, bots [2]*duel.Bot) duel.State {
	t.Helper()
	script, err := duel.Scripted("random", seed+1000)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, seed, nil, 0)
	for f := uint32(0); f < 3*60*duel.TicksPerSecond && s.P[0].Hp > 0 && s.P[1].Hp > 0; f++ {
		in := script(f)
		for p, bot := range bots {
			if bot != nil {
				in[p] = bot.Input(rollback.Player(p), rollback.Frame(f), &s)
			}
		}
		duel.Step(&s, in)
	}
	return s
}

// bouts counts the bouts that each player wins, those that both lose, and the average length of a bout in seconds.
func bouts(t testing.TB, bot1, bot2 bool) (wins1, wins2, both int, seconds uint32) {
	t.Helper()
	const seeds = 200
	for seed := uint32(1); seed <= seeds; seed++ {
		bots := [2]*duel.Bot{}
		for p, is := range [2]bool{bot1, bot2} {
			if is {
				bots[p] = &duel.Bot{Seed: uint64(seed)}
			}
		}
		s := bout(t, seed, bots)
		seconds += s.Frame
		switch out1, out2 := s.P[0].Hp == 0, s.P[1].Hp == 0; {
		case out1 && out2:
			both++
		case out1:
			wins2++
		case out2:
			wins1++
		}
	}
	return wins1, wins2, both, seconds / seeds / duel.TicksPerSecond
}

// A bot beats random input from either side, and equal bots win about equally often. Everything is deterministic, so
// the counts are exact.
func TestFrozenBouts(t *testing.T) {
	for _, c := range []struct {
		name                        string
		bot1, bot2                  bool
		wins1, wins2, both, seconds int
	}{
		{"bot, random", true, false, 199, 1, 0, 12},
		{"random, bot", false, true, 1, 198, 1, 13},
		{"bot, bot", true, true, 82, 76, 42, 10},
	} {
		wins1, wins2, both, seconds := bouts(t, c.bot1, c.bot2)
		want(t, c.name, [4]int{wins1, wins2, both, int(seconds)}, [4]int{c.wins1, c.wins2, c.both, c.seconds})
	}
}

// A bot has no memory: wherever and in whatever order it is called, the answer is the same; another seed makes another
// player.
func TestABotIsAFunctionOfWhatItIsShown(t *testing.T) {
	s := run(t, 1, nil, 0)
	shown := s
	bot, twin, other := duel.Bot{Seed: 2}, duel.Bot{Seed: 2}, duel.Bot{Seed: 3}
	differs := 0
	for f := range rollback.Frame(600) {
		a := bot.Input(rollback.Player(f%2), f, &s)
		bot.Input(rollback.Player(f%2), f+100, &s)
		want(t, "the same", twin.Input(rollback.Player(f%2), f, &s), a)
		if other.Input(rollback.Player(f%2), f, &s) != a {
			differs++
		}
	}
	want(t, "it leaves the state alone", s, shown)
	want(t, "another seed plays otherwise", differs > 30, true)
}
