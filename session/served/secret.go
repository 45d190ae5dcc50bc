package served

import (
	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// A client with partial sight must not be able to compute what is hidden from it. So it gets neither the seed,
// which initializes all generators of state 0, nor a hash of anything that it may not know: with a hash of the
// whole state, each guess at what is hidden could be checked.

// withoutSecrets returns the offer as sent to clients.
func withoutSecrets(g *Game, o datagram.Offer) datagram.Offer {
	if g.Partial {
		o.Seed, o.State = 0, 0
	}
	return o
}

// reveals reports whether an offer contains something that a client with partial sight must not get.
func reveals(g *Game, o *datagram.Offer) bool { return g.Partial && o.Seed|o.State != 0 }

// outcomeFor returns the outcome as sent to a client. With partial sight its hash is that of the last state reduced to
// what the client may know, and there is no chain: that would cover states that the client did not get.
func (l *log) outcomeFor(c *client, o *stream.Outcome) *stream.Outcome {
	if !l.partial {
		return o
	}
	known := *o
	known.Hash, known.Chain = xxh3.Hash(l.world.known(nil, c.player, o.Frames)), 0
	return &known
}
