// Package smooth smooths what is drawn: corrections of the local player, and the positions of others. It is only for
// drawing.
//
//   - hide a correction of the own player: [Offset], with what
//     predict.Correction.Before and After have between them
//   - interpolate between two angles: [Turn]
//   - show others with a delay, interpolated between samples: [Track]
//   - do not interpolate over a respawn: [Track.Cut]
//
// # Why there are floats here
//
// Pictures are drawn with floats, differ between machines with the time of drawing, and are never read by a step, sent,
// hashed or recorded. So this package may use floats, but package predict, which decides where a player is, may not:
// that is why they are separate packages. Nothing in predict, and no step, may import this one.
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
//   - Beyond the newest sample a Track extrapolates, along a straight line or whatever
//     Blend returns for a share above 1, and stops after a while.
package smooth
