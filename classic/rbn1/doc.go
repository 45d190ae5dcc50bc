// Package rbn1 is the codec of RBN1 input packets, version 1: the datagrams of
// the classic two-player LAN match.
//
// A packet carries up to 32 consecutive inputs of one player, what that player
// has received of the other, and at times the checksum of a state:
//
//	offset  size  field
//	0       4     "RBN1"
//	4       1     version, 1
//	5       1     flags: bit 0 HasChecksum, the others 0
//	6       4     StartFrame: frame of the first input
//	10      1     Count, 1 to 32
//	11      4     AckFrame: newest frame up to which all inputs have arrived
//	15      8     ChecksumFrame, Checksum; only with HasChecksum
//	15/23   2n    buttons, one uint16 for each frame
//
// All integers are little-endian. The smallest packet has 17 bytes, the largest
// [MaxSize].
//
//   - write: [Append] to a growing buffer, [Encode] into one of fixed size
//   - read: [DecodeInto] without allocating, [Decode] with
//
// Anything can arrive on a socket: decoding never panics, never allocates according to an unchecked length, and reports
// every rejection as an [*Error] whose reason can be tested with [errors.Is].
package rbn1
