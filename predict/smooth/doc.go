// Package smooth makes what is shown calmer than what is known. It is for drawing,
// and for nothing else.
//
//   - hide a correction of the own player: [Offset], with what
//     predict.Correction.Before and After have between them
//   - take the short way between two angles: [Turn]
//   - show others, of whom a client only hears: [Track], a chosen delay behind
//   - show no way where there was none, as at a respawn: [Track.Cut]
//
// # Why there are floats here
//
// What is drawn is drawn in floats, differs between machines by the time at which
// each draws, and is never read by a step, sent, hashed or recorded. So this package
// may use them, and package predict, which decides where a player is, may not: that is
// why they are two. Nothing in predict, and no step, may import this one.
//
// Time is an argument here as everywhere: two advances of 8 ms are one of 16 ms, to
// the last bit, however often a client draws.
//
// # Limitations
//
//   - An [Offset] hides an error for a moment and does not make it smaller. While it
//     is shown, the player sees itself where the server does not.
//   - A [Track] shows the past. What a player aims at is there only if the server
//     goes back by the same delay before it decides.
//   - Beyond the newest sample a Track guesses, along a straight line or whatever
//     Blend makes of a share above 1, and it stops guessing after a while.
package smooth
