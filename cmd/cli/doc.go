// Package cli is Tickback's command line as a library: a game's own binary gets every command with one call.
//
//	func main() { cli.Main(cli.NewGame(pong)) }
//
// The tickback binary does this with the games of this repository. The package example is a complete game.
//
//   - [Main] runs the command line of a process and exits.
//   - [Run] does the same with given streams and returns the exit code, for tests.
//   - [Spec] describes a game, and [NewGame] makes a [Game] from it: the engine's
//     game and bots are enough for match and sim.
//   - [Classic] adds recordings of RPLK v1 and the classic protocol (RBN1).
//   - [Screen] adds play in a terminal.
//   - Spec.StandIns names bots that play for players who are away, as a part of the
//     game's rules.
//
// # Commands
//
//   - match plays with others over UDP, one player in each process. With --on-leave continue
//     it continues without a player who has left, and with --join it joins a running match.
//     Each game has a command of its own name that is short for it.
//   - spectate watches such a match. With --record both record it.
//   - sim plays alone, as fast as the machine can, from scripts or with bots, and can record
//     the match.
//   - replay verifies recordings, finds where two of them or two builds diverge, shows,
//     cuts, joins, converts and exports them; see docs/recordings.md.
//   - desync shows why the states of a match's players differed, and steps through the
//     frames before; match writes the report.
//   - play serves the page of the games to browsers, and the rooms in which players meet.
//   - build, test and run are those of the go command; with --strict, floats have the same bits on
//     every machine, in everything that is linked; see docs/floats.md. vet finds other causes
//     of divergence between machines.
//   - new makes a module with a small game, to begin with.
//   - soak plays thousands of matches on bad networks in virtual time, and checks them all:
//     between peers, or with --served those that a server owns.
//   - token makes a token that encrypts a match; version names the build; licenses prints the
//     licenses of everything in the binary.
//
// Each family of commands is a separate package in internal, and does not import other families. What several of them
// share (the terminal, files, words, the common parts of playing and watching a match) imports no family. This
// package composes them.
//
// # Exit codes
//
// 0: success. 1: something failed, such as one of the files, or a match that ended early; each failure is one line on
// stderr and does not stop the rest. An interrupt (Ctrl-C) is such a failure: work is ended in order, a match is left
// with a goodbye, and what is known is printed. 2: wrong usage; nothing was done.
//
// # Limits
//
//   - One player in a process.
//   - Recordings in RPLK v1 have two players with up to 16 buttons each, and a 32-bit
//     seed; only sim, replay convert and other programs make them.
//   - A terminal does not report key releases: a key counts as held for a moment after
//     its last repetition, and the first repetition of most terminals is late.
package cli
