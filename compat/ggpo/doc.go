// Package ggpo lets games that were written for a port of GGPO to Go play with Tickback: change the import, and delete
// the work-arounds. docs/ggpo.md is the guide, with a table of calls.
//
// # Make a session
//
//   - Of players on several machines, or on one: [NewPeer]. Watching them: [NewSpectator]. A test for determinism:
//     [NewSyncTest].
//   - Who plays where: AddPlayer, with [NewLocalPlayer], [NewRemotePlayer] and [NewSpectatorPlayer].
//   - Over UDP, or over any transport of Tickback: InitializeConnection.
//   - What else can be set: [Options], by SetOptions.
//
// # Play
//
//   - What the game implements: [Session], and perhaps [Describer].
//   - What its loop calls: [Backend].
//   - What it is told: [Event], [NetworkStats]. How long to wait for the next frame: [Peer.Period].
//   - What can be wrong: [Error].
//
// # How it works
//
// Below is an ordinary match of package tickback, whose game has memory of its own: what the callbacks save, load and
// simulate. The match runs in a coroutine, for the time of one call of the game, and stops wherever it needs a callback.
// So all callbacks are on the goroutine and the thread of the caller, and a panic in one of them arrives there. No
// goroutine runs between calls.
//
// A frame begins with the last AddLocalInput of the local players. The match then takes what has arrived, goes back and
// simulates again if a prediction was wrong, saves the state, and stops in the new frame. SyncInput has its inputs, and
// AdvanceFrame lets the match go on: it sends what there is to send.
//
// The match begins with the state that the game is in when its first frame begins, which must be the same at all
// machines. It goes on without those who leave, as [tickback.Continue] says.
package ggpo
