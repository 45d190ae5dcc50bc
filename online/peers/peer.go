// Package peers describes the machines of a room to each other, for all transports: their numbers, the addresses
// derived from the numbers, and the state of the connection to each machine.
package peers

import (
	"fmt"
	"net/netip"
	"time"
)

// State is the state of the connection to a peer.
type State uint8

// The states.
const (
	// Connecting: the peer has not been reached yet.
	Connecting State = iota
	// Connected: datagrams reach the peer.
	Connected
	// Interrupted: the peer was connected, and is being searched for.
	Interrupted
	// Failed: the peer could not be reached in time. Attempts continue.
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

// Reason is the reason why a connection to a peer has failed.
type Reason uint8

// The reasons.
const (
	// NoReason: the connection has not failed.
	NoReason Reason = iota
	// NoAnswer: nothing has come from the peer through the signalling.
	NoAnswer
	// Blocked: the peer answers, but cannot be reached: a network on the path blocks the datagrams, and there is no
	// TURN server, or it does not answer.
	Blocked
	// Gone: the peer was connected, but can no longer be reached.
	Gone
	// Unsupported: WebRTC does not work on this side.
	Unsupported
	// Firewalled: the peer answers through the signalling, but at none of its addresses, on a local network, where no
	// TURN server is used.
	Firewalled
)

var reasonTexts = [...]string{
	"", "the peer does not answer", "the network lets no connection through: a TURN server is needed",
	"the connection was lost", "WebRTC does not work here",
	"it can be reached at none of its addresses: a firewall may stand between",
}

// String returns a short text for people, or "" for NoReason.
func (r Reason) String() string {
	if int(r) < len(reasonTexts) {
		return reasonTexts[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Peer is the state of a peer, as the transport sees it.
type Peer struct {
	ID     uint32
	Addr   netip.AddrPort
	State  State
	Reason Reason        // why it is Failed
	For    time.Duration // how long it has been in this state
	// Connections counts how often the peer has been connected.
	Connections int
}

// Signaler carries the messages of two peers before they are connected: texts of at most 16 KiB. It may lose some,
// and must not wait for the other side. Package rooms has one.
type Signaler interface {
	Signal(to uint32, data string) error
}
