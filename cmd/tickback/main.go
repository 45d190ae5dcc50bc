// Command tickback plays, records and verifies matches of the games that come
// with Tickback. "tickback --help" tells more.
package main

import "github.com/tickback/tickback/cmd/cli"

func main() { cli.Main(duelGame(), arenaGame()) }
