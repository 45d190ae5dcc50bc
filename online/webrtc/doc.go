// Package webrtc moves datagrams between browsers, and between browsers and programs: a
// tickback.Transport over WebRTC data channels, unordered and without retransmission.
// Natively it is pion/webrtc; in a browser it is the browser's own. Every two machines
// have one connection.
//
//   - Make one: [New], with a [Signaler] that carries the signalling.
//   - Set the peers: [Transport.SetPeers]. Pass on their signals: [Transport.Deliver].
//   - Their addresses, for tickback.Options: [AddrOf].
//   - See the state: [Transport.Peers], [Transport.Stats].
//
// Package online does all of that with a room.
//
// # Addresses
//
// There are no real ones: a peer is a number, and its address is derived from it, the
// same on all machines, so that they can tell each other where a peer is. A datagram can
// only come from the peer that the signalling has vouched for.
//
// # Connections
//
// Of two peers the one with the lower number offers. Each side tells its instance, a
// random text, so that a program that was started again is not taken for the one before.
// Lost signals are sent again. An interrupted connection looks for new paths (an ICE
// restart), and if that does not help, another connection is made, while the peer is
// among those of SetPeers. A peer that cannot be reached is [Failed], with the reason,
// and attempts continue.
//
// # Loss
//
// Each peer has a queue of [QueueDatagrams]; when it is full its own oldest is dropped.
// So a flooding peer takes nothing from the others, which are served in turn. What the
// network cannot take now is dropped, not queued, since newer datagrams say more.
//
// # Limitations
//
//   - Datagrams have at most [MaxDatagram] bytes.
//   - Some networks let nothing through without a TURN server.
//   - Data channels are congestion controlled: on a network that loses much they carry
//     less than UDP would.
package webrtc
