package arena

import "github.com/tickback/tickback/fixed"

// TicksPerSecond is the rate at which a match is meant to be played.
const TicksPerSecond = 60

// MaxPlayers is the number of places in a match.
const MaxPlayers = 8

// The arena is a rectangle around the origin. X grows to the right, Y down the
// screen.
const (
	HalfWidth  = 16 * fixed.One // the walls are at X = -HalfWidth and HalfWidth
	HalfHeight = 9 * fixed.One  // the walls are at Y = -HalfHeight and HalfHeight
)

// The round pillars, one in each quarter. The gaps to the walls and between them are wider than a fighter, so
// that no fighter touches two of them.
const (
	PillarX      = 13 * fixed.Half // the distance of their centres from the Y axis
	PillarY      = 4 * fixed.One   // the distance from the X axis
	PillarRadius = 5 * fixed.One / 4
)

// Motion, per tick. In every tick a fighter is accelerated by its stick and then slowed down by
// friction, so that its top speed is Acceleration * Friction / (1 - Friction): 0.123 a tick,
// across the arena in four seconds.
const (
	FighterRadius = 3 * fixed.One / 5
	Acceleration  = fixed.One / 50
	Friction      = 86 * fixed.One / 100 // the fraction of a speed that is left after one tick
	Crawl         = fixed.One / 1024     // a fighter that is slower along an axis stops
	TopSpeed      = 4 * fixed.One / 5    // along an axis, however hard the blow; too slow to pass through anything in one tick
	ShieldedPace  = Acceleration / 3     // the acceleration behind a shield
	ChargingPace  = 2 * Acceleration / 3 // the acceleration while a shot charges
	WallBounce    = fixed.Half           // the fraction of the speed that is left after bouncing off a wall
)

// Health and blows.
const (
	FullHp        = 100
	LowHp         = 25             // at and below this health the alarm sounds
	KnockBack     = fixed.One / 64 // speed per point of damage at full health; up to twice that at none
	StunTicks     = 5              // ticks without control after a blow
	StunPerDamage = 4              // one more tick for this many points of damage
)

// A dash is fast and straight, and nothing hurts the fighter during it. It hits opponents that it runs into.
const (
	DashSpeed    = 11 * fixed.One / 25
	DashTicks    = 10
	DashCooldown = 60 // ticks from one start to the next
	RamDamage    = 10
)

// The shield.
const (
	FullEnergy  = 200
	EnergyDrain = 2  // per tick behind the shield
	EnergyGain  = 1  // per other tick
	BlockCost   = 4  // per point of damage that the shield takes
	ShieldReady = 80 // a broken shield works again at this value
)

// Shots.
const (
	ShotsEach    = 5 // a fighter's shots in the air; further ones wait
	ShotSpeed    = 2 * fixed.One / 5
	ShotLife     = 75 // ticks
	ShotCooldown = 15 // ticks between two shots; ShotsEach of them are a ShotLife
	ShotDamage   = 8
	ShotRadius   = fixed.One / 5
	ShotBounces  = 1 // off walls and pillars

	FullCharge   = 50                // ticks of holding, after the first, in which a charge grows
	ChargeDamage = 16                // what a full charge adds
	AimCone      = fixed.One * 2 / 5 // the tangent of the angle, 22 degrees, within which a shot turns to an opponent
)

// Pickups.
const (
	PickupRadius   = 2 * fixed.One / 5
	PickupInterval = 4 * TicksPerSecond // ticks from one pickup to the next
	PickupLife     = 10 * TicksPerSecond

	HealthGain    = 35
	RapidTicks    = 5 * TicksPerSecond
	RapidCooldown = 8  // ticks between two shots
	RapidLife     = 40 // ticks that a rapid shot flies: ShotsEach cooldowns
	BigShots      = 3  // how many shots are big
	BigDamage     = 12 // what a big shot adds
	BigRadius     = fixed.Half
)

// Rounds.
const (
	CountdownTicks = 3 * TicksPerSecond
	RoundTicks     = 60 * TicksPerSecond
	RoundOverTicks = 2 * TicksPerSecond
	WaitTicks      = 30 * TicksPerSecond // how long a match waits for a second player
	WinsToMatch    = 3
	MaxRounds      = 9 // after these the match is over, even without WinsToMatch
)

// Pillars returns the centres of the pillars.
func Pillars() [4]fixed.Vec2 { return pillars }

var pillars = [4]fixed.Vec2{{X: -PillarX, Y: -PillarY}, {X: PillarX, Y: -PillarY}, {X: -PillarX, Y: PillarY}, {X: PillarX, Y: PillarY}}

// starts are the places where a round can start, in pairs that lie opposite each other: players 0 and 1, 2
// and 3 and so on have equal starts. In every round all players start one pair further on.
var starts = [MaxPlayers]fixed.Vec2{
	{X: -12 * fixed.One},
	{X: 12 * fixed.One},
	{Y: -6 * fixed.One},
	{Y: 6 * fixed.One},
	{X: -12 * fixed.One, Y: -7 * fixed.One},
	{X: 12 * fixed.One, Y: 7 * fixed.One},
	{X: -12 * fixed.One, Y: 7 * fixed.One},
	{X: 12 * fixed.One, Y: -7 * fixed.One},
}

// Spots is the number of places in which a pickup can lie.
const Spots = 8

// SpotAt returns the place of spot i, 0 to Spots - 1. It panics for any other i.
func SpotAt(i int) fixed.Vec2 { return spots[i] }

var spots = [Spots]fixed.Vec2{
	{X: -3 * fixed.One},
	{X: 3 * fixed.One},
	{Y: -4 * fixed.One},
	{Y: 4 * fixed.One},
	{X: -14 * fixed.One, Y: -4 * fixed.One},
	{X: 14 * fixed.One, Y: 4 * fixed.One},
	{X: -14 * fixed.One, Y: 4 * fixed.One},
	{X: 14 * fixed.One, Y: -4 * fixed.One},
}
