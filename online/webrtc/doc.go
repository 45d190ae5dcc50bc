// Package webrtc moves datagrams between browsers, and between browsers and programs:
// a tickback.Transport over WebRTC data channels, unordered and without retransmission.
// Natively it is pion/webrtc; in a browser it is the browser's own. There is one
// connection for each two machines.
//
//   - Make one: [New], with a [Signaler] that carries what it takes to connect.
//   - Say who is there: [Transport.SetPeers]. Give it what they have signalled:
//     [Transport.Deliver].
//   - Their addresses, for tickback.Options: [AddrOf].
//   - See how it goes: [Transport.Peers], [Transport.Stats].
//
// Package online does all of that with a room.
//
// # Addresses
//
// There are no real ones: a peer is a number, and its address is made of it, the same on
// all machines, so that they can tell each other where somebody is. A datagram comes from
// the peer that the signalling has vouched for, and from nobody else.
//
// # Connections
//
// Of two peers the one with the lower number offers. Each side tells its instance, a
// random text, so that a program that was started again is not taken for the one before.
// Whatever gets lost is said again; a connection that is interrupted gets new ways (an ICE
// restart), and if that does not help, another connection is made, for as long as the peer
// is among those of SetPeers. A peer that cannot be reached is [Failed], with the reason,
// and tried again all the same.
//
// # Loss
//
// Each peer has a queue of [QueueDatagrams]; when it is full its own oldest goes. So a
// peer that floods takes nothing from the others, who are served in turn. What the network
// cannot take now is dropped, not kept: newer datagrams say more.
//
// # Limitations
//
//   - Datagrams have at most [MaxDatagram] bytes.
//   - Without a TURN server there are networks that let nothing through.
//   - Data channels are congestion controlled: on a network that loses much they carry
//     less than UDP would.
package webrtc
