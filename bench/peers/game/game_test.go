package game_test

import (
	"testing"

	"github.com/tickback/tickback/bench/peers/game"
)

// Rule: the states are what they have always been. The programs in Rust are compared with these before each measuring.
func TestTheStatesOfTheGames(t *testing.T) {
	for _, c := range []struct {
		name string
		hash func() (uint64, error)
		want uint64
	}{
		{"tiny, 2 players", func() (uint64, error) { return game.Hash(game.NewTiny(), 2, 3000) }, 0xb1b332f4a3e22cca},
		{"tiny, 16 players", func() (uint64, error) { return game.Hash(game.NewTiny(), 16, 3000) }, 0x221a5e2ab1da0233},
		{"the duel", func() (uint64, error) { return game.Hash(game.NewDuel(), 2, 3000) }, 0x1c9f39e871d00416},
		{"64 KiB", func() (uint64, error) { return game.Hash(game.NewKib64(), 2, 300) }, 0xec9c3427721af065},
		{"1 MiB", func() (uint64, error) { return game.Hash(game.NewMib1(), 2, 100) }, 0x69d35ba4f3a5989e},
		{"16 MiB", func() (uint64, error) { return game.Hash(game.NewMib16(), 2, 20) }, 0xc8a28b925ce0216c},
	} {
		if got, err := c.hash(); err != nil || got != c.want {
			t.Errorf("%s: %016x, want %016x, %v", c.name, got, c.want, err)
		}
	}
}
