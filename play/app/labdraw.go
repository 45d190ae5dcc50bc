package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/lab"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// draw draws both pictures with their figures, and the newest rollback or the graphs.
func (s *labScene) draw(p *Picture) {
	if s.large {
		p.C.Rect(p.Full, black)
	} else {
		p.C.Shade(p.Full, draw.RGB(0x1A1F3D), look.Ink)
	}
	for i := range s.panes {
		s.pane(p, i)
	}
	low := 426 - s.lift(p)
	switch {
	case s.large:
		s.timeline(p.C, draw.Box{X: 8, Y: 468, W: 1264, H: 118}, 24)
	case s.clock.paused || s.clock.slow > 0:
		s.timeline(p.C, draw.Box{X: 8, Y: low, W: 1264, H: 62}, 15)
	default:
		for i := range s.panes {
			x := 8 + float32(i)*636
			s.panes[i].monitor.DrawDepth(p.C, draw.Box{X: x, Y: low, W: 310, H: 58})
			s.panes[i].monitor.DrawLag(p.C, draw.Box{X: x + 318, Y: low, W: 310, H: 58})
		}
	}
}

// lift returns how much lower the pictures are on a small phone, where the controls are higher for fingers.
func (s *labScene) lift(p *Picture) float32 {
	if s.large || p.UIInput.Finger <= mostFinger-5 {
		return 0
	}
	return 30
}

// title returns a text that says what a picture shows.
func (s *labScene) title(p *Picture, i int) string {
	if s.setup.Compare {
		return [2]string{words.T("Rollback"), words.T("Lockstep, with the same inputs")}[i]
	}
	script := i == 1 && s.setup.Players != lab.Bot || s.setup.Players == lab.ScriptTwice
	switch {
	case i == 0 && s.plays() && !s.awake && !p.Devices.Touch:
		return words.F("Peer 1 - a bot plays here until you do: %s", p.keyCaps(duelHints))
	case i == 0 && s.plays() && !s.awake:
		return words.F("Peer %d - a bot plays here", 1)
	case i == 0 && s.plays():
		return words.T("Peer 1 - you play here")
	case script:
		return words.F("Peer %d - a script plays here", i+1)
	}
	return words.F("Peer %d - a bot plays here", i+1)
}

// pane draws a picture, and its figures.
func (s *labScene) pane(p *Picture, i int) {
	c, q := p.C, &s.panes[i]
	const wide, high = 628, 353
	lift := s.lift(p)
	box := draw.Box{X: 8 + float32(i)*636, Y: 40, W: wide, H: high - lift}
	box.W *= box.H / high
	box.X += (wide - box.W) / 2
	size := float32(20)
	if s.large {
		size = 30
	}
	c.Text(draw.Point{X: box.X + 6, Y: 30}, size, draw.Left, q.view.Look.Player(i), s.title(p, i))
	c.Clip(box)
	q.view.Draw(c, box)
	if !p.App.Bare() && !p.App.overlay { // otherwise the figures are in its place
		q.view.DrawHud(c, box, duelview.Score{Seconds: -1})
	}
	if p.App.overlay {
		c.Push()
		c.Translate(box.X, box.Y)
		c.Scale(0.9, 0.9)
		q.monitor.Draw(c, draw.Box{Y: -98})
		c.Pop()
	}
	c.Clip(p.Full)
	c.Frame(draw.Box{X: box.X - 2, Y: box.Y - 2, W: box.W + 4, H: box.H + 4}, 4, 2, q.view.Look.Player(i))
	n, stats := q.at().Counts(), q.at().Stats()
	if s.large {
		text := words.F("rollbacks %d   deepest %d   stalls %d", n.Rollbacks, n.Deepest, stats.Stalls)
		c.Text(draw.Point{X: box.X + 6, Y: 434}, 30, draw.Left, white, text)
		return
	}
	text := words.F("frame %d   rollbacks %d   deepest %d   stalls %d   again %d   ghosts %d",
		stats.Frame, n.Rollbacks, n.Deepest, stats.Stalls, n.Resimulated, n.Mispredicted)
	c.Text(draw.Point{X: box.X + 6, Y: 416 - lift}, 16, draw.Left, look.Paper, whole(c, text, 16, box.W-10))
}

// whole removes figures from the end of a line until it fits.
func whole(c *draw.Canvas, figures string, size, width float32) string {
	for c.TextWidth(size, figures) > width {
		i := strings.LastIndex(figures, "   ")
		if i < 0 {
			return fit(c, figures, size, width)
		}
		figures = figures[:i]
	}
	return figures
}

// smaller returns the size in which all texts are at most this wide: the given one, or a smaller one.
func smaller(c *draw.Canvas, size, width float32, texts ...string) float32 {
	for _, text := range texts {
		if w := c.TextWidth(size, text); w > width {
			size *= width / w
		}
	}
	return size
}

// timeline draws the newest rollback of the first peer: its frames to scale, and its five parts in words.
func (s *labScene) timeline(c *draw.Canvas, b draw.Box, size float32) {
	c.RoundRect(b, 8, black.Alpha(0.7))
	r, ok := s.panes[0].at().Rollback()
	if !ok {
		text := words.T("No rollback yet. A rollback of the left peer is drawn here: predicted, arrived, restored, simulated again, drawn.")
		c.Text(draw.Point{X: b.X + 14, Y: b.Centre().Y + size*0.35}, size, draw.Left, look.Paper, fit(c, text, size, b.W-28))
		return
	}
	bar := draw.Box{X: b.X + 10, Y: b.Y + 6, W: b.W - 20, H: b.H * 0.24}
	s.frames(c, bar, &r)
	parts, width := rollbackParts(&r), b.W/5-10
	for _, part := range parts {
		size = smaller(c, size, width, part[:]...)
	}
	for i, part := range parts {
		x := b.X + 14 + float32(i)*b.W/5
		c.Text(draw.Point{X: x, Y: b.Y + b.H*0.58}, size*0.9, draw.Left, rollbackColours[i], part[0])
		c.Text(draw.Point{X: x, Y: b.Y + b.H*0.88}, size, draw.Left, white, fit(c, part[1], size, width))
	}
}

// rollbackColours are the colours of the parts of a rollback.
var rollbackColours = [5]draw.Color{look.Gold, look.Red.Mix(look.Paper, 0.35), look.Paper, look.Green, white}

// rollbackParts describes what happened in a rollback.
func rollbackParts(r *lab.Rollback) [5][2]string {
	drawn := words.T("soon")
	switch {
	case r.Drawn == 0:
	case r.Drawn == r.Arrived:
		drawn = words.F("frame %d, at once", r.Front)
	default:
		drawn = words.F("frame %d, %s later", r.Front, inFrames(r.Drawn-r.Arrived))
	}
	return [5][2]string{
		{words.T("1 PREDICTED"), words.F("frame %d at %.3f s", r.From, r.Predicted.Seconds())},
		{words.T("2 ARRIVED"), words.F("%s later", inFrames(r.Arrived-r.Predicted))},
		{words.T("3 RESTORED"), words.F("the state before %d", r.From)},
		{words.T("4 SIMULATED AGAIN"), words.F("%d to %d: %s", r.From, r.Front-1, words.N(r.Resimulated, "%d frame", "%d frames"))},
		{words.T("5 DRAWN"), drawn},
	}
}

// inFrames returns a time in milliseconds and in frames.
func inFrames(d time.Duration) string {
	return words.F("%.0f ms = %.1f fr", d.Seconds()*1000, d.Seconds()*duel.TicksPerSecond)
}

// frames draws the frames of a rollback as blocks: the predicted frames, and the same frames resimulated.
func (s *labScene) frames(c *draw.Canvas, b draw.Box, r *lab.Rollback) {
	n := 2*r.Depth() + 1
	w := min(b.W/float32(n), 90)
	block := func(i int, col draw.Color, frame uint32) {
		at := draw.Box{X: b.X + float32(i)*w, Y: b.Y, W: w - 3, H: b.H}
		c.RoundRect(at, 3, col)
		size, least := b.H*0.85, c.Least*c.Pixel() // a number that would be larger than its block is omitted
		if size > least*0.8 && c.TextWidth(size, fmt.Sprint(frame)) < w-6 {
			c.Text(draw.Point{X: at.Centre().X, Y: b.Y + b.H*0.82}, size, draw.Middle, black, fmt.Sprint(frame))
		}
	}
	for i := range r.Depth() {
		f := uint32(r.From) + uint32(i)
		block(i, rollbackColours[0], f)
		again := rollbackColours[3]
		if i >= r.Resimulated {
			again = again.Alpha(0.35) // this state was known
		}
		block(i+r.Depth(), again, f)
	}
	block(2*r.Depth(), rollbackColours[4], uint32(r.Front))
	c.Rect(draw.Box{X: b.X + float32(r.Depth())*w - 3, Y: b.Y - 5, W: 3, H: b.H + 10}, rollbackColours[1])
}

// Colours with the highest contrast, for projectors.
var black, white = draw.RGB(0x000000), draw.RGB(0xFFFFFF)
