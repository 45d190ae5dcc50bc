package duel

// TicksPerSecond is the rate at which a match is meant to be played.
const TicksPerSecond = 60

// UnitsPerWorldUnit is the fixed-point scale of every length below.
const UnitsPerWorldUnit = 1000

// The stage.
const (
	StageLeft  = 0     // the left wall
	StageRight = 20000 // the right wall: no part of a body passes it
	Ground     = 0     // the floor
	StageTop   = 12000 // what a camera should show; nothing stops a jump there
)

// A fighter's body, which is also the box that can be hit.
const (
	BodyWidth  = 600
	BodyHeight = 900
)

// Where a match starts. Player 1 faces right, player 2 faces left.
const (
	StartX1 = 4000
	StartX2 = 16000
	FullHp  = 100
)

// Motion, per tick.
const (
	RunSpeed  = 300 // along X while a direction is held
	JumpSpeed = 500 // along Y at the start of a jump
	Gravity   = -40 // added to the speed along Y
)

// An attack. The window in which it can hit closes well before the next attack
// may start.
const (
	AttackWidth    = 700 // reach beyond the body, on the facing side
	AttackHeight   = 700 // measured up from the attacker's feet
	AttackActive   = 5   // the window; it is counted down before hits are decided, so it can hit in 4 ticks
	AttackCooldown = 30  // ticks from one start to the next
	AttackDamage   = 25
	HitstunTicks   = 20 // until a fighter that was hit can act again: in the tick in which this reaches 0
)
