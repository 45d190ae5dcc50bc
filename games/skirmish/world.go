package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
)

// World is the state of a match.
type World struct {
	Match     world.One[Match]
	Sides     world.One[[MaxPlayers]Side]
	Units     Units
	Shots     Shots
	Buildings Buildings
	Ground    world.Grid[Ground] // as the map has it
	Costs     world.Grid[uint8]  // the cost of entering a cell, for package nav
	Paths     world.One[Paths]

	hits     world.Later[hit]
	firings  world.Later[firing]
	strays   world.Later[stray]
	landings world.Later[world.Entity]
	memo     memo `canon:"-"`
}

// Match is the part of the state that belongs to no side.
type Match struct {
	Rng     rng.Xorshift128Plus // for spawn places
	Seed    uint64              // the seed of the map
	Frame   uint32              // how many steps were made
	Size    uint16              // the size of the map
	Units   uint16              // the number of units that each side begins with
	Players uint8               // 0 until the map is made
	Winner  uint8               // a player's number + 1, once the match is over; 0 then means a draw; before that see StandIns
	Over    bool
}

// Side is the part of the state that belongs to one player.
type Side struct {
	Gold   int32
	Lost   bool   // it has no keep any more, or has resigned
	Made   uint16 // units trained
	Felled uint16 // units of others brought down
	Fallen uint16 // own units that have fallen
}

// Units are all units.
type Units struct {
	world.Table
	Pos    world.Column[fixed.Vec2] // the centre of its body
	Vel    world.Column[fixed.Vec2] // how it moves, in a tick
	Health world.Column[fixed.Num]
	Who    world.Column[Who]
	Task   world.Column[Task]
	Aim    world.Column[Aim]
}

// Who says which side owns a unit, and of which kind it is.
type Who struct {
	Side   uint8
	Kind   Kind
	Groups uint16 // bit g for control group g
}

// Task is what a unit was ordered to do. Without a verb the unit is idle, and attacks enemies that come near;
// if it has a goal without a verb, it rests around the goal. The zero Task means that there is none.
type Task struct {
	Verb   Verb         // Move, March or Strike; 0: nothing
	Path   uint8        // the number of its way + 1; 0: straight on
	Near   uint8        // how far from its goal it may stop, in quarters of a cell
	Stuck  uint8        // for how long it has hardly come forward: see delay
	Goal   Spot         // where to go
	Target world.Entity // the target of Strike
}

// Aim is what a unit attacks.
type Aim struct {
	Target   world.Entity // the unit or building; zero if there is none
	Cooldown fixed.Num    // ticks until the next blow or shot
}

// Shots are arrows and stones in the air.
type Shots struct {
	world.Table
	Pos  world.Column[fixed.Vec2]
	Vel  world.Column[fixed.Vec2] // the distance that each flies in a tick
	Load world.Column[Load]
}

// Load is the effect of a shot when it comes down.
type Load struct {
	Target world.Entity // the target that it hits if that is still near
	Left   uint16       // ticks until it comes down
	Side   uint8
	Kind   Kind // the kind of the unit that has shot
}

// Buildings are all buildings.
type Buildings struct {
	world.Table
	Place  world.Column[Place]
	Health world.Column[fixed.Num]
	Works  world.Column[Works]
}

// Place is where a building is, and which side owns it.
type Place struct {
	X, Y      int16 // its north-western cell
	Side      uint8 // Nobody: a mine that nobody holds
	Structure Structure
}

// Nobody is the side of a mine that nobody holds.
const Nobody = 0xFF

// Centre returns the middle of the building.
func (p Place) Centre() fixed.Vec2 {
	half := fixed.FromInt(int64(p.Structure.Of().Side)) / 2
	return fixed.Vec2{X: fixed.FromInt(int64(p.X)) + half, Y: fixed.FromInt(int64(p.Y)) + half}
}

// QueueLen is the maximum number of units in the queue of a building.
const QueueLen = 5

// Works is the work of a building.
type Works struct {
	Left   int32 // ticks until it is finished
	Done   int32 // ticks of training of the first unit in the queue so far
	Queue  [QueueLen]Kind
	Queued uint8
	Rally  Spot // where the units that it trains go; zero: nowhere
}

// MaxPaths is the maximum number of ways in use at a time.
const MaxPaths = 64

// Paths holds the paths that units follow, and the meter that limits the work on them.
type Paths struct {
	Meter nav.Meter
	Ways  [MaxPaths]nav.Way
}

// Input is empty: everything that a player does is an [Order].
type Input struct{}

// WinnerOf returns the winner of a match by its result, and whether there is one.
func WinnerOf(result uint64) (p rollback.Player, ok bool) {
	return rollback.Player(result - 1), result > 0 && result <= MaxPlayers
}
