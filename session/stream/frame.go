package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Frame is a frame that is agreed, as far as it matters here.
type Frame struct {
	Number rollback.Frame
	Hash   uint64 // of state Number + 1, if Hashed
	Hashed bool
	Last   bool // the game has finished the match with it

	// Encoded is the frame as it is sent and recorded, valid during the call: nil unless
	// somebody wants it.
	Encoded *agreed.Frame
}
