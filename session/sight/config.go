package sight

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Config is the configuration that both sides of a match share. Game and Players are required.
type Config[S any, I comparable] struct {
	Game rollback.Definition[S, I]
	// Players is the number of places in the match, 1 to [rollback.MaxPlayers].
	Players int
	// MaxOrders is the maximum number of bytes of orders of one player per tick.
	MaxOrders int
	// Sight blanks in a copy of a state what player p must not know, and returns the players whose inputs p may
	// get. Nil means that everybody may know everything, which is the only choice for a game that owns its memory.
	Sight func(s *S, p Player) PlayerSet
}

// Keep is how many states an [Encoder] and a [Decoder] hold. A baseline must be less than Keep ticks old.
const Keep = 1 << ageBits

// ageBits is the number of bits for the age of a baseline in the wire format.
const ageBits = 6

// ErrBaseline means that an update from that baseline is impossible: the baseline is no longer held, is invalid, or
// the update would have to be plain in a game whose states are not plain values. The client needs a whole state.
var ErrBaseline = errors.New("sight: no state can be told from this baseline")

// ErrRoom means that an update is longer than allowed. The client needs a whole state.
var ErrRoom = errors.New("sight: the update is too long")

// DataError means that a received update is invalid.
type DataError struct {
	State   Frame // the state of the update
	Problem string
}

// Error names the state and the problem.
func (e *DataError) Error() string {
	return fmt.Sprintf("sight: the update of state %d: %s", e.State, e.Problem)
}

// DesyncError means that an update leads to a different state here than at the server: the game is not
// deterministic, or the builds differ.
type DesyncError struct {
	State        Frame
	Ours, Theirs uint16 // the low bits of the hashes
}

// Error names the state and both hashes.
func (e *DesyncError) Error() string {
	return fmt.Sprintf("sight: state %d has a hash that ends with %04x here, and with %04x at the server", e.State, e.Ours, e.Theirs)
}

// runner is shared by both sides: it simulates from a baseline, and encodes ticks.
type runner[S any, I comparable] struct {
	sight   func(s *S, p Player) PlayerSet
	values  *canon.Plan[S] // nil in a game whose states are not plain values
	inputs  *canon.Plan[I]
	codec   codec[I]
	stepper *rollback.Stepper[S, I] // nil with full sight
	row     []I                     // inputs of the tick being run
	orders  [][]byte
}

func (r *runner[S, I]) init(c Config[S, I]) (err error) {
	if c.Players < 1 || c.Players > rollback.MaxPlayers || c.MaxOrders < 0 || c.MaxOrders > rollback.MaxOrderBytes {
		return fmt.Errorf("sight: %d players with orders of %d bytes, must be 1 to %d with 0 to %d", c.Players, c.MaxOrders, rollback.MaxPlayers, rollback.MaxOrderBytes)
	}
	if r.inputs, err = canon.PlanFor[I](); err != nil {
		return err
	}
	if _, plain := c.Game.(rollback.Game[S, I]); plain {
		if r.values, err = canon.PlanFor[S](canon.AllowFloats); err != nil { // the engine checks whether floats are allowed
			return err
		}
	}
	r.codec = codec[I]{players: c.Players, size: r.inputs.Size(), maxOrders: c.MaxOrders, encode: r.inputs.Append, decode: r.inputs.Decode}
	r.row, r.orders = make([]I, c.Players), make([][]byte, c.Players)
	if r.sight = c.Sight; r.sight == nil {
		return nil
	}
	if r.values == nil {
		return &rollback.CapabilityError{Missing: "a plain state", For: "telling a player only a part of it"}
	}
	r.stepper, err = rollback.NewStepper(c.Game, c.Players, c.MaxOrders)
	return err
}

// begin starts to simulate from a state, reduced to what the player may know.
func (r *runner[S, I]) begin(f Frame, s *S) error { return r.stepper.Put(f, s) }

// step runs a tick with the inputs that the client gets. All other inputs are zero.
func (r *runner[S, I]) step(t *Tick[I], told PlayerSet) error {
	clear(r.orders)
	for p := range r.row {
		r.row[p] = *new(I)
		if !told.Has(Player(p)) {
			continue
		}
		if r.row[p] = t.Inputs[p]; t.Orders != nil {
			r.orders[p] = t.Orders[p]
		}
	}
	return r.stepper.Step(r.row, r.orders, t.Gone)
}

// end writes the resulting state, reduced to what the player may know.
func (r *runner[S, I]) end(s *S, p Player) {
	*s = *r.stepper.State()
	r.sight(s, p)
}
