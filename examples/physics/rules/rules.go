// Package rules is a game of floats: two to four balls push each other off a platform, among crates
// and smaller balls. A player who falls is put back, and the player who touched them last gets a
// point.
//
// All bodies belong to a physics engine, the unchanged module github.com/jakecoffman/cp. It knows
// nothing of rollback, keeps its state in pointers, and computes in float64. Two things make it fit
// for rollback. The game is saved in place, by [rollback.SaveInPlace]. And it asks for floats that
// are the same on every machine, by [rollback.Strict], so it is played in programs of "tickback build
// --strict" only.
package rules

import (
	"github.com/jakecoffman/cp/v2"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Lengths are in pixels, and y grows downwards. A frame is a sixtieth of a second.
const (
	Seats         = 4
	Width, Height = 960, 540
	Goal          = 5        // points win
	Limit         = 3 * 3600 // frames; then the player with the most points wins

	// Draw is the result of a match in which nobody has more points than all others. Otherwise it
	// is the player who has won.
	Draw = Seats
)

// Input is what one player does in one frame.
type Input struct{ Left, Right, Jump, Dash bool }

// State is the game in one frame.
type State struct {
	Space   *cp.Space
	Players [Seats]*Thing
	Things  []*Thing // all that can be moved, the players first
	Lift    *cp.Body // a small platform above, which moves to and fro
	Points  [Seats]uint32
	Frames  uint32 // the number of frames played
	Rng     rng.Xorshift128Plus
}

// Thing is a ball or a crate. Its body's UserData is the thing itself.
type Thing struct {
	Body   *cp.Body
	Radius float64 // the radius of a ball, or half the side of a crate
	Crate  bool
	Player int    // the player's number, or nobody
	By     int    // the player who touched it last, or nobody
	Since  uint32 // frames since then
	Rest   uint32 // frames until the player can dash again
	Rests  bool   // something is below it
}

const nobody = -1

// Game is all that Tickback needs to know. It does not say how the engine's memory is saved, only which parts
// of it do not belong to the match.
var Game = made()

func made() rollback.OwnMemory[State, canon.Memento[State], Input] {
	game, err := rollback.SaveInPlace(rollback.OwnMemory[State, canon.Memento[State], Input]{
		New:  func() *State { return New(1) },
		Init: func(s *State) { *s = *New(1) },
		Step: step, Hash: hash, Describe: describe, Floats: rollback.Strict,
	},
		// The engine's functions have no variables of their own.
		canon.Functions(),
		// Contacts that ended are kept in a table by the addresses of their shapes.
		canon.Uncompared("cp.Space.cachedArbiters"),
		// Bodies are numbered across the whole process, for their names in logs.
		canon.Uncompared("cp.Body.id"),
		// Hashes of numbers, and kinds of collisions.
		canon.Numbers("cp.HashValue", "cp.CollisionType"),
	)
	if err != nil {
		panic(err) // an option names something that does not exist: this is another version of the engine
	}
	return game
}
