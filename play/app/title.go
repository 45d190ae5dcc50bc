package app

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// modes returns the modes that need no network.
func modes() []Mode {
	return []Mode{
		{"versus-bot", words.K("Versus bot"), words.K("A duel, best of three"), func(a *App) Scene { return newDuel(a, 1) }},
		{"versus", words.K("Two at one keyboard"), words.K("A duel for two, side by side"), func(a *App) Scene { return newDuel(a, 2) }},
		{"arena", words.K("Arena"), words.K("A brawl for up to eight: people and bots"), func(a *App) Scene { return newArenaSetup(a) }},
		{"skirmish", words.K("Skirmish"), words.K("A strategy game against up to seven bots, with thousands of units"), newSkirmishSetup},
		{"lab", words.K("Netcode lab"), words.K("Two peers, one bad network between them: feel what rollback does"), func(a *App) Scene { return newLab(a) }},
		{"theatre", words.K("Replays"), words.K("Matches just played, or from a file: watch, scrub, verify"), newTheatre},
		{"settings", words.K("Settings"), words.K("Sound, colours, motion, keys"), func(a *App) Scene { return &settingsScene{} }},
	}
}

// title is the first screen: two bots fight behind the menu.
type title struct {
	game *duelScene
	time float32
}

func newTitle(a *App) *title {
	t := &title{game: makeDuel(a, 0)}
	t.game.stage.Silent = true
	t.game.begin(a)
	return t
}

// Name returns "title", which is the mode in a [Status].
func (t *title) Name() string { return "title" }

// Picture runs the duel of the bots, draws the menu over it, and opens the selected mode.
func (t *title) Picture(p *Picture) Scene {
	t.time += p.DT
	t.game.attract(p)
	c, a := p.C, p.App
	c.Rect(p.Full, look.Night.Alpha(0.45))
	upper, lower := look.Ink.Alpha(0.7), look.Ink.Alpha(0.9)
	edge := p.Full
	c.Poly([]draw.Point{{X: edge.X, Y: edge.Y}, {X: 700, Y: edge.Y}, {X: 620, Y: edge.Y + edge.H}, {X: edge.X, Y: edge.Y + edge.H}}, upper, upper, lower, lower)
	DrawLogo(c, draw.Point{X: 70, Y: 150}, t.time, a.Settings.ReducedMotion)
	c.Text(draw.Point{X: 76, Y: 192}, 22, draw.Left, look.Dim, words.T("rollback you can feel"))

	labels := len(a.modes)
	if a.canQuit {
		labels++
	}
	next := titleRows(p, labels)
	help := words.T("Arrows or mouse to choose, Enter to play")
	for _, m := range a.modes {
		if p.UI.Button(next(), words.T(m.Label)) {
			t.game.stage.Close()
			return m.Open(a)
		}
		if p.UI.Focused() {
			help = words.T(m.Help)
		}
	}
	if a.canQuit && p.UI.Button(next(), words.T("Quit")) {
		a.quit = true
	}
	c.Text(draw.Point{X: 74, Y: Height - 26}, 19, draw.Left, look.Paper.Alpha(0.85), help)
	keys := words.T("F1 figures   F2 picture only   Esc pause")
	if a.canQuit {
		keys += words.T("   F11 full screen")
	}
	if !p.Devices.Touch {
		c.Text(draw.Point{X: Width - 20, Y: Height - 18}, 15, draw.Right, look.Paper.Alpha(0.6), keys)
	}
	drawNote(p)
	return t
}

// titleRows returns the boxes of this many buttons: one below the other, or large enough for fingers, in two columns.
func titleRows(p *Picture, n int) (next func() draw.Box) {
	if !p.Devices.Touch {
		return p.Rows(draw.Box{X: 70, Y: 228, W: 380, H: min(62, 430/float32(n)-10)}, n, 10, 228, Height)
	}
	rows := (n + 1) / 2
	box := draw.Box{X: 70, Y: 228, W: 272, H: min(66, 440/float32(rows)-14)}
	column, i := p.Rows(box, rows, 14, 214, Height-50), 0
	return func() draw.Box {
		if i == rows {
			box.X += box.W + 16
			column = p.Rows(box, rows, 14, 214, Height-50)
		}
		i++
		return column()
	}
}

// drawNote shows the latest problem at the right, if there was one.
func drawNote(p *Picture) {
	if len(p.App.report.errors) == 0 {
		return
	}
	const size, width, most = 17, 420, 4
	lines := Wrap(p.C, p.App.report.errors[len(p.App.report.errors)-1], size, width)
	lines = lines[:min(len(lines), most)]
	box := draw.Box{X: Width - width - 44, Y: 20, W: width + 24, H: 16 + 22*float32(len(lines))}
	p.C.RoundRect(box, 10, look.Ink.Alpha(0.8))
	for i, l := range lines {
		p.C.Text(draw.Point{X: box.X + 12, Y: box.Y + 24 + 22*float32(i)}, size, draw.Left, look.Dim, l)
	}
}

// DrawLogo draws the name of the game, with ghosts of it behind.
func DrawLogo(c *draw.Canvas, at draw.Point, time float32, still bool) {
	const name = "TICKBACK"
	c.Push()
	defer c.Pop()
	c.Translate(at.X, at.Y)
	c.Skew(0.16)
	for i := 4; i > 0; i-- {
		back := float32(i) * 9
		if !still {
			back *= 1 + 0.35*look.Sin(time*1.7)
		}
		c.Text(draw.Point{X: -back}, 96, draw.Left, look.Palettes[0].Players[0].Alpha(0.07*float32(5-i)), name)
	}
	c.Text(draw.Point{X: 4, Y: 5}, 96, draw.Left, look.Ink, name)
	w := c.Text(draw.Point{}, 96, draw.Left, look.Paper, name)
	c.Rect(draw.Box{X: 0, Y: 14, W: w, H: 5}, look.Gold)
}

// failed is a screen that shows an error.
type failed struct{ text string }

// Name returns "failed", which is the mode in a [Status].
func (f *failed) Name() string { return "failed" }

// Picture shows the text, and a button that leads to the title.
func (f *failed) Picture(p *Picture) Scene {
	p.C.Shade(p.Full, look.Night, look.Ink)
	p.C.Text(draw.Point{X: Width / 2, Y: 240}, 44, draw.Middle, look.Red, words.T("That did not work"))
	for i, line := range Wrap(p.C, f.text, 24, 1000) {
		p.C.Text(draw.Point{X: Width / 2, Y: 310 + float32(i)*34}, 24, draw.Middle, look.Paper, line)
	}
	if p.UI.Button(draw.Box{X: Width/2 - 150, Y: 560, W: 300, H: 60}, words.T("To the title")) || p.UI.Back() {
		return newTitle(p.App)
	}
	return f
}

// Wrap breaks a text into lines of at most this width: between words, and inside a word that is wider.
func Wrap(c *draw.Canvas, text string, size, width float32) (lines []string) {
	line, word := "", ""
	flush := func() {
		if line != "" && c.TextWidth(size, line+" "+word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" && word != "" {
			line += " "
		}
		line, word = line+word, ""
	}
	for text != "" {
		var letter string
		letter, text = letters.Next(text)
		if letter == " " || letter == "\n" || letter == "\r\n" {
			flush()
			continue
		}
		if word != "" && c.TextWidth(size, word+letter) > width {
			flush()
			lines, line = append(lines, line), ""
		}
		word += letter
	}
	flush()
	return append(lines, line)
}
