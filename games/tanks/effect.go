package tanks

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback/effects"
)

// Effects. Their keys name the player or the shot (by its slot), and nothing that a correction of the past
// would change. The outcome of the match is only reported once it is certain.
var (
	Fired      = effects.OneShot[Salvo](1, "fired")
	Stopped    = effects.OneShot[Spot](2, "stopped by a wall")
	Hit        = effects.OneShot[Wound](3, "hit")
	Destroyed  = effects.OneShot[Wreck](4, "destroyed")
	Spawned    = effects.OneShot[Spot](5, "spawned")
	MatchEnded = effects.OneShot[End](6, "match ended").OnlyConfirmed()
)

func declarations() []effects.Declaration {
	return []effects.Declaration{Fired, Stopped, Hit, Destroyed, Spawned, MatchEnded}
}

// Salvo is a shot that was fired.
type Salvo struct {
	At      fixed.Vec2
	Heading fixed.Num
	Player  uint8
}

// Spot is the place of an event that concerns a player.
type Spot struct {
	At     fixed.Vec2
	Player uint8
}

// Wound is a hit: where it is, who has hit, who was hit, and the health that is left.
type Wound struct {
	At     fixed.Vec2
	Hp     int16
	By     uint8
	Victim uint8
}

// Wreck is a tank that was destroyed.
type Wreck struct {
	At     fixed.Vec2
	Player uint8
	By     uint8
}

// End is the end of the match.
type End struct{ Winner uint8 } // a player's number + 1, or 0

// shotKey returns the key for an effect of the shot in a slot of player p.
func shotKey(p, slot int) uint32 { return uint32(p)<<2 | uint32(slot) }

func (t *Tank) spot(p int) Spot { return Spot{At: t.Pos, Player: uint8(p)} }
