package drawtest

import (
	"fmt"
	"slices"

	"github.com/tickback/tickback/play/draw"
)

// Screen is the screen for which a picture was drawn.
type Screen struct {
	W, H    float32 // the size in pixels
	Density float32 // pixels per point
	Touch   bool    // widgets must be large enough for a finger
}

// Screens returns a window, a large one, a tablet and phones held sideways, each at these fractions of its
// resolution: a slow device draws fewer pixels for the same number of points.
func Screens(shares []float64) (list []Screen) {
	for _, s := range []Screen{
		{W: 1280, H: 720, Density: 1},
		{W: 2560, H: 1440, Density: 1},
		{W: 1024, H: 768, Density: 1, Touch: true},
		{W: 844, H: 390, Density: 1, Touch: true},
		{W: 667, H: 375, Density: 1, Touch: true},
		{W: 568, H: 320, Density: 1, Touch: true},
	} {
		for _, share := range shares {
			k := float32(share)
			list = append(list, Screen{s.W * k, s.H * k, s.Density * k, s.Touch})
		}
	}
	return list
}

// The limits that a picture is checked against, in points. Only the slack is in pixels.
const (
	LeastText   = 11
	LeastHeight = 375 // the minimum height of a phone: on a lower one, texts may be smaller in proportion, since otherwise there would be no room for them
	LeastTarget = 40  // the height of what a finger touches
	slack       = 1   // pixels: soft edges and rounding
)

// Crowded reports whether a finding is acceptable on a screen with a row for each of many people or choices: a phone
// lower than 390 points has no room for rows of 40 points there, and they may be as low as 28.
func (s Screen) Crowded(f *Finding) bool {
	return f.Rule == Tight && s.H < 390*s.Density && f.A.Box.H >= 28*s.Density
}

// leastText returns the minimum height of a font, in pixels.
func (s Screen) leastText() float32 {
	if s.Touch {
		return LeastText * min(s.Density, min(s.W, s.H)/LeastHeight)
	}
	return LeastText * s.Density
}

// Finding is a flaw of a layout.
type Finding struct {
	Rule string
	A, B draw.Mark // B is the other mark, if the rule is about two
}

// String returns a text that says what is wrong, and where.
func (f Finding) String() string {
	text := fmt.Sprintf("%s: %s", f.Rule, describe(f.A))
	if f.B.Box != (draw.Box{}) {
		text += " and " + describe(f.B)
	}
	return text
}

func describe(m draw.Mark) string {
	return fmt.Sprintf("%v %q at %.0f, %.0f to %.0f, %.0f", m.Kind, m.Text, m.Box.X, m.Box.Y, m.Box.X+m.Box.W, m.Box.Y+m.Box.H)
}

// The rules.
const (
	Outside  = "it is not all in the picture"
	Small    = "the text is too small"
	Cut      = "the text does not fit into its box"
	Overlap  = "they overlap"
	Covered  = "the text is covered"
	Tight    = "a finger cannot meet it"
	OwnFaint = "the own figure is covered"
)

// Check returns all flaws of a picture.
func Check(marks *draw.Marks, s Screen) (list []Finding) {
	seen := visible(marks.List, s)
	for i := range seen {
		a := &seen[i]
		list = append(list, alone(a, s)...)
		list = append(list, fits(seen[:i], a)...)
		for j := i + 1; j < len(seen); j++ {
			if rule := between(a, &seen[j]); rule != "" {
				list = append(list, Finding{rule, *a, seen[j]})
			}
		}
	}
	return list
}

// faint is the alpha below which something counts as not drawn. covering is the alpha above which something covers
// what is behind it: covering a part is a flaw, and what is behind something that covers the whole picture is not
// checked.
const faint, covering = 0.12, 0.3

// visible removes marks that cannot be seen: faint ones, and those behind a veil over the whole picture, such as a
// menu draws over a match.
func visible(all []draw.Mark, s Screen) (seen []draw.Mark) {
	for _, m := range all {
		veil := m.Kind == draw.MarkPlate && m.Alpha > covering && m.Box.W*m.Box.H > 0.2*s.W*s.H && spans(m, s)
		switch {
		case veil:
			seen = slices.DeleteFunc(seen, func(b draw.Mark) bool { return contains(m.Box, b.Box, slack) })
		case m.Alpha < faint && m.Kind != draw.MarkTarget:
		default:
			seen = append(seen, m)
		}
	}
	return seen
}

// spans reports whether a mark covers everything that can be drawn on.
func spans(m draw.Mark, s Screen) bool {
	whole := draw.Box{W: s.W, H: s.H}
	if p := m.Part; !p.Empty() {
		whole = part(m)
	}
	return contains(m.Box, whole, 2)
}

func part(m draw.Mark) draw.Box {
	p := m.Part
	return draw.Box{X: float32(p.Min.X), Y: float32(p.Min.Y), W: float32(p.Dx()), H: float32(p.Dy())}
}

// alone checks a mark independently of others.
func alone(m *draw.Mark, s Screen) (list []Finding) {
	if m.Kind == draw.MarkText && m.Size < s.leastText()-0.1 {
		list = append(list, Finding{Rule: Small, A: *m})
	}
	if m.Kind == draw.MarkTarget && s.Touch && m.Box.H < LeastTarget*s.Density-0.5 {
		list = append(list, Finding{Rule: Tight, A: *m})
	}
	if m.Kind == draw.MarkPlate || m.Kind == draw.MarkTarget || m.World && m.Kind != draw.MarkOwn {
		return list
	}
	whole := draw.Box{W: s.W, H: s.H}
	if !m.Part.Empty() {
		whole = meet(whole, part(*m))
	}
	if !contains(whole, m.Box, slack) {
		list = append(list, Finding{Rule: Outside, A: *m})
	}
	return list
}

// fits checks that a text lies within a box below it: the smallest one that contains the middle of the text.
func fits(below []draw.Mark, m *draw.Mark) []Finding {
	if m.Kind != draw.MarkText || m.World {
		return nil
	}
	var box *draw.Mark
	middle := m.Box.Centre()
	for i := range below {
		b := &below[i]
		if b.Kind != draw.MarkPlate && b.Kind != draw.MarkButton && b.Kind != draw.MarkTouch || b.World || b.Box.H < m.Size*0.8 || !b.Box.Has(middle) {
			continue
		}
		if box == nil || b.Box.W*b.Box.H <= box.Box.W*box.Box.H {
			box = b
		}
	}
	if box == nil || contains(box.Box, m.Box, slack) {
		return nil
	}
	return []Finding{{Cut, *m, *box}}
}

// between checks two marks. b was drawn later.
func between(a, b *draw.Mark) (rule string) {
	if a.World && b.World || !overlap(a.Box, b.Box) {
		return ""
	}
	own := func(m *draw.Mark) bool { return m.Kind == draw.MarkOwn }
	switch {
	case own(a) || own(b):
		other := b
		if own(b) {
			other = a
		}
		if other.Kind != draw.MarkTarget && !other.World && other.Alpha > covering {
			return OwnFaint
		}
	case a.World || b.World: // the world may be covered by figures and the score
	case a.Kind == draw.MarkText && b.Kind == draw.MarkPlate:
		if b.Alpha > covering {
			return Covered
		}
	case a.Kind == draw.MarkText && b.Kind == draw.MarkText:
		if !shadow(a, b) {
			return Overlap
		}
	case control(a) && control(b):
		return Overlap
	case a.Kind == draw.MarkText && control(b), a.Kind == draw.MarkTouch && b.Kind == draw.MarkText:
		if !contains(b.Box, a.Box, slack) && !contains(a.Box, b.Box, slack) {
			return Overlap
		}
	}
	return ""
}

func control(m *draw.Mark) bool { return m.Kind == draw.MarkButton || m.Kind == draw.MarkTouch }

// shadow reports whether one text is the shadow, or an echo, of another.
func shadow(a, b *draw.Mark) bool {
	d := a.Box.Centre().Minus(b.Box.Centre())
	return a.Text == b.Text && max(d.Y, -d.Y) < 0.2*a.Size && max(d.X, -d.X) < a.Size
}

func overlap(a, b draw.Box) bool {
	return a.X+slack < b.X+b.W-slack && b.X+slack < a.X+a.W-slack && a.Y+slack < b.Y+b.H-slack && b.Y+slack < a.Y+a.H-slack
}

func contains(outer, inner draw.Box, by float32) bool {
	return inner.X >= outer.X-by && inner.Y >= outer.Y-by && inner.X+inner.W <= outer.X+outer.W+by && inner.Y+inner.H <= outer.Y+outer.H+by
}

func meet(a, b draw.Box) draw.Box {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	return draw.Box{X: x, Y: y, W: min(a.X+a.W, b.X+b.W) - x, H: min(a.Y+a.H, b.Y+b.H) - y}
}
