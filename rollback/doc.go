// Package rollback runs a match on one machine while the inputs of the others are still
// on their way: it predicts them, and when one arrives that is different, goes back and
// simulates again. It has no network, no clock and no goroutine; the owner of an engine
// gives it inputs, and says what the other machines have.
//
// # Give it a game
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
//   - The loop of its owner, in five steps: [Engine].
//   - Give inputs: [Engine.AddLocal], [Engine.AddInput]. Change the input delay
//     while playing: [Engine.SetDelay].
//   - Lockstep: a window of 0.
//   - Draw: [Engine.State], and [Engine.StateAt] of the frame before for
//     interpolation. Play sounds: [Engine.Effects].
//   - Record, check, spectate: [Engine.NextAgreed]. The end: [Engine.Result].
//   - Players who leave and come back: [Engine.Disconnect], [Engine.Connect].
//   - Start in the middle: [Engine.Marshal] there, [Engine.Load] here. Start
//     over: [Engine.Restart].
//   - Follow, and join while play goes on: [Engine.Feed], then [Engine.Connect].
//   - See what it does: [Engine.Stats], [Engine.Costs].
//
// # Test a game
//
//   - Every frame twice: [Config.SyncTest], a [*SyncTestError] names the frame
//     and the fields. Package tickbacktest does it with random inputs.
//   - Ask a step questions: [Sandbox].
//
// # Frames
//
// The inputs of frame f drive state f to state f+1; state 0 is the initial one.
// Two counts, both exclusive, say how far the truth goes:
//
//   - confirmed: of the frames below it all inputs are here. Frame f may run
//     while f - confirmed is less than the window; only this limits prediction.
//   - agreed: of the frames below it every peer has all inputs. The agreed
//     stream, confirmed effects and the result never go beyond it.
//
// # Prediction and rollback
//
// An input that is not known is predicted: by the newest one that is known of an
// earlier frame, else as zero. Orders are predicted as none. Corrections that
// arrive between two ticks cause one rollback, from the earliest wrong frame, and
// all predictions are made again. The resimulation ends before the present only
// if no input changes any more and the state is exactly what it was.
//
// # Costs
//
// A tick allocates nothing, in any mode. (Exceptions: the sync test of an
// [OwnMemory], which describes every state, and orders of more than 256 bytes.)
// With a plain state a frame costs its step, one copy of the state, and some
// nanoseconds; going back costs nothing.
// Memory is Config.Snapshots states and two times Config.History rows of inputs.
//
// # Limitations
//
//   - At most [MaxPlayers] players, [MaxInputSize] bytes of input and
//     [MaxOrderBytes] bytes of orders.
//   - An engine is for one goroutine. Engines share nothing, but a game with a
//     process-wide global has one at a time.
//   - A step that panics leaves the engine in the middle of a frame: do not use it any
//     more.
package rollback
