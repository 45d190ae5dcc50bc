package app

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// pause is the menu over a paused game.
type pause struct{ on bool }

// choice is what was chosen in a pause.
type choice uint8

const (
	nothing choice = iota
	restart
	leave
)

// local is a game on this machine only, which a pause stops.
type local interface {
	Scene
	advance(p *Picture) error
	draw(p *Picture)
	begin(a *App)
	close()
}

// resigner is a game that can be resigned.
type resigner interface{ resign() }

// run continues a game, or shows the menu over it. If goes is true, the game continues and draws the rest of its
// picture; otherwise next is the scene of the next picture.
func (q *pause) run(p *Picture, s local) (next Scene, goes bool) {
	q.toggle(p)
	if !q.on {
		if err := s.advance(p); err != nil {
			return p.App.Fail(err), false
		}
		s.draw(p)
		return nil, true
	}
	s.draw(p)
	resigner, _ := s.(resigner)
	switch q.picture(p, resigner) {
	case restart:
		s.begin(p.App)
	case leave:
		s.close()
		return newTitle(p.App), false
	}
	return s, false
}

// picture draws the menu, and returns what was chosen.
func (q *pause) picture(p *Picture, resigner resigner) choice {
	p.C.Mirror.Cover()
	c := p.C
	c.Rect(p.Full, look.Night.Alpha(0.7))
	c.Text(draw.Point{X: Width / 2, Y: 190}, 64, draw.Middle, look.Paper, words.T("Paused"))
	next := p.Rows(draw.Box{X: Width/2 - 170, Y: 240, W: 340, H: 62}, 5, 14, 210, Height-20)
	switch {
	case p.UI.Button(next(), words.T("Resume")):
		q.on = false
	case p.UI.Button(next(), words.T("Begin again")):
		q.on = false
		return restart
	case resigner != nil && p.UI.Button(next(), words.T("Give up")):
		q.on = false
		resigner.resign()
	case p.UI.Button(next(), words.T("Settings")):
		p.App.OpenSettings()
	case p.UI.Button(next(), words.T("To the title")):
		return leave
	}
	return nothing
}

// toggle opens and closes the menu. The menu also opens when the player loses the controls.
func (q *pause) toggle(p *Picture) {
	switch {
	case p.Pause:
		q.on = !q.on
		p.UI.FocusNext()
	case p.Lost && !q.on:
		q.on = true
		p.UI.FocusNext()
	}
}
