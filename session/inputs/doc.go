// Package inputs keeps which inputs there are at one machine, and which of them each peer has.
//
// A [Store] holds the newest inputs of all players: of those who play here, and of others as far
// as they have come. For each [Peer] it composes what the peer has not acknowledged, as far as a
// datagram has room, and reads what the peer sends. Short orders travel with their input, longer
// ones apart, in a message ([Orders]). When both are here, the [Engine] gets them, once.
//
// docs/reference/wire.md has every byte. Nothing here knows a link, the membership log or the
// time.
package inputs
