// Command tickback plays, records and verifies matches of the games that come
// with Tickback. "tickback --help" tells more.
package main

import "github.com/tickback/tickback/cmd/cli"

func main() { cli.Main(games()...) }

// games are all that come with Tickback, the usual one first.
func games() []cli.Game {
	return []cli.Game{duelGame(), roundGame(), arenaGame(), tanksGame(), skirmishGame()}
}
