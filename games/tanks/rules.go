package tanks

import (
	"time"

	"github.com/tickback/tickback/fixed"
)

// MaxPlayers is the number of places in a match.
const MaxPlayers = 16

// Time. A tick is what a server simulates at once. It is also the longest step in which a client predicts.
const (
	TicksPerSecond = 20
	TickMs         = 1000 / TicksPerSecond     // milliseconds in a tick
	Tick           = TickMs * time.Millisecond // the same as a duration
	MatchTicks     = 5 * 60 * TicksPerSecond   // how long a match lasts, unless it is endless
	RespawnTicks   = 2 * TicksPerSecond        // ticks from being destroyed to the next life
)

// The map is a rectangle around the origin. X grows to the right, Y down the screen. All of it
// is in whole units.
const (
	HalfWidth  = 960 // the outer walls are at X = -HalfWidth and HalfWidth
	HalfHeight = 640 // the outer walls are at Y = -HalfHeight and HalfHeight
)

// Motion, in whole units per second. [Drive] says how a part of a second is rounded.
const (
	Speed      = 120 // units per second at full throttle, forwards and backwards
	TurnRate   = 2   // radians per second at full turn
	TankRadius = 16
)

// CorrectionSpeed is the maximum speed, in units a second, at which the picture of the player's own tank
// should follow a correction, in addition to the motion of the tank, for smooth.Offset.Fastest: half as much
// again as a tank drives, which is 3 units in a picture at 60 of them a second.
const CorrectionSpeed = Speed * 3 / 2

// Shots and health.
const (
	ReloadTicks = TicksPerSecond / 2  // ticks from one shot of a tank to the next
	ShotTicks   = 5 * ReloadTicks / 2 // how long a shot flies, if nothing stops it
	ShotsEach   = 3                   // slots for a tank's shots: each is free again before its turn
	ShotSpeed   = 480                 // units per second
	ShotRadius  = 4
	ShotDamage  = 25
	FullHp      = 100
	Rewind      = TicksPerSecond / 2 // the maximum number of ticks by which a shot goes back: half a second
)

// ViewDistance is how far a tank sees, in whole units, if no wall is in between.
const ViewDistance = 800

// The sizes and speeds in the units of the simulation.
const (
	tankRadius = TankRadius * fixed.One
	shotStep   = ShotSpeed * fixed.One / TicksPerSecond // the distance that a shot flies in a tick: 24 units
	hitReach   = (TankRadius + ShotRadius) * fixed.One
	tankMaxX   = (HalfWidth - TankRadius) * fixed.One
	tankMaxY   = (HalfHeight - TankRadius) * fixed.One
	mapX       = HalfWidth * fixed.One
	mapY       = HalfHeight * fixed.One
	view       = ViewDistance * fixed.One
)

// Spawns is the number of places at which a tank can appear.
const Spawns = 16

// Place is a place on the map, in whole units.
type Place struct{ X, Y int16 }

// Vec returns the place as numbers of the simulation.
func (p Place) Vec() fixed.Vec2 {
	return fixed.Vec2{X: fixed.FromInt(int64(p.X)), Y: fixed.FromInt(int64(p.Y))}
}

// SpawnAt returns spawn i, 0 to Spawns - 1: player i appears there when it joins. It panics for
// any other i.
func SpawnAt(i int) Place { return spawns[i] }

// spawns come in pairs that lie opposite each other.
var spawns = [Spawns]Place{
	{-880, 0},
	{880, 0},
	{0, -560},
	{0, 560},
	{-880, -560},
	{880, 560},
	{-880, 560},
	{880, -560},
	{-440, -560},
	{440, 560},
	{-440, 560},
	{440, -560},
	{-880, -280},
	{880, 280},
	{-880, 280},
	{880, -280},
}
