package app

import (
	"time"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/play/words"
)

// slice is how much time of a picture the theatre may use.
const slice = 8 * time.Millisecond

// opening opens a file while pictures are drawn.
type opening struct {
	name  string
	task  *theatre.Opening
	time  float32
	names [recordings.MaxPlayers]string // the names of the players, from the list
}

func newOpening(name string, b []byte) *opening {
	return &opening{name: name, task: theatre.Open(name, b)}
}

// Name returns "opening", which is the mode in a [Status].
func (o *opening) Name() string { return "opening" }

func (o *opening) leaves() { o.task.Cancel() }

// Picture opens the file, one slice in each picture, and says so only if that takes longer than 0.3 seconds. It then
// returns the player, or the list with the reason why the file cannot be played.
func (o *opening) Picture(p *Picture) Scene {
	o.time += p.DT
	p.C.Shade(p.Full, draw.RGB(0x232B57), look.Ink)
	if o.time > 0.3 { // opening quickly needs no message
		p.C.Text(draw.Point{X: Width / 2, Y: 330}, 34, draw.Middle, look.Paper, words.F("Opening %s", o.name))
		p.C.Arc(draw.Point{X: Width / 2, Y: 400}, 22, 5, o.time*5, o.time*5+4, look.Gold)
		if p.UI.Button(draw.Box{X: Width/2 - 110, Y: 470, W: 220, H: 56}, words.T("Cancel")) || p.UI.Back() {
			o.task.Cancel()
			return newTheatre(p.App)
		}
	}
	if !o.task.Work(slice) {
		return o
	}
	f, err := o.task.File()
	if err != nil {
		return newTheatreAfter(p.App, err)
	}
	for i, name := range o.names {
		if name != "" {
			f.Info.Names[i] = name
		}
	}
	return newPlayer(p.App, f)
}
