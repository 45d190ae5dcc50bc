// Package webrtc moves datagrams between browsers, and between browsers and programs: a tickback.Transport over
// WebRTC data channels, unordered and without retransmission. Natively it is pion/webrtc; in a browser it is the
// browser's own. Every pair of machines has one connection.
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
// Addresses are not real ones: a peer is a number, and its address is derived from it, the same on all machines, so
// that they can exchange addresses of peers. A datagram can only come from a peer that the signalling has identified.
//
// # Connections
//
// Of two peers, the one with the lower number offers. Each side sends its instance, a random text, so that a
// restarted program is not mistaken for the previous one. Lost signals are sent again. An interrupted connection
// looks for new paths (an ICE restart), and if that does not help, another connection is made, as long as the peer is
// among those of SetPeers. A peer that cannot be reached is [Failed], with the reason, and attempts continue.
//
// # Loss
//
// Each peer has a queue of [QueueDatagrams]; when it is full, its own oldest datagram is dropped. So a flood from one
// peer does not affect the others, which are served in turn. What the network cannot take now is dropped, not queued,
// since newer datagrams are more useful.
//
// # Limitations
//
//   - Datagrams have at most [MaxDatagram] bytes.
//   - Some networks let nothing through without a TURN server.
//   - Data channels are congestion controlled: on a network with much loss they carry
//     less than UDP would.
package webrtc
