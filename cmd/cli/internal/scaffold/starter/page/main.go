//go:build js

// Command page is the game in a browser: people meet in a room, and play. "go run ./pack" builds it.
package main

import (
	//starter:server
	"syscall/js"

	"github.com/tickback/tickback/online"

	//starter:end
	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/room"
)

func main() {
	screen := newScreen()
	//starter:server
	if online.RoomOf(js.Global().Get("location").Get("href").String()) == "" {
		screen.Say("Open the link that the server prints: go run . serve --room, with the address of this page.")
		return
	}
	//starter:end
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
		screen.draw(game.Picture())
	}
}
