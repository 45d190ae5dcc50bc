package stream

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// MaxData is the maximum size of [Parameters.Data], in bytes.
const MaxData = 64 << 10

// Parameters are the parameters of a match, proposed by the host and the same for all peers.
type Parameters struct {
	// Seed is the seed of the match, for the generators in its state.
	Seed uint64
	// Frames is the length of the match; 0 means no limit.
	Frames rollback.Frame
	// Content is a digest of what the game needs besides its build, such as levels and tables. A hook that sets up
	// the match can reject a different digest.
	Content uint64
	// Data is for the game's own use, such as the stage and the characters; at most
	// [MaxData] bytes.
	Data []byte
}

// Check rejects parameters that cannot be sent or have no meaning.
func (p *Parameters) Check() error {
	switch {
	case len(p.Data) > MaxData:
		return fmt.Errorf("Match.Data has %d bytes, more than %d", len(p.Data), MaxData)
	case p.Frames == rollback.NoFrame:
		return fmt.Errorf("Match.Frames is not a valid number of frames")
	}
	return nil
}

// Offer returns the parameters in the form in which they are sent, with the number of the match and the hash of
// state 0.
func (p *Parameters) Offer(match uint32, state uint64) datagram.Offer {
	return datagram.Offer{
		Match: match, State: state, Seed: p.Seed, Frames: uint32(p.Frames), Content: p.Content, Data: p.Data,
	}
}

// ParametersOf returns a copy of received parameters.
func ParametersOf(o *datagram.Offer) Parameters {
	return Parameters{Seed: o.Seed, Frames: rollback.Frame(o.Frames), Content: o.Content, Data: append([]byte(nil), o.Data...)}
}
