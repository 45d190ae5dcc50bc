package ui

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
	"github.com/tickback/tickback/play/mirror"
)

// Field draws a text field of at most most letters. It returns the text, and whether it was touched or accepted; a
// machine without a keyboard may then ask for the text in another way.
func (u *UI) Field(b draw.Box, label, text string, most int) (now string, asked bool) {
	s := u.widget(b, label, false)
	if s.act != nil && s.act.Do == mirror.Type {
		text = typed("", Input{Text: []rune(s.act.Text)}, most)
	}
	defer u.told(u.tell(mirror.Item{Kind: mirror.Field, Label: label, Value: text, Most: float64(most)}, s))
	u.plate(b, s, false)
	size := min(b.H*0.4, 24)
	y := b.Y + b.H/2 + size*0.35
	u.c.Text(draw.Point{X: b.X + 16, Y: y}, size, draw.Left, u.Theme.Text, label)
	if s.focused {
		u.Typing = true
		text = typed(text, u.in, most)
	}
	x := b.X + b.W*0.42
	line := draw.Box{X: x - 10, Y: b.Y + 9, W: b.X + b.W - x - 2, H: b.H - 18}
	u.c.RoundRect(line, 6, u.Theme.OnAccent.Alpha(0.6))
	w := u.c.Text(draw.Point{X: x, Y: y}, size, draw.Left, u.Theme.Accent, text)
	if s.focused && u.time-float32(int(u.time)) < 0.6 {
		u.c.Rect(draw.Box{X: x + w + 3, Y: b.Y + b.H*0.27, W: 2, H: b.H * 0.46}, u.Theme.Accent)
	}
	return text, s.pressed
}

// typed applies input to a text of at most most letters.
func typed(text string, in Input, most int) string {
	if in.Erase {
		text = letters.WithoutLast(text)
	}
	for _, r := range in.Text {
		if r < ' ' {
			continue
		}
		longer := text + string(r)
		if len(longer) > most*letterBytes || letters.Count(longer) > most {
			break
		}
		text = longer
	}
	return text
}

// letterBytes is the maximum average number of bytes per letter: those of a family emoji.
const letterBytes = 32
