// Package lab plays a duel between two complete peers in one program, over a virtual network whose links can be
// changed while it runs. It shows the effects of delay, jitter and loss, and what rollback does about them.
//
//   - Make a [Lab], and let time pass: [Lab.Advance].
//   - Change the network: [Lab.Set].
//   - Look at the peers: [Lab.Peers], with what each shows, has counted and has mispredicted.
//   - Look at one rollback: [Peer.Rollback] says what was predicted, and when the input arrived.
//   - Repeat an experiment: [Setup] has everything that defines one, also as a text for a link; [Tour] has
//     setups that show one thing each, and [Scripted] is a player who always does the same.
//
// It has no clock and no goroutine of its own: the same calls give the same result.
package lab
