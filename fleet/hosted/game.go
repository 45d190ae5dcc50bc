package hosted

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Aliases of names in other packages.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
)

// Game is a game as the matches of this package need it. Step is required; everything else may be zero.
type Game[S any, I comparable] struct {
	// Game is the game that all machines play.
	rollback.Game[S, I]
	// Start is as in session.Hooks: it makes state 0 of the match. The seed is that of the plan.
	Start func(p session.Parameters) (func(s *S), error)
	// MaxOrders is the maximum size of a player's orders in a tick, in bytes. If it is not 0, players give random orders.
	MaxOrders int
	// Sight, Correct, Check, Carry and StandIn are as in served.ServerHooks. Sight is used in plans that
	// are Partial.
	Sight   func(s *S, p Player) PlayerSet
	Correct func(s *S, p Player, in I, behind int) I
	Check   func(s *S, p Player, in I) bool
	Carry   func(late, next I) I
	StandIn func(s *S, p Player) I
	// Input returns what player p does in the next tick. Nil means random inputs.
	Input func(m Moment[S]) I
	// Same reports whether two states agree in the part that belongs to player p, which a client shows as predicted: for
	// example its position. Nil compares everything.
	Same func(a, b *S, p Player) bool
}

// Moment is the situation in which a player decides what to do.
type Moment[S any] struct {
	// Seed is the player's seed. State is the client's state of number Frame, which is a prediction.
	Seed   uint64
	Player Player
	Frame  Frame
	State  *S
	// Seen is the age of the picture of the others, in ticks.
	Seen int
}

// check returns an error if the game cannot be played with a plan.
func (g *Game[S, I]) check(p *Plan) error {
	switch {
	case g.Step == nil:
		return fmt.Errorf("hosted: the game has no Step")
	case g.Predict != nil:
		return fmt.Errorf("hosted: the game has a Predict, which the naive clients do not have")
	case p.Partial && g.Sight == nil:
		return planError("Partial is set, and the game has no Sight")
	}
	return nil
}
