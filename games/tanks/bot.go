package tanks

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Bot drives a tank: it goes for the nearest tank that it sees, shoots at its future position, and
// otherwise drives about. It has no memory: its input depends only on the bot, the player, the frame
// and the state, so that it is the same on every machine. It knows no more than [Sight] leaves to
// its player, and plays the same if it is given that.
type Bot struct {
	Seed uint64 // for its moods
	Mood Mood
	// Seen is how late the bot's picture of the others is, in ticks: the value of Seen in its
	// inputs.
	Seen uint8
}

// Mood says how often a bot changes its input.
type Mood uint8

// The moods. Higher values mean Busy.
const (
	Calm Mood = iota // once a second
	Busy             // every 3 ticks, as people do in a fight
)

// Pause returns the number of ticks for which a bot holds its input.
func (m Mood) Pause() rollback.Frame {
	if m == Calm {
		return TicksPerSecond
	}
	return 3
}

// How a bot decides.
const (
	botGain    = 2                  // how hard it turns: at the maximum if it is off by half a radian or more
	botAim     = fixed.One / 8      // it shoots if its aim is off by at most this, in radians
	botRange   = 420 * fixed.One    // the maximum distance from which it shoots
	botRoom    = 140 * fixed.One    // it backs off from a tank that is nearer
	botFeeler  = 72 * fixed.One     // it turns away from a wall that is nearer ahead
	botErrands = 8 * TicksPerSecond // how long it drives to the same place
)

// Input returns what the bot holds as player p in frame f, having seen s, which may be the state of
// that frame or of an earlier one.
func (b Bot) Input(p rollback.Player, f rollback.Frame, s *State) Input {
	if p >= MaxPlayers || s.Tanks[p].Stance != Alive {
		return Input{}
	}
	me := &s.Tanks[p]
	if (f+rollback.Frame(p))%b.Mood.Pause() != 0 {
		return me.Held
	}
	chance := b.chance(p, f)
	in := Input{Seen: b.Seen, Throttle: int8(64 + rng.Must(chance.Bounded(StickEnd-63)))}
	if foe := s.nearest(p); foe != nil {
		b.fight(me, foe, &in)
	} else {
		in.Turn = me.turnTo(b.errand(p, f))
	}
	me.mind(&in, rng.Must(chance.Bounded(2)) == 0)
	in.Turn = int8(min(max(int64(in.Turn)+rng.Must(chance.Range(-24, 25)), -StickEnd), StickEnd))
	return in
}

// chance returns the bot's generator for one decision.
func (b Bot) chance(p rollback.Player, n rollback.Frame) rng.Xorshift128Plus {
	const players, decisions = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03 // odd, so that all sums differ
	return rng.New(b.Seed + uint64(p)*players + uint64(n)*decisions)
}

// errand returns the spawn to which the bot drives while it sees no tank.
func (b Bot) errand(p rollback.Player, f rollback.Frame) fixed.Vec2 {
	chance := b.chance(p+MaxPlayers, f/botErrands)
	return spawns[rng.Must(chance.Bounded(Spawns))].Vec()
}

// nearest returns the nearest other living tank that player p sees, or nil.
func (s *State) nearest(p rollback.Player) (foe *Tank) {
	least := fixed.Max
	for q := range s.Tanks {
		g := &s.Tanks[q]
		if q == int(p) || g.Stance != Alive || !s.Sees(p, rollback.Player(q)) {
			continue
		}
		if d := s.Tanks[p].Pos.DistanceSquared(g.Pos); d < least {
			foe, least = g, d
		}
	}
	return foe
}

// fight turns to where a shot would hit the foe, fires, and keeps a distance.
func (b Bot) fight(me, foe *Tank, in *Input) {
	distance := me.Pos.Distance(foe.Pos)
	flight := distance.Div(ShotSpeed * fixed.One)
	lead := foe.Ahead().Scale(flight.Mul(part(foe.Held.Throttle, Speed, 1000)))
	at := foe.Pos.Add(lead)
	in.Turn = me.turnTo(at)
	if off := me.off(at); off.Abs() < botAim && distance < botRange {
		in.Buttons = Fire
	}
	if distance < botRoom {
		in.Throttle = -in.Throttle
	}
}

// off returns the angle between where the tank looks and the direction of a place, -Pi to Pi.
func (t *Tank) off(at fixed.Vec2) fixed.Num {
	d, ahead := at.Sub(t.Pos), t.Ahead()
	return fixed.Atan2(ahead.Cross(d), ahead.Dot(d))
}

// turnTo returns the stick that turns the tank to a place.
func (t *Tank) turnTo(at fixed.Vec2) int8 {
	return int8((t.off(at) * botGain).Clamp(-fixed.One, fixed.One).Mul(StickEnd * fixed.One).Int())
}

// mind keeps the tank from driving into walls: it turns to the side with more room, or, if both have the same room, to
// the left if left is set.
func (t *Tank) mind(in *Input, left bool) {
	ahead := t.Ahead()
	if in.Throttle < 0 {
		ahead = ahead.Neg()
	}
	feeler := ahead.Scale(botFeeler)
	if free(t.Pos, feeler) == fixed.One {
		return
	}
	const aside = fixed.One * 3 / 4
	one, other := free(t.Pos, feeler.Rotate(-aside)), free(t.Pos, feeler.Rotate(aside))
	if one > other || one == other && left {
		in.Turn = -StickEnd
	} else {
		in.Turn = StickEnd
	}
	in.Throttle /= 2
}
