package foyer

import (
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// Notices are texts that are shown for some seconds.
type Notices struct{ list []notice }

type notice struct {
	text      string
	age, last float32 // times in seconds
}

// maxNotices limits how many are shown at once; the oldest are removed.
const maxNotices = 4

// Add shows a text for this many seconds.
func (n *Notices) Add(text string, seconds float32) {
	for i := range n.list {
		if n.list[i].text == text {
			n.list[i].last = n.list[i].age + seconds
			return
		}
	}
	if len(n.list) == maxNotices {
		n.list = n.list[:copy(n.list, n.list[1:])]
	}
	n.list = append(n.list, notice{text: text, last: seconds})
}

// Refused shows why the server has refused something.
func (n *Notices) Refused(t Trouble) { n.Add(t.Title+": "+t.What, 4) }

// PlayOn shows why the room has ended during a match, which continues.
func (n *Notices) PlayOn(t Trouble) {
	n.Add(t.Title+". "+words.T("You can play this match to its end."), 8)
}

// Advance lets time pass.
func (n *Notices) Advance(dt float32) {
	left := n.list[:0]
	for _, e := range n.list {
		if e.age += dt; e.age < e.last {
			left = append(left, e)
		}
	}
	n.list = left
}

// Draw draws the notices below y, in the middle, after a permanent one, which may be "".
func (n *Notices) Draw(p *app.Picture, y float32, stays string) {
	row := func(text string, alpha float32, col draw.Color) {
		p.C.Mirror.Live(text)
		const size = 22
		lines := app.Wrap(p.C, text, size, 760)
		w := float32(0)
		for _, l := range lines {
			w = max(w, p.C.TextWidth(size, l))
		}
		box := draw.Box{X: app.Width/2 - w/2 - 18, Y: y, W: w + 36, H: 14 + 27*float32(len(lines))}
		p.C.RoundRect(box, 12, look.Ink.Alpha(0.8*alpha))
		for i, l := range lines {
			p.C.Text(draw.Point{X: app.Width / 2, Y: y + 27 + 27*float32(i)}, size, draw.Middle, col.Alpha(alpha), l)
		}
		y += box.H + 8
	}
	if stays != "" {
		row(stays, 1, look.Gold)
	}
	for _, e := range n.list {
		row(e.text, min(e.age*5+0.2, (e.last-e.age)*3, 1), look.Paper)
	}
}
