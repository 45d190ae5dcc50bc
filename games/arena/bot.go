package arena

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Bot plays a fighter: it keeps its distance, circles, shoots when nothing is in between,
// dodges, shields, rams, and goes for pickups. It has no memory: its input depends only on
// the bot, the player, the frame and the state, so that it is the same on every machine.
type Bot struct {
	Seed  uint64 // for its moods
	Skill Skill
}

// Skill is how well a bot plays.
type Skill uint8

// The skills. Higher values mean Hard.
const (
	Easy Skill = iota
	Normal
	Hard
)

// habits are the parts of a skill. A bot changes its mind once per reaction. In the
// reactions that it misses it does not see shots coming, and shoots without care.
type habits struct {
	reaction rollback.Frame // ticks
	misses   uint64         // how many of 100 reactions it misses
	sway     fixed.Num      // the maximum angle by which its aim is off, to either side
}

var habitsOf = [...]habits{
	Easy:   {reaction: 24, misses: 60, sway: 9 * fixed.One / 10},
	Normal: {reaction: 15, misses: 30, sway: 6 * fixed.One / 10},
	Hard:   {reaction: 9, misses: 8, sway: fixed.One / 4},
}

// mood is what a bot intends during one reaction. All of it comes from the hash of seed,
// player and reaction.
type mood struct {
	alert    bool
	shields  bool      // shields rather than dodges
	rams     bool      // rams fighters that are near enough
	side     fixed.Num // the side to which it circles, -One or One
	distance fixed.Num // the distance that it tries to keep
	patience int16     // ticks for which it charges a shot
	sway     fixed.Num // the deviation of its aim to the side
}

func (b Bot) mood(p rollback.Player, f rollback.Frame) mood {
	h := habitsOf[min(b.Skill, Hard)]
	const players, reactions = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03 // odd, so that all sums differ
	r := rng.New(b.Seed + uint64(p)*players + uint64(f/h.reaction)*reactions)
	draw := func(n uint64) uint64 { return rng.Must(r.Bounded(n)) }
	m := mood{
		alert:    draw(100) >= h.misses,
		shields:  draw(3) == 0,
		rams:     draw(2) == 0,
		side:     fixed.One,
		distance: fixed.FromInt(int64(4 + draw(4))),
		patience: int16(1 + draw(FullCharge)*draw(FullCharge)/FullCharge),
		sway:     rng.Must(r.Fixed(-h.sway, h.sway)),
	}
	if draw(2) == 0 {
		m.side = -fixed.One
	}
	return m
}

// Input returns what the bot holds as player p in frame f, having seen s, which may be the
// state of that frame or of an earlier one.
func (b Bot) Input(p rollback.Player, f rollback.Frame, s *State) Input {
	if p >= MaxPlayers || s.Phase != Fighting || s.Fighters[p].Stance != Standing {
		return Input{}
	}
	v := view{s: s, me: &s.Fighters[p], p: int(p), mood: b.mood(p, f)}
	if v.foe = v.nearestFoe(); v.foe == nil {
		return Input{}
	}
	if in, ok := v.dodge(); ok {
		return in
	}
	if in, ok := v.ram(); ok {
		return in
	}
	return v.shoot(held(v.way()))
}

// held returns a stick pushed all the way in a direction.
func held(direction fixed.Vec2) Input {
	d := direction.Normalise().Scale(StickEnd * fixed.One)
	return Input{X: int8(d.X.Round().Int()), Y: int8(d.Y.Round().Int())}
}
