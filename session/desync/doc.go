// Package desync explains why the states of the peers of a match differ. It does not depend on the game, opens no
// socket and reads no clock.
//
//   - [Evidence] keeps what an explanation needs while a match runs.
//   - [Investigation] asks the other peers, and answers them.
//   - [Report] is the result, with the same bytes at every peer.
//   - [Report.Frames] steps through the inputs in a report.
//
// docs/desync.md explains it to users; docs/reference/wire.md has every message.
//
// # How the difference is found
//
// One of the peers coordinates: the one with the lowest player among those that are left. It requests from all
// peers the hashes of the states since the last equal comparison, and finds the first state that is not the same at
// all of them. Then it requests that state. A peer that holds a snapshot of it has the original; the others
// resimulate it from the nearest earlier snapshot and the agreed inputs. The coordinator compares digests of parts
// of the state, in a few messages of a few KiB, until it has found the fields that differ. It writes the report and
// sends it to all peers.
//
// # Limits
//
//   - There is one report for each match.
//   - A peer can lie about its own state. A coordinator can lie about everything except
//     what a reader of the report can compare with its own state. Both can prevent a
//     report.
//   - A state that could not be reproduced is marked as such, with both hashes and no fields.
package desync
