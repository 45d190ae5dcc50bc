package session

import (
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/pace"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// linkState is the connection state of a peer.
type linkState uint8

const (
	connecting linkState = iota // it has not answered
	connected
	leaving // it has announced that it leaves
	gone
)

// link is what a session knows about one peer: its connection, and its state in the lobby and in the current match.
// The fields that every frame needs come first, so that they share few cache lines.
type link struct {
	state   linkState
	players PlayerSet
	arrival
	*peer.Link
	sinceSample int           // datagrams since the last sample
	clearAt     time.Duration // when the control stream last had nothing pending
	inputs.Peer
	matchPeer

	engaged    datagram.Engaged // from its newest Welcome
	welcomed   time.Duration    // when its Hello was last answered
	silentFrom time.Duration    // when a silence began that was reported as an event; 0: none
	farewells  int              // how many more times to tell it that it is gone
	again      bool             // another process has replaced it
	processCheck
}

// matchPeer is what is known about a peer in one match.
type matchPeer struct {
	confirmed           Frame // the number of frames for which it reports to have all inputs
	backfillTo          Frame // it has just joined, and may lack inputs before this frame; 0: it lacks none
	lag                 pace.Lag
	sampled             int    // number of samples sent to it
	playSent, playBytes uint64 // datagrams and bytes sent to it

	chain     stream.PeerChain
	chainFrom Frame // the first frame whose states are compared

	summed  bool // our summary was sent to it
	done    bool // its summary has arrived
	ended   bool // its summary was compared
	summary Summary

	said bool   // it has announced that it leaves
	why  string // why it leaves, or was given up
}

// arrival is what is known about a peer that joins a match, or whose match we join.
type arrival struct {
	notBothMembers bool          // one of us is not a member yet
	follows        bool          // it has reported which inputs it needs
	backfilledAt   time.Duration // when backfill was last sent to it
	joined         Frame         // the first frame in which it is a member
	expected       time.Duration // the time since which only its first input is missing; 0: that has arrived, or is not expected
}

// MaxPlayers is the maximum number of players in a match.
const MaxPlayers = datagram.MaxPlayers

// alive reports whether the peer still takes part.
func (l *link) alive() bool { return l.state == connected || l.state == leaving }
