package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// A bot has no memory: wherever, however often and in whatever order it is called, the answer is the same; another seed
// makes another player.
func TestABotIsAFunctionOfWhatItIsShown(t *testing.T) {
	s := runBots(tanks.Bot{Seed: 2, Mood: tanks.Busy}, 4, 100)
	shown := s
	bot, twin, other := tanks.Bot{Seed: 2}, tanks.Bot{Seed: 2}, tanks.Bot{Seed: 3}
	differs := 0
	for f := range rollback.Frame(400) {
		a := bot.Input(rollback.Player(f%4), f, &s)
		bot.Input(rollback.Player(f%3), f+100, &s)
		want(t, "the same", twin.Input(rollback.Player(f%4), f, &s), a)
		differs += btoi(other.Input(rollback.Player(f%4), f, &s) != a)
	}
	holds(t, "it leaves the state alone", s == shown)
	holds(t, "another seed plays otherwise", differs > 10)
}

// A busy bot changes its input every 3 ticks, and a calm one once a second; in between they hold it.
func TestBotsHoldTheirInputs(t *testing.T) {
	for _, mood := range []tanks.Mood{tanks.Calm, tanks.Busy} {
		bot := tanks.Bot{Seed: 6, Mood: mood}
		s := tanks.New(6)
		var last [tanks.MaxPlayers]tanks.Input
		changes, decisions := 0, 0
		for f := range rollback.Frame(2000) {
			in := botInputs(bot, &s, everybody)
			for p := range rollback.Player(everybody) {
				if s.Tanks[p].Stance != tanks.Alive {
					last[p] = tanks.Input{}
					continue
				}
				decides := (f+rollback.Frame(p))%mood.Pause() == 0
				decisions += btoi(decides)
				if in[p] != last[p] {
					changes++
					holds(t, "it changes only when it decides", decides)
				}
				last[p] = in[p]
			}
			tanks.Step(&s, &in, first(everybody), nil)
		}
		holds(t, "it nearly always changes", changes > decisions*97/100)
	}
	want(t, "busy", tanks.Busy.Pause(), 3)
	want(t, "calm", tanks.Calm.Pause(), 20)
}

// A bot plays the same, whether it is given the whole state or what its player may know.
func TestABotKnowsNoMoreThanItsPlayer(t *testing.T) {
	s := tanks.New(8)
	bot := tanks.Bot{Seed: 8, Mood: tanks.Busy}
	for f := range rollback.Frame(1000) {
		for p := range rollback.Player(everybody) {
			want(t, "input", bot.Input(p, f, ptr(blank(s, p))), bot.Input(p, f, &s))
		}
		stepBots(bot, &s, everybody)
	}
}

// Bots use the whole game: they drive, shoot, hit, are destroyed and come back.
func TestBotsPlayTheWholeGame(t *testing.T) {
	s := runBots(tanks.Bot{Seed: 9, Mood: tanks.Busy, Seen: 4}, everybody, tanks.MatchTicks)
	for p := range everybody {
		tank := &s.Tanks[p]
		holds(t, "it shoots", tank.Shots > 40)
		holds(t, "it destroys", tank.Kills > 5)
		holds(t, "and is destroyed", tank.Deaths > 5)
	}
	calm := runBots(tanks.Bot{Seed: 9}, everybody, tanks.MatchTicks)
	kills := 0
	for p := range everybody {
		kills += int(calm.Tanks[p].Kills)
	}
	holds(t, "calm ones too, less", kills > 5)
}

// Where there is nothing to do, a bot does nothing.
func TestABotRestsWhenItCannotPlay(t *testing.T) {
	c := destroyed(t)
	bot := tanks.Bot{Seed: 1, Mood: tanks.Busy, Seen: 2}
	want(t, "for nobody", bot.Input(tanks.MaxPlayers, 0, &c.State), tanks.Input{})
	want(t, "for who is not there", bot.Input(5, 1, &c.State), tanks.Input{})
	want(t, "as a wreck", bot.Input(1, 2, &c.State), tanks.Input{})
	want(t, "its delay", bot.Input(0, 3, &c.State).Seen, 2)
}
