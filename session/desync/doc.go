// Package desync explains why the states of the peers of a match differ. It knows no
// game, opens no socket and reads no clock.
//
//   - Keep what an explanation needs while a match runs: [Evidence]
//   - Ask the others, and answer them: [Investigation]
//   - What comes of it, the same bytes at every peer: [Report]
//   - Step through the inputs of one: [Report.Frames]
//
// docs/desync.md tells users what it does; docs/reference/wire.md has every message.
//
// # How it is found out
//
// One of the peers coordinates: the one with the lowest player among those who are
// left. It asks all for the hashes of the states since the last comparison that was
// equal, and finds the first state that is not the same everywhere. Then it asks
// everybody for that state: who holds a snapshot of it has the original, and others
// simulate it again, from the nearest snapshot before and the inputs that were agreed.
// It narrows the difference down by digests of parts, in a few messages of a few KiB,
// to the fields in which they differ, writes the report, and gives it to all.
//
// # Limits
//
//   - One report for each match.
//   - A peer can lie about its own state, and a coordinator about everything but what
//     the reader of the report can compare with its own. Both can make it fail.
//   - What was not reproduced is said to be so, with both hashes, and has no fields.
package desync
