package session

import (
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// linkState is what a peer is to us.
type linkState uint8

const (
	connecting linkState = iota // it has not answered, or not with what fits
	connected
	leaving // it has said that it leaves
	gone
)

// link is the way to one peer. What every frame needs comes first, so that it
// shares few cache lines.
type link struct {
	state     linkState
	confirmed Frame              // what the peer has of all players
	acked     [maxPlayers]uint32 // by our players in order: inputs that the peer has
	lag       lag
	list      []Player       // players, ascending
	send      datagram.Shape // of what we send: our players, and the peer's
	receive   datagram.Shape

	sinceSample, sampled int           // datagrams since the last sample, and samples
	playSent, playBytes  uint64        // datagrams and bytes of the match
	jitter               time.Duration // mean deviation of lag.here
	clearAt              time.Duration // when nothing waited on the control stream

	players               PlayerSet
	silent                bool // there was an event about it
	silentFrom            time.Duration
	acceptedFor, readyFor uint32 // the match that it has accepted, and is ready for
	done                  bool   // with the match: there is a summary
	ended                 bool   // and it has been compared
	summed                bool   // it was sent ours
	summary               Summary
	chain                 theirChain
	partings              int    // how often it is still told that it is gone
	why                   string // it leaves, or does not follow the protocol
	said                  bool   // it has told so itself

	aside     bool          // one of us is no member yet
	follows   bool          // it has told which inputs it needs
	chainFrom Frame         // states are compared from there on
	early     []early       // orders of who is about to join
	lacks     Frame         // it has just come, and may lack something before this frame; 0 is nothing
	furnished time.Duration // when it was last sent that

	engaged  datagram.Engaged // it has said so, to us
	welcomed time.Duration    // when its Hello was answered
	peer.Link
}

const maxPlayers = datagram.MaxPlayers

// alive reports whether the peer takes part.
func (l *link) alive() bool { return l.state == connected || l.state == leaving }

// unacknowledged is how many inputs of our i-th player the peer has not, of those before
// next. As long as one of us joins, there is nothing to acknowledge.
func (l *link) unacknowledged(i int, next uint32) uint32 {
	if l.aside {
		return 0
	}
	return next - min(next, l.acked[i])
}
