package session

import (
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/pace"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// linkState is the state of a peer.
type linkState uint8

const (
	connecting linkState = iota // it has not answered
	connected
	leaving // it has said that it leaves
	gone
)

// link is what a session knows of one peer: its connection, and its part in the lobby and in the
// present match. The fields that every frame needs come first, so that they share few cache lines.
type link struct {
	state   linkState
	players PlayerSet
	arrival
	*peer.Link
	sinceSample int           // datagrams since the last sample
	clearAt     time.Duration // when nothing last waited on the control stream
	inputs.Peer
	matchPeer

	engaged    datagram.Engaged // from its newest Welcome
	welcomed   time.Duration    // when its Hello was last answered
	silentFrom time.Duration    // when a silence began that was an event; 0: none
	farewells  int              // how often it is still told that it is gone
	again      bool             // another process has taken its place
	processCheck
}

// matchPeer is what is known of a peer in one match.
type matchPeer struct {
	confirmed           Frame // of how many frames it says that it has all inputs
	backfillTo          Frame // it has just joined, and may lack inputs before this frame; 0: it lacks none
	lag                 pace.Lag
	sampled             int    // samples that it was sent
	playSent, playBytes uint64 // datagrams and bytes that it was sent

	chain     stream.PeerChain
	chainFrom Frame // where comparisons of states begin

	summed  bool // it was sent our summary
	done    bool // its summary is here
	ended   bool // its summary was compared
	summary Summary

	said bool   // it has said that it leaves
	why  string // why it leaves, or was given up
}

// arrival is what is known of a peer that joins a match, or whose match we join.
type arrival struct {
	notBothMembers bool          // one of us is not a member yet
	follows        bool          // it has told which inputs it needs
	backfilledAt   time.Duration // when it was last sent what it lacks
	joined         Frame         // it is a member from here on
	expected       time.Duration // since when nothing but its first input is lacking; 0: it has come, or is not awaited
}

// MaxPlayers is the most players that a match can have.
const MaxPlayers = datagram.MaxPlayers

// alive reports whether the peer takes part.
func (l *link) alive() bool { return l.state == connected || l.state == leaving }
