package hosted

import (
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/session"
)

// tanksGame is the tanks with busy bots.
func tanksGame() Game[tanks.State, tanks.Input] {
	return Game[tanks.State, tanks.Input]{
		Game:  tanks.Game(0),
		Start: func(p session.Parameters) (func(*tanks.State), error) { return tanks.Start(p.Seed, nil) },
		Sight: tanks.Sight, Correct: tanks.Correct,
		Carry: func(late, next tanks.Input) tanks.Input {
			next.Buttons |= late.Buttons & tanks.Fire
			return next
		},
		Input: func(m Moment[tanks.State]) tanks.Input {
			bot := tanks.Bot{Seed: m.Seed, Mood: tanks.Busy, Seen: uint8(min(max(m.Seen, 0), tanks.Rewind))}
			return bot.Input(m.Player, m.Frame, m.State)
		},
		Same: func(a, b *tanks.State, p Player) bool {
			s, o := &a.Tanks[p], &b.Tanks[p]
			return s.Pos == o.Pos && s.Heading == o.Heading && s.Stance == o.Stance
		},
	}
}

var tanksRules = Rules{Places: tanks.MaxPlayers, TickRate: tanks.TicksPerSecond, Sight: true}
