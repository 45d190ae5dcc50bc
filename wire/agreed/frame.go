package agreed

import "fmt"

const (
	// BlockFrames is how many frames a block has. The first frame of a block, whose number is a multiple of BlockFrames,
	// is coded without a predecessor.
	BlockFrames = 64

	// MaxPlayers is the maximum number of players in a [Shape].
	MaxPlayers = 16
	// MaxInputSize is the maximum size of an input in a [Shape], in bytes.
	MaxInputSize = 64
	// MaxOrders is the maximum size of a player's orders in a frame of a [Shape], in bytes.
	MaxOrders = 4096
)

// Shape has the properties that all frames of a match share.
type Shape struct {
	Players   int // 1 to MaxPlayers
	InputSize int // bytes of the input of one player, 0 to MaxInputSize
	MaxOrders int // the maximum size in bytes of the orders of one player in a frame
}

// Check returns an error if no match can have this shape.
func (s Shape) Check() error {
	if s.Players < 1 || s.Players > MaxPlayers || s.InputSize < 0 || s.InputSize > MaxInputSize || s.MaxOrders < 0 || s.MaxOrders > MaxOrders {
		return fmt.Errorf("%w: %d players, inputs of %d bytes, orders of up to %d", ErrShape, s.Players, s.InputSize, s.MaxOrders)
	}
	return nil
}

// Frame is one agreed frame.
type Frame struct {
	Number uint32
	Inputs []byte   // InputSize bytes per player
	Gone   uint16   // the players who are disconnected: bit p for player p
	Orders [][]byte // one per player; nil if there are none

	// Mark, if Marked is true, is compared with the other peers' after this frame.
	Marked bool
	Mark   Mark

	// Result is the result that the game gave when it finished the match with this frame, if Finished is true.
	Finished bool
	Result   uint64
}

// Mark is a point at which states are compared.
type Mark struct {
	Hash  uint64 // the hash of state Number + 1; 0 if it is not hashed
	Chain uint64 // the chain of the hashes of all states so far
}

// Parts of a frame, as bits of its first byte. A frame without any part is the same as the one before.
const (
	hasInputs   = 1 << iota // the input of a player differs from that in the frame before
	hasGone                 // the set of disconnected players has changed
	hasOrders               // a player gives orders
	hasMark                 //
	hasFinished             //
	noPart                  // this bit and higher ones are not used
)
