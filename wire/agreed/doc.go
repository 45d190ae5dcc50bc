// Package agreed is the codec of the agreed stream: the frames of a match that all peers have, as sent to spectators
// and used in desync reports. docs/reference/wire.md describes every byte.
//
//   - [Frame]: the inputs, orders and statuses of a frame
//   - [Writer] and [Reader]: one frame after the other, each coded against the one
//     before
//   - [Log]: the frames of a match in memory, in blocks that stand alone
//
// Reading never panics, never allocates according to an unchecked length, and fails with one of the ErrX of this
// package.
package agreed
