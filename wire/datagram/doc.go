// Package datagram is the codec of the datagrams that the peers of a session
// exchange. docs/reference/wire.md describes every byte, and what the peers do with them.
//
//   - before a session: [Hello], [Welcome] with its [Items] and [Offer]
//   - in a session: a [Header] with positions and samples, a slice of the control
//     stream (package session/reliable), orders, and blocks of inputs ([History])
//   - a peer that has moved: [Challenge]
//   - who sent it, and whether it is whole: [Key]
//
// Anything can arrive on a socket. Decoding never panics, allocates only texts of at most [MaxText] bytes, and reports
// every rejection as one of the ErrX of this package.
package datagram
