package session

import "github.com/tickback/tickback/wire/datagram"

// Parameters are what the host proposes for a match, the same for all peers.
type Parameters struct {
	// Seed is the match's, for the generators in its state.
	Seed uint64
	// Frames is its length; 0 is without a limit.
	Frames Frame
	// Content is a digest of what the game needs besides its build: its levels,
	// its tables. A hook that sets up the match can refuse another one.
	Content uint64
	// Data is the game's own: the stage, the characters; at most [MaxData] bytes.
	Data []byte
}

func (p *Parameters) check() error {
	switch {
	case len(p.Data) > MaxData:
		return refusef("Match.Data has %d bytes, more than %d", len(p.Data), MaxData)
	case p.Frames == NoFrame:
		return refusef("Match.Frames is no number of frames")
	}
	return nil
}

// offer returns the parameters as they are sent.
func (p *Parameters) offer(match uint32, state uint64) datagram.Offer {
	return datagram.Offer{
		Match: match, State: state, Seed: p.Seed, Frames: uint32(p.Frames), Content: p.Content, Data: p.Data,
	}
}

// parametersOf copies what has been received.
func parametersOf(o *datagram.Offer) Parameters {
	return Parameters{Seed: o.Seed, Frames: Frame(o.Frames), Content: o.Content, Data: append([]byte(nil), o.Data...)}
}
