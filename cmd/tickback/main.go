// Command tickback plays, records and verifies matches of the games that come with Tickback. See "tickback --help".
package main

import "github.com/tickback/tickback/cmd/cli"

func main() { cli.Main(games()...) }

// games returns the games that come with Tickback, the default first.
func games() []cli.Game {
	return []cli.Game{duelGame(), roundGame(), arenaGame(), tanksGame(), skirmishGame()}
}
