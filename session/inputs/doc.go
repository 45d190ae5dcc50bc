// Package inputs tracks which inputs are available on one machine, and which of them each peer has.
//
// A [Store] holds the newest inputs of all players: of the local ones, and of others as far as they have arrived.
// For each [Peer] it composes the inputs that the peer has not acknowledged, as far as they fit into a datagram,
// and decodes what the peer sends. Short orders travel with their input, longer ones separately, in a message
// ([Orders]). When both have arrived, they are passed to the [Engine], once.
//
// docs/reference/wire.md specifies every byte. Nothing here depends on a link, the membership log or the time.
package inputs
