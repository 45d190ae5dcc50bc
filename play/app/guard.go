package app

import "github.com/tickback/tickback/play/ui"

// guard prevents the keys of a game from pressing the buttons that appear when it ends: a player who is still
// fighting would begin the next match, or change how well the bot plays. Menus get no input while a game is played,
// and after that not until all keys have been released for a moment. A menu that the player has opened is not
// delayed.
type guard struct {
	scene Scene   // the one in which the keys belonged to a game in the last picture; nil if they belonged to menus
	plays bool    // it shows no menu
	on    bool    // everything must be released first
	quiet float32 // for how many seconds nothing has been held
}

// quietFor is how many seconds nothing must be held after a game: a player who presses keys rapidly releases them for
// a shorter time.
const quietFor = 0.35

// take returns the input that menus get; held says whether anything is held.
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

// look records whether the keys belonged to a game in this picture. next is the scene of the next picture; a menu
// that opens because the player pressed pause, or lost the controls, is not delayed.
func (g *guard) look(p *Picture, s, next Scene, ownKeys bool) {
	before, asked := g.scene, p.Pause || p.Lost
	if g.scene, g.plays = nil, p.shown; p.shown || ownKeys {
		g.scene = s
	} else if before == s && next == s && !asked {
		g.on, g.quiet = true, 0
	}
}
