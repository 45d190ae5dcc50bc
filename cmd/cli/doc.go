// Package cli is Tickback's command line as a library: a game's own binary gets
// every command by one call.
//
//	func main() { cli.Main(pong) }
//
// The tickback binary is that with the games of this repository. The example of
// the package is a whole game.
//
//   - [Main] runs the command line of a process and exits.
//   - [Run] is the same with streams and an exit code of the caller's, for tests.
//   - [Game] and [Match] are what a game gives.
//
// # Exit codes
//
// 0: all is well. 1: something failed, such as one of the files; each failure is
// one line on stderr and stops nothing else. 2: wrong usage; nothing was done.
//
// # Limits
//
// The recordings it knows are RPLK v1, so its games are those that such a
// recording can hold: two players with up to 16 buttons each, and a 32-bit seed.
// [Game] and [Match] will change when there are recordings of any game.
package cli
