// Package rplk reads and writes RPLK recordings, version 1: the inputs of a
// two-player match of 16 buttons each, and the seed they start from.
//
// A recording has no states. The match is deterministic, so playing the inputs from state 0 reproduces every state; the
// end of the match proves it.
//
//	offset  size  field
//	0       4     "RPLK"
//	4       1     version, 1
//	5       1     flags, 0
//	6       2     header size, 32
//	8       4     seed, not 0
//	12      4     start frame, 0 in this version
//	16      4     frame count
//	20      4     CRC-32 (IEEE) of the payload
//	24      8     reserved, 0
//	32      4n    for each frame: buttons of player 1, of player 2
//
// All integers are little-endian, and a file is exactly 32 + 4n bytes long.
//
//   - read as a stream: [NewReader], in memory bounded by the caller's buffer
//   - read whole: [ReadAll] from a stream, [Decode] from bytes
//   - write as a stream: [NewWriter]
//   - write whole: [Append]
//   - the header alone: [ConsumeHeader], [AppendHeader]
//
// A file can be damaged or malicious: reading never panics, never allocates according to an unchecked length, and
// reports every rejection as an [*Error] whose reason can be tested with [errors.Is].
package rplk
