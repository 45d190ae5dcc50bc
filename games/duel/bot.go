package duel

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Bot plays a fighter: it approaches, strikes from as far as the rules allow, steps back while
// its attack cools down, and jumps over an attack or over a fighter that has driven it to the
// wall. It has no memory: its input depends only on the bot, the player, the frame and the
// state, so that it is the same on every machine.
type Bot struct {
	Seed uint64 // for its moods and mistakes
}

// The limits for the decisions of a bot.
const (
	botReaction = 10 // ticks between two changes of mind
	botLapse    = 6  // one reaction in this many goes wrong

	// botReach is the reach of an attack in the ticks in which it can hit: body, box, and the
	// run in the meantime. An opponent that stands still is hit from there.
	botReach  = BodyWidth + AttackWidth + (AttackActive-1)*RunSpeed
	botSure   = botReach - 3*RunSpeed // from this distance nearly any opponent is hit
	botRetire = botReach + 3*RunSpeed // the distance it keeps while it cannot attack
	botWall   = 2 * BodyWidth         // this near to a wall it cannot step back
)

// mood is what a bot intends during one reaction.
type mood struct {
	lapse  bool
	random Input // what it holds in a lapse
	bold   bool
}

func (b Bot) mood(p rollback.Player, f rollback.Frame) mood {
	const players, reactions = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03 // odd, so that all sums differ
	r := rng.New(b.Seed + uint64(p)*players + uint64(f/botReaction)*reactions)
	draw := func(n uint64) uint64 { return rng.Must(r.Bounded(n)) }
	return mood{
		lapse:  draw(botLapse) == 0,
		random: Input(draw(uint64(Buttons) + 1)),
		bold:   draw(3) == 0,
	}
}

// Input returns what the bot holds as player p, 0 or 1, in frame f, having seen s, which may be
// the state of that frame or of an earlier one. It panics for any other player.
func (b Bot) Input(p rollback.Player, f rollback.Frame, s *State) Input {
	m := b.mood(p, f)
	if m.lapse {
		return m.random
	}
	return s.P[p].choose(&s.P[1-p], m)
}

// choose returns the bot's next input.
func (f *Fighter) choose(foe *Fighter, m mood) Input {
	to, back, distance := Right, Left, foe.X-f.X
	if distance < 0 {
		to, back, distance = Left, Right, -distance
	}
	ready := f.AttackCooldownFrames <= 1
	switch {
	case f.striking():
		return to // the attack goes on while it runs
	case foe.striking() && distance < botReach && (!m.bold || !ready):
		return f.escape(back)
	case distance <= RunSpeed:
		return back // from inside the other's body it cannot hit
	case ready && distance < f.nerve(foe, m):
		return to | Attack
	case ready && (m.bold || distance > botRetire):
		return to
	case distance < botRetire:
		return f.escape(back)
	}
	return 0
}

// striking reports whether f's attack can still hit.
func (f *Fighter) striking() bool { return f.AttackActiveFrames > 1 && f.AttackHasHit == 0 }

// nerve returns the distance from which f attacks: a longer one if the foe cannot get away or if the bot is
// bold.
func (f *Fighter) nerve(foe *Fighter, m mood) int32 {
	if m.bold || foe.State == Hitstun {
		return botReach
	}
	return botSure
}

// escape steps back, or jumps over the other fighter out of a corner.
func (f *Fighter) escape(back Input) Input {
	switch {
	case back == Left && f.X < StageLeft+botWall:
		return Right | Jump
	case back == Right && f.X > StageRight-BodyWidth-botWall:
		return Left | Jump
	}
	return back
}
