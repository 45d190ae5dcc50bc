package session

import (
	"time"

	"github.com/tickback/tickback/session/pace"

	"github.com/tickback/tickback/session/stream"

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

// link is what a session knows of one peer: the connection, and what has become of it in the
// lobby, in the match at hand, and at its borders. What every frame needs comes first, so that
// it shares few cache lines.
type link struct {
	state   linkState
	players PlayerSet
	list    []Player       // the players, ascending
	send    datagram.Shape // of what we send: our players, and the peer's
	receive datagram.Shape
	standing
	quiet
	arrival
	farewell

	sinceSample           int              // datagrams since the last sample
	clearAt               time.Duration    // when nothing waited on the control stream
	acceptedFor, readyFor uint32           // the match that it has accepted, and is ready for
	engaged               datagram.Engaged // it has said so, to us
	welcomed              time.Duration    // when its Hello was answered
	peer.Link
}

// standing is a peer in the match that is prepared or played. It is forgotten with the match.
type standing struct {
	confirmed           Frame              // what the peer has of all players
	acked               [maxPlayers]uint32 // by our players in order: inputs that the peer has
	lag                 pace.Lag
	sampled             int    // samples that it was sent
	playSent, playBytes uint64 // datagrams and bytes that it was sent

	chain     stream.Told
	chainFrom Frame // states are compared from there on
	lacks     Frame // it has just come, and may lack something before this frame; 0 is nothing

	summed  bool // it was sent our summary
	done    bool // with the match: there is its summary
	ended   bool // and it has been compared
	summary Summary

	said bool   // it has told by itself that it leaves
	why  string // it leaves, or does not follow the protocol
}

// quiet is a silence of which there was an event.
type quiet struct {
	silent     bool
	silentFrom time.Duration
}

// arrival is what is there of a peer that comes to a match, or to whose match we come.
type arrival struct {
	aside     bool          // one of us is no member yet
	follows   bool          // it has told which inputs it needs
	early     []early       // orders of a player that is about to join
	furnished time.Duration // when it was last sent what it lacks
}

// farewell is how a peer that is gone is told so.
type farewell struct {
	partings int // how often it still is
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
