//go:build js

// Command page is the game in a browser: people meet in a room, and play from machine to
// machine. "go run ./pack" builds it.
package main

import "github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/room"

func main() {
	screen := newScreen()
	game, err := room.Open("", screen)
	if err != nil {
		screen.Say(err.Error())
		return
	}
	update := game.Background(game.Update) // which also calls it while the page is hidden
	for {
		screen.wait()
		if err := update(); err != nil {
			screen.Say(err.Error())
			return
		}
		screen.draw(game.View())
	}
}
