package ui

import (
	"cmp"
	"math"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/words"
)

// Called sets the name of the next button in the mirror, for a button whose label is a picture.
func (u *UI) Called(name string) { u.called = name }

// Button draws a button. It returns true when it is pressed.
func (u *UI) Button(b draw.Box, label string) bool {
	s := u.widget(b, label, false)
	defer u.told(u.tell(mirror.Item{Kind: mirror.Button, Label: cmp.Or(u.called, label)}, s))
	u.called = ""
	u.plate(b, s, true)
	col := u.Theme.Text
	if s.focused {
		col = u.Theme.OnAccent
	}
	size := min(b.H*0.42, 30)
	if w := u.c.TextWidth(size, label); w > b.W-16 {
		size *= (b.W - 16) / w
	}
	u.c.Text(draw.Point{X: b.X + b.W/2, Y: b.Y + b.H/2 + size*0.35}, size, draw.Middle, col, label)
	return s.pressed
}

// plate draws the background of a widget.
func (u *UI) plate(b draw.Box, s state, fill bool) {
	if s.held {
		b = b.Inset(2)
	}
	u.c.RoundRect(draw.Box{X: b.X, Y: b.Y + 3, W: b.W, H: b.H}, 10, draw.Color{A: 0.3})
	u.c.RoundRect(b, 10, u.Theme.Panel)
	if !s.focused {
		return
	}
	if fill {
		u.c.RoundRect(b, 10, u.Theme.Accent)
	}
	pulse := 0.6 + 0.4*float32(math.Sin(float64(u.time)*5))
	u.c.Frame(b.Inset(-3), 13, 2, u.Theme.Accent.Alpha(pulse))
}

// row draws a widget with a label at the left and a value at the right, and returns the part in between.
func (u *UI) row(b draw.Box, s state, label, value string) draw.Box {
	u.plate(b, s, false)
	size := min(b.H*0.4, 24)
	y := b.Y + b.H/2 + size*0.35
	left := 28 + u.c.Text(draw.Point{X: b.X + 16, Y: y}, size, draw.Left, u.Theme.Text, label)
	right := 28 + u.c.Text(draw.Point{X: b.X + b.W - 16, Y: y}, size, draw.Right, u.Theme.Accent, value)
	left, right = max(left, b.W*0.42), max(right, b.W*0.22)
	return draw.Box{X: b.X + left, Y: b.Y, W: max(b.W-left-right, 24), H: b.H}
}

// Slider draws a slider for a value between two limits, in steps. It returns the new value.
func (u *UI) Slider(b draw.Box, label string, value, least, most, step float64, text func(float64) string) float64 {
	s := u.widget(b, label, true)
	defer u.told(u.tell(mirror.Item{Kind: mirror.Slider, Label: label, Value: text(value), Now: value, Least: least, Most: most, Step: step}, s))
	track := u.row(b, s, label, text(value)).Inset(4)
	before := value
	if s.held && u.in.Down {
		share := float64((u.in.Pointer.X - track.X) / track.W)
		value = least + math.Round((most-least)*share/step)*step
	}
	if to, ok := s.set(); ok {
		value = least + math.Round((to-least)/step)*step
	} else if s.focused && s.before && !s.held {
		if u.in.Left {
			value -= step
		}
		if u.in.Right || u.in.Accept {
			value += step
		}
		if u.in.Accept && value > most+step/2 {
			value = least
		}
	}
	value = min(max(value, least), most)
	if value != before {
		u.Chosen = true
	}
	u.track(track, float32((value-least)/(most-least)), s)
	return value
}

// track draws a slider's position.
func (u *UI) track(b draw.Box, share float32, s state) {
	line := draw.Box{X: b.X, Y: b.Y + b.H/2 - 3, W: b.W, H: 6}
	u.c.RoundRect(line, 3, u.Theme.Faint.Alpha(0.4))
	if share > 0 {
		u.c.RoundRect(draw.Box{X: line.X, Y: line.Y, W: max(line.W*share, 6), H: 6}, 3, u.Theme.Accent)
	}
	r := float32(9)
	if s.focused {
		r = 11
	}
	at := draw.Point{X: b.X + b.W*share, Y: b.Y + b.H/2}
	u.c.Circle(at, r, u.Theme.Text)
	u.c.Circle(at, r-4, u.Theme.Accent)
}

// Switch draws a switch. It returns the new state.
func (u *UI) Switch(b draw.Box, label string, on bool) bool {
	s := u.widget(b, label, false)
	item := mirror.Item{Kind: mirror.Switch, Label: label}
	if on {
		item.Now = 1
	}
	defer u.told(u.tell(item, s))
	value := words.T("off")
	if on {
		value = words.T("on")
	}
	u.row(b, s, label, value)
	knob := draw.Box{X: b.X + b.W*0.72, Y: b.Y + b.H/2 - 10, W: 40, H: 20}
	fill, x := u.Theme.Faint.Alpha(0.4), knob.X+10
	if on {
		fill, x = u.Theme.Accent, knob.X+30
	}
	u.c.RoundRect(knob, 10, fill)
	u.c.Circle(draw.Point{X: x, Y: knob.Y + 10}, 8, u.Theme.Text)
	return on != s.pressed
}

// Choice draws a choice of one of several values. It returns the index of the selected one.
func (u *UI) Choice(b draw.Box, label string, chosen int, of ...string) int {
	s := u.widget(b, label, true)
	defer u.told(u.tell(mirror.Item{Kind: mirror.Choice, Label: label, Now: float64(chosen), Of: of}, s))
	u.row(b, s, label, "< "+of[chosen]+" >")
	if to, ok := s.set(); ok {
		return int(min(max(to, 0), float64(len(of)-1)))
	}
	step := 0
	if s.pressed || s.focused && s.before && u.in.Right {
		step = 1
	} else if s.focused && s.before && u.in.Left {
		step = len(of) - 1
	}
	return (chosen + step) % len(of)
}
