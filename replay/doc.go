// Package replay works with recordings of matches without a session: it simulates them again, and checks, compares,
// cuts and converts them. Package tbr has the format, and package rplk the format of older recordings of one game.
//
//   - the game, whatever its types: [Of], [Game], [Sim]
//   - play a recording, forwards and to any frame: [Player]; tickback.Replay adds the time
//   - what sessions add to a recording: [ReadEffects], [ReadStats], [ReadMembers]
//   - does this build compute the same from the inputs: [Verify]
//   - where do two recordings of one match differ: [Compare]
//   - where do two builds of a game diverge: [BisectBuilds], [Local], [Serve], [Attach]
//   - a part of a recording, or several in one: [Cut], [Join]
//   - from and to RPLK: [Import], [Export]
//   - frame by frame, for tables: [Rows]
//   - what is in it: [Measure]
//
// Recordings may come from anywhere. The game gets their inputs, orders and states; if it
// panics, the error is a [*PanicError].
package replay
