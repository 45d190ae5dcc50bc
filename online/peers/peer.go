// Package peers is how the machines of a room see each other, whatever carries their
// datagrams: their numbers, the addresses that are made of these, and how the connection
// to each of them goes.
package peers

import (
	"fmt"
	"net/netip"
	"time"
)

// State is how far the connection to a peer is.
type State uint8

// The states.
const (
	// Connecting is a peer that has not been reached yet.
	Connecting State = iota
	// Connected is a peer to which datagrams go.
	Connected
	// Interrupted is a peer that was connected, and to which a way is looked for.
	Interrupted
	// Failed is a peer that could not be reached in time. It is tried further.
	Failed
)

var stateNames = [...]string{"connecting", "connected", "interrupted", "failed"}

// String returns the name, in lower case.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Reason is why a peer has failed.
type Reason uint8

// The reasons.
const (
	// NoReason is a peer that has not failed.
	NoReason Reason = iota
	// NoAnswer is a peer from which nothing has come by way of the signalling.
	NoAnswer
	// Blocked is a peer that answers, and to which there is no way: a network between
	// lets nothing through, and there is no TURN server, or it does not answer.
	Blocked
	// Gone is a peer that was connected and cannot be reached any more.
	Gone
	// Unsupported is this side: WebRTC does not work here.
	Unsupported
	// Firewalled is a peer that answers by way of the signalling and at none of its
	// addresses, without any TURN server in the game: on a local network.
	Firewalled
)

var reasonTexts = [...]string{
	"", "the peer does not answer", "the network lets no connection through: a TURN server is needed",
	"the connection was lost", "WebRTC does not work here",
	"it can be reached at none of its addresses: a firewall may stand between",
}

// String returns a short text for people; "" for NoReason.
func (r Reason) String() string {
	if int(r) < len(reasonTexts) {
		return reasonTexts[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Peer is a peer as the transport sees it.
type Peer struct {
	ID     uint32
	Addr   netip.AddrPort
	State  State
	Reason Reason        // of Failed
	For    time.Duration // how long it is in this state
	// Connections counts how often it was connected.
	Connections int
}

// Signaler carries what two peers have to tell each other before they are connected:
// texts of at most 16 KiB. It may lose some, and must not wait for the other
// side. package rooms has one.
type Signaler interface {
	Signal(to uint32, data string) error
}
