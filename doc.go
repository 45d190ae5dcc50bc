// Package tickback is rollback netcode and deterministic simulation for games.
//
// A game is one state and one step function: the inputs of frame f lead from state f to state
// f+1, and nothing else may influence it. A game of that form can be replayed, compared,
// predicted, rolled back and proved equal on any machine.
//
//   - Play on one machine: [Local]. On two to sixteen: [P2P], with [Mesh] for who is where. Join a running match:
//     [Join].
//   - Play in a match that a server owns: [Serve] and [Connect].
//   - Watch a match: [Spectate]. Play a recording: [Replay]. Simulate every frame twice: [SyncTest].
//   - Drive any of these: [Match.Update] in a loop, or [Match.Advance], once a frame; see [Session].
//   - What to draw: [Match.View]. What to play: [Match.Effects]. What happened: [Match.Events]. How it ended:
//     [Match.Outcome].
//   - Set it up: [Options], [ServerOptions], [ClientOptions], [SpectatorOptions], [ReplayOptions]. State 0 from a
//     seed: [Seeded].
//   - Record: [Options.Record], [Match.Record]. Explain why states differ: [Match.DesyncReport]. Figures:
//     [Match.Stats].
//
// docs/sessions.md is the guide, with loops for several kinds of engines.
//
// A match of [P2P] ends when a player leaves, or goes on: see Options.OnLeave. If it goes on,
// others can [Join] it with a [Token], it can be paused ([Match.Pause]), and [Match.Log] says
// who came and went.
//
// The other packages:
//
//   - [github.com/tickback/tickback/rollback]: the engine, which predicts, goes back and
//     simulates again; effects that play once
//   - [github.com/tickback/tickback/session]: the protocol of a match, without a socket and
//     a clock
//   - [github.com/tickback/tickback/transport/udp]: datagrams over UDP
//   - [github.com/tickback/tickback/replay]: play, verify and compare recordings;
//     [github.com/tickback/tickback/replay/tbr]: their format
//   - [github.com/tickback/tickback/predict]: prediction for games with a server that decides
//   - [github.com/tickback/tickback/fixed]: fixed-point numbers, trigonometry and vectors,
//     the same bits everywhere
//   - [github.com/tickback/tickback/rng]: random generators that live inside the state
//   - [github.com/tickback/tickback/canon]: check, hash, encode, compare and print a state
//   - [github.com/tickback/tickback/tickbacktest]: determinism tests for a game's own go test
//   - [github.com/tickback/tickback/netem] and [github.com/tickback/tickback/fleet]: bad
//     networks, and whole matches over them, in virtual time
//   - [github.com/tickback/tickback/trace]: timelines of a match, frame by frame
//   - [github.com/tickback/tickback/games/duel]: the reference game, frozen by known
//     checksums; [github.com/tickback/tickback/games/arena]: a brawl for two to eight
//   - [github.com/tickback/tickback/classic]: formats that others have fixed
//
// The command line that replays and verifies recordings is
// github.com/tickback/tickback/cmd/tickback.
//
// # The rules of a step
//
// A step, and everything that it calls, uses no floating point (Go may fuse x*y + z into one
// rounding, and does so on some architectures only), no clock, no goroutine, no range over a
// map, and no random source except one that is part of the state.
package tickback
