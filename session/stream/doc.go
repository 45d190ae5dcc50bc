// Package stream carries what a match agrees on at one machine to those that need it.
//
// A match begins with its [Parameters]. Its frames follow, in order, as soon as all peers know
// all inputs for them. At the end comes its [Outcome]. A [Stream] takes each [Frame] once and
// passes it on, in this order:
//
//   - to the [Recording], which feeds a [Recorder];
//   - to the [Chain], which folds the hashes of all states into one value that peers compare,
//     and to the [Evidence] that explains a difference;
//   - to the [Spectators], which shows it to spectators and newcomers.
//
// Spectators and newcomers receive the same stream from a host: a [Decoder] decodes it.
//
// Nothing here knows a link, a phase or the clock of a session.
package stream
