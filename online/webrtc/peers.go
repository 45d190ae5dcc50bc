package webrtc

import (
	"net/netip"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

// What this package has in common with other ways from peer to peer.
type (
	// State is how far the connection to a peer is.
	State = peers.State
	// Reason is why a peer has failed.
	Reason = peers.Reason
	// Peer is a peer as the transport sees it.
	Peer = peers.Peer
	// Signaler carries what two peers have to tell each other before they are connected.
	Signaler = peers.Signaler
)

// The states; see package peers.
const (
	Connecting  = peers.Connecting
	Connected   = peers.Connected
	Interrupted = peers.Interrupted
	Failed      = peers.Failed
)

// The reasons; see package peers.
const (
	NoReason    = peers.NoReason
	NoAnswer    = peers.NoAnswer
	Blocked     = peers.Blocked
	Gone        = peers.Gone
	Unsupported = peers.Unsupported
)

const (
	// MaxDatagram is the most bytes of a datagram, both ways: with the headers of SCTP,
	// DTLS, UDP and IP it fits what every path carries in one piece.
	MaxDatagram = inbox.MaxDatagram
	// QueueDatagrams is how many datagrams of one peer are held until they are received.
	QueueDatagrams = inbox.PerPeer
)

// AddrOf returns the address of the peer with this number, the same on all machines.
func AddrOf(id uint32) netip.AddrPort { return peers.AddrOf(id) }

// IDOf returns the number of the peer that has this address, if it is one of AddrOf.
func IDOf(addr netip.AddrPort) (id uint32, ok bool) { return peers.IDOf(addr) }
