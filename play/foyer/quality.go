package foyer

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// Quality shows the quality of the network, at the lower right, or beside the stick of a touch screen. The zero value
// is ready to use.
type Quality struct {
	stalls uint64    // the last known number
	at     time.Time // when it last changed
}

// Draw draws bars according to the ping, in red while frames wait. Without links it draws nothing.
func (q *Quality) Draw(p *app.Picture, s tickback.Stats) {
	ping, ok := Ping(s.Links)
	if !ok {
		return // a spectator has no ping, and neither has a peer that has left
	}
	good := 4
	for _, limit := range []time.Duration{60 * time.Millisecond, 120 * time.Millisecond, 220 * time.Millisecond} {
		if ping > limit {
			good--
		}
	}
	col := []draw.Color{look.Red, look.Red, look.Gold, look.Green, look.Green}[good]
	if s.Stalls > q.stalls {
		q.stalls, q.at = s.Stalls, time.Now()
	} else if s.Stalls < q.stalls {
		q.stalls = s.Stalls
	}
	text := words.F("%d ms", ping.Milliseconds())
	if time.Since(q.at) < time.Second && s.Stalls > 0 {
		col, text = look.Red, words.F("%s  stalls", text)
	}
	const y = 690
	width := 76 + p.C.TextWidth(16, text)
	x := float32(app.Width - 66)
	if free := p.Free(); free.X+free.W < app.Width { // a touch control is there
		x = free.X + width - 46
	}
	p.C.RoundRect(draw.Box{X: x + 54 - width, Y: y - 20, W: width, H: 42}, 10, look.Ink.Alpha(0.6))
	p.C.Text(draw.Point{X: x - 12, Y: y + 7}, 16, draw.Right, look.Paper, text)
	for i := range 4 {
		h := float32(8 + 7*i)
		c := look.Dim.Alpha(0.4)
		if i < good {
			c = col
		}
		p.C.RoundRect(draw.Box{X: x + float32(i)*11, Y: y + 15 - h, W: 8, H: h}, 2, c)
	}
}

// Ping returns the longest round trip to a peer that takes part now; ok is false if there is none. A peer that has
// been silent for longer than its round trip, and than is normal, counts with that time: its last ping is out of date.
func Ping(links []tickback.LinkStats) (ping time.Duration, ok bool) {
	const usual = 300 * time.Millisecond // shorter silence is normal
	for i := range links {
		l := &links[i]
		if !l.Connected {
			continue
		}
		ping, ok = max(ping, l.RoundTrip), true
		if l.Quiet > usual {
			ping = max(ping, l.Quiet)
		}
	}
	return ping, ok
}
