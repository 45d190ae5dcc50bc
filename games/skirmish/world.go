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
	Costs     world.Grid[uint8]  // what it costs to enter a cell, as package nav has it
	Paths     world.One[Paths]

	hits     world.Later[hit]
	firings  world.Later[firing]
	strays   world.Later[stray]
	landings world.Later[world.Entity]
	memo     memo `canon:"-"`
}

// Match is what belongs to no side.
type Match struct {
	Rng     rng.Xorshift128Plus // of spawn areas
	Seed    uint64              // of the map
	Frame   uint32              // how many steps were made
	Size    uint16              // of the map
	Units   uint16              // that each side begins with
	Players uint8               // 0 until the map is made
	Winner  uint8               // a player's number + 1, once the match is over; 0 then means a draw; before that see StandIns
	Over    bool
}

// Side is what belongs to a player.
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

// Who is whose unit it is, and what.
type Who struct {
	Side   uint8
	Kind   Kind
	Groups uint16 // bit g for control group g
}

// Task is what a unit was ordered to do. Without a verb the unit is idle, and attacks what comes near; with a
// goal nevertheless, it has come to rest around that. The zero Task is nothing.
type Task struct {
	Verb   Verb         // Move, March or Strike; 0: nothing
	Path   uint8        // its number + 1; 0: straight on
	Near   uint8        // how far from its goal it may stop, in quarters of a cell
	Stuck  uint8        // how long it has hardly come forward: see delay
	Goal   Spot         // where to go
	Target world.Entity // of Strike
}

// Aim is what a unit attacks.
type Aim struct {
	Target   world.Entity // nobody, a unit or a building
	Cooldown fixed.Num    // ticks until the next blow or shot
}

// Shots are arrows and stones in the air.
type Shots struct {
	world.Table
	Pos  world.Column[fixed.Vec2]
	Vel  world.Column[fixed.Vec2] // in a tick
	Load world.Column[Load]
}

// Load is what a shot does when it comes down.
type Load struct {
	Target world.Entity // it hits that, if it is still near
	Left   uint16       // ticks until it comes down
	Side   uint8
	Kind   Kind // of the unit that has shot
}

// Buildings are all buildings.
type Buildings struct {
	world.Table
	Place  world.Column[Place]
	Health world.Column[fixed.Num]
	Works  world.Column[Works]
}

// Place is where a building is, and whose.
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

// QueueLen is how many units a building has in its queue at most.
const QueueLen = 5

// Works is what goes on in a building.
type Works struct {
	Left   int32 // ticks until it is finished
	Done   int32 // ticks of training that the first unit in the queue has had
	Queue  [QueueLen]Kind
	Queued uint8
	Rally  Spot // where units go that it has trained; zero: nowhere
}

// MaxPaths is how many ways are in use at a time at most.
const MaxPaths = 64

// Paths are the ways that units follow.
type Paths struct {
	Meter nav.Meter
	Ways  [MaxPaths]nav.Way
}

// Input is what a player holds: nothing. All that a player does is an [Order].
type Input struct{}

// WinnerOf returns the winner of a match by its result, and whether there is one.
func WinnerOf(result uint64) (p rollback.Player, ok bool) {
	return rollback.Player(result - 1), result > 0 && result <= MaxPlayers
}
