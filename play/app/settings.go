package app

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// settingsScene is the settings screen, over another scene or after the title.
type settingsScene struct{ over bool }

// Name returns "settings", which is the mode in a [Status] unless the settings are over another scene.
func (s *settingsScene) Name() string { return "settings" }

// back returns the scene after the settings; nil if they are over another scene.
func (s *settingsScene) back(a *App) Scene {
	a.Save()
	if s.over {
		return nil
	}
	return newTitle(a)
}

// Picture applies changes at once, and saves them when the player goes back. The next scene is then nil if the
// settings are over another one.
func (s *settingsScene) Picture(p *Picture) Scene {
	c, a := p.C, p.App
	c.Shade(p.Full, draw.RGB(0x232B57), look.Ink)
	c.Text(draw.Point{X: 70, Y: 120}, 60, draw.Left, look.Paper, words.T("Settings"))
	rows := 7
	if p.Devices.Touch {
		rows = 6 // the last buttons are beside each other
	}
	row := p.Rows(draw.Box{X: 70, Y: 165, W: 720, H: 60}, rows, 14, 150, Height-14)
	set := &a.Settings
	set.Volume = p.UI.Slider(row(), words.T("Volume"), set.Volume, 0, 1, 0.05, func(v float64) string { return fmt.Sprintf("%.0f %%", v*100) })
	a.Mixer.SetVolume(set.Volume)
	set.Palette = p.UI.Choice(row(), words.T("Colours"), set.Palette, words.Each(look.Names())...)
	set.ReducedMotion = p.UI.Switch(row(), words.T("Reduced motion"), set.ReducedMotion)
	set.Delay = int(p.UI.Slider(row(), words.T("Input delay"), float64(set.Delay), 0, settings.MaxDelay, 1, frames))
	s.language(p, row())
	keys := row()
	keys.W = 340
	defaults := draw.Box{X: keys.X + 380, Y: keys.Y, W: 340, H: keys.H}
	back := draw.Box{X: keys.X + 760, Y: keys.Y, W: 340, H: keys.H}
	if !p.Devices.Touch {
		back = row()
	}
	if p.UI.Button(keys, words.T("Keys and buttons")) {
		return &remap{over: s.over, seat: -1}
	}
	if p.UI.Button(defaults, words.T("Defaults")) {
		*set = a.prefs.defaults
		a.prefs.speak(set.Language)
	}
	if p.UI.Button(back, words.T("Back")) || p.UI.Back() {
		return s.back(a)
	}
	l := a.Look()
	for i := range l.Palette.Players {
		at := draw.Point{X: 880 + float32(i%4)*88, Y: 250 + float32(i/4)*100}
		c.Circle(at, 34, look.Ink)
		c.Circle(at, 30, l.Player(i))
		c.Text(at.Plus(draw.Point{Y: 10}), 28, draw.Middle, look.Ink, fmt.Sprint(i+1))
	}
	for i, line := range Wrap(c, words.T("Input delay makes rollbacks rarer, and counts from the next round on."), 18, Width-826-30) {
		c.Text(draw.Point{X: 826, Y: 430 + float32(i)*26}, 18, draw.Left, look.Dim, line)
	}
	return s
}

// language shows the choice of the language.
func (s *settingsScene) language(p *Picture, box draw.Box) {
	set, chosen := &p.App.Settings, 0
	names := []string{words.T("as the system")}
	for i, l := range words.All() {
		names = append(names, l.String())
		if set.Language == l.Tag() {
			chosen = i + 1
		}
	}
	next := p.UI.Choice(box, words.T("Language"), chosen, names...)
	if next == chosen {
		return
	}
	if set.Language = ""; next > 0 {
		set.Language = words.All()[next-1].Tag()
	}
	p.App.prefs.speak(set.Language)
}

// remap is the screen on which keys are bound.
type remap struct {
	over         bool
	seat, action int // the binding that waits for a key; seat -1: none
	armed        bool
}

// Name returns "keys", which is the mode in a [Status] unless the settings are over another scene.
func (r *remap) Name() string { return "keys" }

// Picture shows the bindings of all players. The key that is pressed after one was selected is bound and saved at
// once; Esc keeps the old one.
func (r *remap) Picture(p *Picture) Scene {
	c, a := p.C, p.App
	c.Shade(p.Full, draw.RGB(0x232B57), look.Ink)
	c.Text(draw.Point{X: 70, Y: 100}, 52, draw.Left, look.Paper, words.T("Keys and buttons"))
	r.listen(p)
	const left, top, row, column = 300, 150, 60, 230
	for seat := range controls.Seats {
		c.Text(draw.Point{X: left + float32(seat)*column + 105, Y: top}, 22, draw.Middle, a.Look().Palette.Players[seat], words.F("Player %d", seat+1))
	}
	for i, action := range controls.Actions {
		y := float32(top + 16 + i*row)
		c.Text(draw.Point{X: 70, Y: y + 34}, 22, draw.Left, look.Paper, action.String())
		for seat := range controls.Seats {
			label := cmp.Or(strings.Join(a.prefs.keyNames(a.Settings.Keys[seat][i]), "  "), "-")
			if seat == r.seat && i == r.action {
				label = words.T("press a key")
			}
			p.UI.ID("key", seat*len(controls.Actions)+i)
			if p.UI.Button(draw.Box{X: left + float32(seat)*column, Y: y, W: 212, H: 50}, label) && r.seat < 0 {
				r.seat, r.action, r.armed = seat, i, false
			}
		}
	}
	note := words.T("Gamepads need no settings: the first one is player 1's, the second player 2's. Esc keeps a key.")
	for i, line := range Wrap(c, note, 19, Width-350) {
		c.Text(draw.Point{X: 330, Y: 660 + float32(i)*26}, 19, draw.Left, look.Dim, line)
	}
	if p.UI.Button(draw.Box{X: 70, Y: 625, W: 220, H: 56}, words.T("Back")) && r.seat < 0 || p.UI.Back() && r.seat < 0 && !r.armed {
		return &settingsScene{r.over}
	}
	return r
}

// listen waits for a key, starting with the next picture.
func (r *remap) listen(p *Picture) {
	if r.seat < 0 {
		r.armed = false
		return
	}
	if r.armed && len(p.Pressed) > 0 {
		if k := p.Pressed[0]; k != "Escape" && len(k) <= settings.MaxKey {
			p.App.Settings.Keys.Bind(r.seat, r.action, k)
			p.App.Save()
		}
		r.seat = -1
		return // still waiting in this picture, so that the key has no other effect
	}
	r.armed = true
}

// keyNames returns the keys of an action, with their labels.
func (p *prefs) keyNames(b controls.Binding) (names []string) {
	for _, k := range b {
		if k != "" {
			names = append(names, k.Label(p.keyName))
		}
	}
	return names
}

// frames formats a number of frames.
func frames(n float64) string {
	return words.N(int(n), "%d frame", "%d frames")
}
