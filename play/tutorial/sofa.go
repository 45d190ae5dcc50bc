//go:build sofa && (js || desktop)

package main

import (
	"log"

	"github.com/tickback/tickback"

	"github.com/tickback/tickback/play/tutorial/game"
)

func main() {
	o := options(func(p tickback.Player) game.Input { return []keys{arrows, wasd}[p].held() })
	o.Reserved = tickback.SetOf(2, 3) // nobody has these seats
	match, err := tickback.Local(game.Rules, o)
	if err != nil {
		log.Fatal(err)
	}
	show(&view{match: match})
}
