package fleet

import (
	"errors"
	"math/rand/v2"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// changeEvery is the average number of frames after which a random player changes its input.
const changeEvery = 6

// Inputs are random inputs of the players of a match: any value of the type may occur, and is held for six frames on
// average. [Play] uses them by default.
type Inputs[I comparable] struct {
	plan *canon.Plan[I]
	rand [rollback.MaxPlayers]*rand.Rand
	held [rollback.MaxPlayers]I
	b    []byte
}

// NewInputs returns the inputs for a seed. It fails for types that cannot be inputs of a match.
func NewInputs[I comparable](seed uint64) (*Inputs[I], error) {
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	in := &Inputs[I]{plan: plan, b: make([]byte, plan.Size())}
	for p := range in.rand {
		in.rand[p] = rand.New(rand.NewPCG(seed, 100+uint64(p)))
	}
	return in, nil
}

// Next returns a player's input for its next frame.
func (in *Inputs[I]) Next(p rollback.Player) I {
	r := in.rand[p]
	if r.IntN(changeEvery) == 0 {
		for i := range in.b {
			in.b[i] = byte(r.Uint32())
		}
		in.held[p] = decodeInput(in.plan, in.b)
	}
	return in.held[p]
}

// decodeInput returns the input encoded in any bytes: of a byte that should be a bool, it uses the lowest bit.
func decodeInput[I comparable](plan *canon.Plan[I], b []byte) (in I) {
	for {
		var bad *canon.BoolError
		if err := plan.Decode(&in, b); !errors.As(err, &bad) {
			return in
		}
		b[bad.Offset] &= 1
	}
}

// Orders are random orders of the players of a match: in one frame of twenty, and mostly short.
type Orders struct {
	most int
	rand [rollback.MaxPlayers]*rand.Rand
	b    []byte
}

// NewOrders returns the orders for a seed, each limited to the given size in bytes.
func NewOrders(seed uint64, most int) *Orders {
	o := &Orders{most: most, b: make([]byte, most)}
	for p := range o.rand {
		o.rand[p] = rand.New(rand.NewPCG(seed, 200+uint64(p)))
	}
	return o
}

// Next returns the orders for a player's next frame, valid until the next call.
func (o *Orders) Next(p rollback.Player) []byte {
	r := o.rand[p]
	if r.IntN(20) != 0 {
		return nil
	}
	n := 1 + r.IntN(min(16, o.most))
	if r.IntN(30) == 0 {
		n = 1 + r.IntN(o.most)
	}
	b := o.b[:n]
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
