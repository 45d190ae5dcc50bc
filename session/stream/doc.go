// Package stream is what a match agrees on at one machine, and those it goes to.
//
// A match begins with its [Parameters]. Then come its frames, in order, as soon as every
// player's input for them is known to everybody, and at last its [Outcome]. A [Stream] takes
// each [Frame] once and hands it on, in this order:
//
//   - to the [Tape], which feeds a [Recorder];
//   - to the [Chain], which folds the hashes of all states into one value that peers compare,
//     and to the [Evidence] that explains a difference;
//   - to the [Audience], which shows it to spectators and newcomers.
//
// A spectator and a newcomer receive the same stream from a host: a [Follower] decodes it.
//
// Nothing here knows a link, a phase or the clock of a session.
package stream
