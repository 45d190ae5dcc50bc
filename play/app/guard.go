package app

import "github.com/tickback/tickback/play/ui"

// guard keeps the keys of a game from pressing the buttons that come when it ends: somebody who still
// fights would begin the next match, or change how well the bot plays. Menus get no input while a game is
// played, and after that not until everything has been let go for a moment. A menu that the player has
// opened is not kept waiting.
type guard struct {
	scene Scene   // in which the keys were for a game in the last picture; nil if they were for menus
	plays bool    // no menu is there in it
	on    bool    // everything has to be let go
	quiet float32 // for how many seconds nothing has been held
}

// quietFor is for how long nothing has to be held after a game, in seconds: whoever mashes keys lets go
// for less.
const quietFor = 0.35

// take returns what menus get of an input; held says that anything is held.
func (g *guard) take(in ui.Input, held bool, dt float32) ui.Input {
	if g.on {
		if g.quiet += dt; held {
			g.quiet = 0
		}
		g.on = g.quiet < quietFor
	}
	if !g.on && !g.plays {
		return in
	}
	return ui.Input{Pointer: in.Pointer, Finger: in.Finger}
}

// look notes whether the keys were for a game in a picture that is made, which next follows; asked says that
// the player has asked for a menu, or has lost the controls.
func (g *guard) look(p *Picture, s, next Scene, ownKeys bool) {
	before, asked := g.scene, p.Pause || p.Lost
	if g.scene, g.plays = nil, p.shown; p.shown || ownKeys {
		g.scene = s
	} else if before == s && next == s && !asked {
		g.on, g.quiet = true, 0
	}
}
