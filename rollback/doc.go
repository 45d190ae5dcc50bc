// Package rollback runs a match on one machine while the inputs of the others are still on their way: it predicts them,
// and when a different input arrives, it goes back and simulates again. It has no network, no clock and no goroutine;
// the owner of an engine gives it the inputs, and tells it what the other machines have.
//
// # Define a game
//
//   - The state is a value without pointers: [Game], an Init and a Step.
//   - The game owns its memory (pointers, maps, a VM, a global): [OwnMemory].
//   - What a step sees: [Tick], with the inputs, orders and status of every
//     player.
//   - What a step causes: package effects, through [Tick.Effects];
//     [Tick.Finish] ends the match.
//   - Better predictions than "the same as before": [Predictor].
//
// # Run a match
//
//   - Make an engine: [New] with a [Config].
//   - The owner's loop, in five steps: [Engine].
//   - Add inputs: [Engine.AddLocal], [Engine.AddInput]. Change the input delay
//     while playing: [Engine.SetDelay].
//   - Lockstep: a window of 0.
//   - Draw: [Engine.State], and [Engine.StateAt] of the frame before for
//     interpolation. Play sounds: [Engine.Effects].
//   - Record, check, spectate: [Engine.NextAgreed]. The end: [Engine.Result].
//   - Players leave and come back: [Engine.Disconnect], [Engine.Connect].
//   - Start in the middle: [Engine.Marshal] there, [Engine.Load] here. Start
//     over: [Engine.Restart].
//   - Follow a match, or join it late: [Engine.Feed], then [Engine.Connect].
//   - Be the client of a server that owns the match: [Engine.Assume],
//     [Engine.SetTruth], [Engine.Correct]; see below.
//   - See what it does: [Engine.Stats], [Engine.Costs].
//
// # Test a game
//
//   - Run every frame twice: [Config.SyncTest]. A [*SyncTestError] names the frame
//     and the fields. Package tickbacktest does this with random inputs.
//   - Run single steps and compare states: [Sandbox].
//
// # Frames
//
// The inputs of frame f drive state f to state f+1; state 0 is the initial one.
// Two counts, both exclusive, say how far the inputs are known:
//
//   - confirmed: this machine has all inputs of the frames below it. Frame f may run
//     while f - confirmed is less than the window; only this limits prediction.
//   - agreed: every peer has all inputs of the frames below it. The agreed
//     stream, confirmed effects and the result never go beyond it.
//
// # Prediction and rollback
//
// A missing input is predicted as the newest known input of an earlier frame, or as zero
// if there is none. Orders are predicted as none. Corrections that arrive between two
// ticks cause one rollback, from the earliest wrong frame, and all predictions are made
// again. The resimulation stops early only if no later input changes and the state is
// exactly what it was.
//
// # A server that owns the match
//
// A server may own a match: it decides what each player did in a frame, and an input that
// comes too late is replaced. The engine of its client has no local players. In each tick
// period, the client
//
//  1. takes what the server has told, in the order of frames: of each frame its inputs, as
//     far as they are told, and who is there ([Engine.SetTruth]). If it is not told everything,
//     or has come out differently before, it is also given a state ([Engine.Correct]), which
//     comes after the frames before that state;
//  2. says what its own players do: [Engine.Assume], for the frame that runs next, or a
//     later one if it plays with a delay;
//  3. runs a frame on this and on predictions: [Engine.Tick]. A [*Stall] means that it is
//     too far ahead of what it has heard;
//  4. shows the state and the effects, and reads the agreed frames, as all owners do.
//
// A newcomer loads a state ([Engine.Load]), or is fed the agreed frames ([Engine.Feed]), and then goes on in the same
// way. A client that has fallen behind is given a state that is newer than its own, and goes on from there.
//
// A frame is agreed once the inputs of all players are known. A given state settles everything before it: the inputs of
// those frames are no longer needed, since the state replaces them. It cannot be older than what is agreed, or than the
// states that are held.
//
// # Costs
//
// A tick allocates nothing, in any mode. (Exceptions: the sync test of an
// [OwnMemory], which describes every state, and orders of more than 256 bytes.)
// With a plain state a frame costs its step, one copy of the state, and some
// nanoseconds; going back costs nothing.
// Memory is Config.Snapshots states and 2 × Config.History rows of inputs.
//
// # Limitations
//
//   - At most [MaxPlayers] players, [MaxInputSize] bytes of input and
//     [MaxOrderBytes] bytes of orders.
//   - An engine is for one goroutine. Engines share nothing, but a game that keeps its
//     state in a process-wide global can have only one engine at a time.
//   - A step that panics leaves the engine in the middle of a frame: do not use the
//     engine after that.
package rollback
