// Package cli is Tickback's command line as a library: a game's own binary gets
// every command by one call.
//
//	func main() { cli.Main(cli.NewGame(pong)) }
//
// The tickback binary is that with the games of this repository. The example of
// the package is a whole game.
//
//   - [Main] runs the command line of a process and exits.
//   - [Run] is the same with streams and an exit code of the caller's, for tests.
//   - [Spec] is what a game gives, and [NewGame] makes a [Game] of it: an engine's
//     game and bots are enough for match and sim.
//   - [Classic] adds recordings of RPLK v1 and the classic protocol (RBN1).
//   - [Screen] adds play in a terminal.
//   - Spec.StandIns names bots that play for players who are away, as a part of the
//     game's rules.
//
// # Commands
//
//   - match plays with others over UDP, one player in each process. With --on-leave continue
//     it goes on without a player that is gone, and with --join it joins a match that is
//     played. Each game has a command of its own name that is short for it.
//   - spectate watches such a match. With --record both record it.
//   - sim plays alone, as fast as the machine can, from scripts or with bots, and records
//     that.
//   - replay verifies recordings, finds where two of them or two builds part, shows,
//     cuts, joins, translates and exports them; docs/recordings.md tells more.
//   - desync shows why the states of a match's players differed, and steps through the
//     frames before; match writes the report.
//   - play serves the page of the games in a browser, and the rooms in which players meet.
//   - build, test and run are those of the go command; with --strict floats have the same bits on
//     every machine, in everything that is linked; docs/floats.md tells more. vet finds what else can
//     make machines diverge.
//   - new makes a module with a small game, to begin with.
//   - soak plays thousands of matches on bad networks in virtual time, and checks them all:
//     between peers, or with --served those that a server owns.
//   - token makes a token that encrypts a match; version names the build; licenses prints the
//     licenses of what it is built of.
//
// Each family of commands is a package of its own below internal, which knows no other: a part
// that several share (the terminal, files, words, what a match that is played and one that is
// watched have in common) knows no family. This package composes them.
//
// # Exit codes
//
// 0: all is well. 1: something failed, such as one of the files, or a match that
// did not come to its end; each failure is one line on stderr and stops nothing
// else. An interrupt (Ctrl-C) is such a failure: work is ended in order, a match is
// left with a goodbye, and what is known is printed. 2: wrong usage; nothing was
// done.
//
// # Limits
//
//   - One player in a process.
//   - Recordings in RPLK v1 have two players with up to 16 buttons each, and a 32-bit
//     seed; only sim and other programs make them.
//   - A terminal tells of no key releases: a key counts as held for a moment after
//     its last repetition, and the first repetition of most terminals is late.
package cli
