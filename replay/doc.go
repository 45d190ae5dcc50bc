// Package replay does with recordings of matches what needs no session: it
// simulates them again, and checks, compares, cuts and translates them. Package tbr
// has the format, and rplk that of older recordings of one game.
//
//   - the game, whatever its types: [Of], [Game], [Sim]
//   - play a recording, forwards and to any frame: [Player]; tickback.Replay adds the time
//   - what sessions add to a recording: [ReadEffects], [ReadStats], [ReadMembers]
//   - is this what this build makes of the inputs: [Verify]
//   - where do two recordings of one match part: [Compare]
//   - where do two builds of a game part: [BisectBuilds], [Local], [Serve], [Attach]
//   - a part of a recording, or several in one: [Cut], [Join]
//   - from and to RPLK: [Import], [Export]
//   - frame by frame, for tables: [Rows]
//   - what is in it: [Measure]
//
// Recordings come from anywhere. A game gets their inputs, orders and states: one that
// panics at them makes a [*PanicError].
package replay
