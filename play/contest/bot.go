package contest

import (
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Skill is how well a bot plays a duel.
type Skill int

// The skills.
const (
	Easy Skill = iota
	Normal
	Hard
)

// Skills are the names of the skills.
var Skills = []string{words.K("easy"), words.K("normal"), words.K("hard")}

// rests is how many of 8 reactions a bot skips: on easy, a player who only presses buttons at random wins about half
// of the rounds.
var rests = [...]uint64{Easy: 7, Normal: 5, Hard: 0}

// Bot is a [duel.Bot] that people can beat: from time to time it does nothing. Like a duel.Bot, it depends only on
// what it is shown.
type Bot struct {
	Seed  uint64
	Skill Skill
}

// Input returns what the bot holds as player p, 0 or 1, in frame f, having seen s.
func (b Bot) Input(p rollback.Player, f rollback.Frame, s *duel.State) duel.Input {
	const reaction = 24 // frames
	r := rng.New(b.Seed ^ uint64(p+1)<<32 ^ uint64(f/reaction))
	if rng.Must(r.Bounded(8)) < rests[min(max(b.Skill, Easy), Hard)] {
		return 0
	}
	return duel.Bot{Seed: b.Seed}.Input(p, f, s)
}
