package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Frame is an agreed frame.
type Frame struct {
	Number rollback.Frame
	Hash   uint64 // the hash of state Number + 1, if Hashed
	Hashed bool
	Last   bool // the game ended the match with this frame

	// Encoded is the frame as sent and recorded, valid during the call. It is nil if it is not needed.
	Encoded *agreed.Frame
}
