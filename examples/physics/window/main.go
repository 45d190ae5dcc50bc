//go:build desktop

package main

import (
	"fmt"
	"log"
	"os"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/examples/physics/room"
	"github.com/tickback/tickback/examples/physics/rules"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: window ADDRESS, of a page or of a room, such as http://localhost:8080/")
	}
	w := &window{}
	game, err := room.Open(os.Args[1], w)
	if err != nil {
		log.Fatal(err)
	}
	defer game.Close()
	w.game = game
	fmt.Println("send this to the others:", game.Link())
	ebiten.SetWindowSize(rules.Width, rules.Height)
	ebiten.SetWindowTitle("physics")
	ebiten.SetRunnableOnUnfocused(true)
	if err := ebiten.RunGame(w); err != nil {
		log.Print(err)
	}
}
