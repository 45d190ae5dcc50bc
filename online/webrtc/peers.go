package webrtc

import (
	"net/netip"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

// Types that this package shares with other transports between peers.
type (
	// State is the state of the connection to a peer.
	State = peers.State
	// Reason is why a connection to a peer has failed.
	Reason = peers.Reason
	// Peer is the state of a peer, as the transport sees it.
	Peer = peers.Peer
	// Signaler carries the messages of two peers before they are connected.
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
	// MaxDatagram is the maximum size of a datagram in bytes, sent or received: with the headers of SCTP, DTLS,
	// UDP and IP it passes every path without fragmentation.
	MaxDatagram = inbox.MaxDatagram
	// QueueDatagrams is how many datagrams of one peer are queued until they are received.
	QueueDatagrams = inbox.PerPeer
)

// AddrOf returns the address of the peer with this number, the same on all machines.
func AddrOf(id uint32) netip.AddrPort { return peers.AddrOf(id) }

// IDOf returns the number of the peer that has this address, if AddrOf made it.
func IDOf(addr netip.AddrPort) (id uint32, ok bool) { return peers.IDOf(addr) }
