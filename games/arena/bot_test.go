package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// hand plays for one player.
type hand func(p rollback.Player, f rollback.Frame, s *arena.State) arena.Input

func random(seed uint64) hand {
	script, held := arena.Random(seed), [arena.MaxPlayers]arena.Input{}
	next := rollback.Frame(0)
	return func(p rollback.Player, f rollback.Frame, _ *arena.State) arena.Input {
		for ; next <= f; next++ {
			held = script(next)
		}
		return held[p]
	}
}

// finish plays a match to its end.
func finish(t testing.TB, seed uint64, hands ...hand) arena.State {
	t.Helper()
	s := arena.New(seed)
	var in [arena.MaxPlayers]arena.Input
	for f := rollback.Frame(0); s.Phase != arena.MatchOver; f++ {
		if f > arena.MaxRounds*(arena.RoundTicks+arena.CountdownTicks+arena.RoundOverTicks+10) {
			t.Fatalf("seed %d: the match does not end", seed)
		}
		for p, h := range hands {
			in[p] = h(rollback.Player(p), f, &s)
		}
		arena.Step(&s, &in, first(len(hands)), nil)
	}
	return s
}

// tournament counts the wins of two hands over several seeds, with the places exchanged after every match, and adds up
// the frames.
func tournament(t testing.TB, seeds int, a, b func(seed uint64) hand) (winsA, winsB int, frames uint32) {
	for seed := range uint64(seeds) {
		swap := int(seed % 2)
		hands := []hand{a(seed), b(seed)}
		hands[0], hands[1] = hands[swap], hands[1-swap]
		s := finish(t, seed, hands...)
		frames += s.Frame
		switch winner, ok := arena.WinnerOf(s.Result()); {
		case ok && int(winner) == swap:
			winsA++
		case ok:
			winsB++
		}
	}
	return winsA, winsB, frames
}

func botOf(skill arena.Skill) func(seed uint64) hand {
	return func(seed uint64) hand { return arena.Bot{Seed: seed, Skill: skill}.Input }
}

// A bot wins against random input, a better bot against a worse one, and equal ones win about equally often. Everything
// is deterministic, so the counts are exact.
func TestFrozenTournaments(t *testing.T) {
	const seeds = 40
	for _, c := range []struct {
		name         string
		a, b         func(uint64) hand
		winsA, winsB int
		seconds      uint32 // of a match, on average
	}{
		{"easy, random", botOf(arena.Easy), random, 40, 0, 52},
		{"normal, easy", botOf(arena.Normal), botOf(arena.Easy), 40, 0, 53},
		{"hard, normal", botOf(arena.Hard), botOf(arena.Normal), 39, 1, 73},
		{"hard, hard", botOf(arena.Hard), botOf(arena.Hard), 19, 21, 144},
	} {
		if testing.Short() && c.name != "easy, random" {
			continue
		}
		winsA, winsB, frames := tournament(t, seeds, c.a, c.b)
		seconds := frames / seeds / arena.TicksPerSecond
		if winsA != c.winsA || winsB != c.winsB || seconds != c.seconds {
			t.Errorf("%s: %d to %d, %d seconds a match", c.name, winsA, winsB, seconds)
		}
	}
}

// A bot has no memory: wherever, however often and in whatever order it is called, the answer is the same; another seed
// makes another player.
func TestABotIsAFunctionOfWhatItIsShown(t *testing.T) {
	s := runBots(2, arena.Normal, 4, 300)
	shown := s
	bot, twin, other := arena.Bot{Seed: 2}, arena.Bot{Seed: 2}, arena.Bot{Seed: 3}
	differs := 0
	for f := range rollback.Frame(200) {
		a := bot.Input(playerOf(f), f, &s)
		bot.Input(playerOf(f+1), f+100, &s)
		want(t, "the same", twin.Input(playerOf(f), f, &s), a)
		if other.Input(playerOf(f), f, &s) != a {
			differs++
		}
	}
	holds(t, "it leaves the state alone", s == shown)
	holds(t, "another seed plays otherwise", differs > 50)
}

func playerOf(f rollback.Frame) rollback.Player { return rollback.Player(f % 4) }

// Bots use everything in the game.
func TestBotsPlayTheWholeGame(t *testing.T) {
	used := map[string]int{}
	s, bot := arena.New(9), arena.Bot{Seed: 9, Skill: arena.Normal}
	for f := range rollback.Frame(6000) {
		var in [arena.MaxPlayers]arena.Input
		for p := range 4 {
			in[p] = bot.Input(rollback.Player(p), f, &s)
		}
		before := s
		arena.Step(&s, &in, first(4), nil)
		for p := range 4 {
			tally(used, &before.Fighters[p], &s.Fighters[p])
		}
		for i := range s.Pickups {
			used["pickups"] += btoi(s.Pickups[i].Kind == arena.Nothing && before.Pickups[i].Life > 1)
		}
	}
	for what, n := range used {
		holds(t, what+" were used", n > 1)
	}
}

// tally counts what a fighter has done in a tick.
func tally(used map[string]int, a, b *arena.Fighter) {
	fired := b.Shots > a.Shots
	used["shots"] += btoi(fired)
	used["big shots"] += btoi(fired && b.BigShots < a.BigShots)
	used["charged shots"] += btoi(fired && a.Charge > arena.FullCharge/2)
	used["dashes"] += btoi(b.Dashes > a.Dashes)
	used["rams"] += btoi(b.Rammed&^a.Rammed != 0)
	used["shields"] += btoi(b.Guard == arena.Raised && a.Guard == arena.Lowered)
	used["knock-outs"] += btoi(b.Knockouts > a.Knockouts)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Where there is nothing to do, a bot does nothing.
func TestABotRestsWhenItCannotPlay(t *testing.T) {
	c := match(t, 2)
	bot := arena.Bot{Seed: 1}
	want(t, "before the fight", bot.Input(0, 0, &c.State), arena.Input{})
	c = fight(t, 2)
	want(t, "for nobody", bot.Input(arena.MaxPlayers, 0, &c.State), arena.Input{})
	want(t, "for who is not there", bot.Input(5, 0, &c.State), arena.Input{})
	c.Fighters[1].Stance = arena.Out
	want(t, "against nobody", bot.Input(0, 0, &c.State), arena.Input{})
}
