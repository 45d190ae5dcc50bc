//starter:server

package main

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

// A field of the terminal, in characters, which are twice as high as wide.
const columns, lines = 64, 18

// view draws a state in a terminal.
func view(s *rules.State, players int) []string {
	var field [lines][]byte
	for y := range field {
		field[y] = []byte(strings.Repeat(" ", columns))
	}
	put := func(at rules.Point, what byte) {
		x, y := int(at.X)*columns/rules.Width, int(at.Y)*lines/rules.Height
		field[min(max(y, 0), lines-1)][min(max(x, 0), columns-1)] = what
	}
	for _, coin := range s.AppendCoins(nil) {
		put(coin, '.')
	}
	scores := ""
	for p, player := range s.All() {
		if p < players {
			put(player.At, byte('1'+p))
			scores += fmt.Sprintf("%d: %d coins, %d won   ", p+1, player.Coins, player.Won)
		}
	}
	picture := []string{scores, "+" + strings.Repeat("-", columns) + "+"}
	for _, line := range field {
		picture = append(picture, "|"+string(line)+"|")
	}
	return append(picture, picture[1])
}

// keys makes an input of the keys that are held in a terminal.
func keys(held func(key string) bool) rules.Input {
	return rules.Input{
		Left: held("left") || held("a"), Right: held("right") || held("d"),
		Up: held("up") || held("w"), Down: held("down") || held("s"),
	}
}

//starter:end
