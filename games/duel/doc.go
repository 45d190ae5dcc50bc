// Package duel is the reference game: two fighters on one stage, 60 ticks a
// second, every rule an integer.
//
// The rules are frozen. An implementation of the same rules in any language reproduces the
// checksums in this package's tests, which makes a recorded match a proof: replay the inputs,
// and compare the last checksum.
//
//   - [New] makes state 0 of a match from its seed.
//   - [Step] advances a state by one frame, in place.
//   - [Round] is a duel that ends with the first knock-out.
//   - [Checksum] identifies a state wherever one is printed or sent.
//   - [Swung] and the other effects are the events for a presentation; [Game] emits them,
//     [Step] does not.
//   - [Scripted] returns the input scripts that tests and the command line play.
//
// # Space and time
//
// Lengths are in units of 1/1000 of a world unit, velocities in units per tick.
// X grows to the right, Y upwards; a fighter's position is the lower left
// corner of its body. The constants in this package are all the numbers in the
// rules.
//
// # Order
//
// [Step] works in phases, and inside a phase player 1 goes first. Nothing
// depends on that order except where the rules say so, and hits are decided for
// both players before either is applied: two fighters can hit each other in
// the same frame.
package duel
