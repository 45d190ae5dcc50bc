package foyer

import (
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
)

// The second press of a button must not be part of a double click, and must come soon after the first. Both limits
// are in seconds.
const (
	sureAfter  = 0.4
	sureBefore = 5
)

// Twice is a set of buttons that have to be pressed twice, such as those that send players away.
type Twice struct {
	time  float32
	on    int     // 1 + the number of the button that was pressed once; 0: none
	asked float32 // when that was
	sure  float32 // when one was last pressed twice
}

// Advance lets time pass, in seconds.
func (t *Twice) Advance(dt float32) { t.time += dt }

// Forget forgets the first press.
func (t *Twice) Forget() { t.on = 0 }

// Button draws a button, which says something else after the first press. n distinguishes it from the others. It
// reports whether it was pressed twice.
func (t *Twice) Button(p *app.Picture, box draw.Box, n int, label, again string) bool {
	waited := t.time - t.asked
	once := t.on == n+1 && waited < sureBefore
	if once {
		label = again
	}
	p.UI.ID("kick", n)
	switch {
	case !p.UI.Button(box, label):
	case !once:
		t.on, t.asked = n+1, t.time
	case waited > sureAfter:
		t.on, t.sure = 0, t.time
		return true
	}
	return false
}

// Rests reports whether no button was pressed twice just now: another one in its place may be pressed.
func (t *Twice) Rests() bool { return t.time > t.sure+2*sureAfter }
