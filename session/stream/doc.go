// Package stream passes what a match agrees on at one machine to those parts that need it.
//
// A match begins with its [Parameters]. Its frames follow, in order, as soon as all peers are known to have all
// inputs for them. Finally comes its [Outcome]. A [Stream] takes each [Frame] once and passes it on, in this order:
//
//   - to the [Recording], which feeds a [Recorder];
//   - to the [Chain], which folds the hashes of all states into one value that peers compare,
//     and to the [Evidence] that explains a difference;
//   - to the [Spectators], which passes it to spectators and newcomers.
//
// Spectators and newcomers receive the same stream from a host: a [Decoder] decodes it.
//
// Nothing here depends on a link, a phase or the clock of a session.
package stream
