// Package lab plays a duel between two complete peers in one program, over a virtual
// network whose links can be changed while they play: to see and feel what delay,
// jitter and loss do, and what rollback does about it.
//
//   - Make a [Lab], and let time pass: [Lab.Advance].
//   - Change the network: [Lab.Set].
//   - See the peers: [Lab.Peers], with what each shows, has counted and has guessed
//     wrongly.
//
// It has no clock of its own, and no goroutine: with the same calls it plays the same.
package lab
