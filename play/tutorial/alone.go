//go:build alone && (js || desktop)

package main

import (
	"log"

	"github.com/tickback/tickback"

	"github.com/tickback/tickback/play/tutorial/game"
)

func main() {
	o := options(func(tickback.Player) game.Input { return arrows.held() })
	o.Reserved = tickback.SetOf(1, 2, 3) // nobody has these seats
	match, err := tickback.Local(game.Rules, o)
	if err != nil {
		log.Fatal(err)
	}
	show(&view{match: match})
}
