package draw

import (
	"image"
	"strings"
)

// MarkKind is the kind of a [Mark].
type MarkKind uint8

// The kinds of marks.
const (
	MarkText   MarkKind = iota // a line of text
	MarkPlate                  // a filled rectangle, with round corners or without
	MarkButton                 // a widget, as it is drawn
	MarkTarget                 // where a finger can touch a widget
	MarkTouch                  // a control of a touch screen
	MarkOwn                    // the figure of the player on this machine
)

var markNames = [...]string{"text", "plate", "button", "target", "touch control", "own figure"}

// String returns the name of the kind, as a test prints it.
func (k MarkKind) String() string { return markNames[k] }

// Mark is the position of something that was drawn, in pixels, for tests of layouts.
type Mark struct {
	Kind MarkKind
	Box  Box
	// Part is the part of the target that could be drawn on; an empty one means all.
	Part image.Rectangle
	// Text is the text, or the name of a control.
	Text string
	// Size is the height of the font in pixels, for a text.
	Size float32
	// Alpha is how much it covers, from 0 to 1.
	Alpha float32
	// World says that it belongs to the world of a game, in which things come and go, and cover each other.
	World bool
}

// Marks collects marks, in the order of drawing. See [Canvas.Marks].
type Marks struct{ List []Mark }

// Mark adds the position of something that cannot be derived from its shapes. It draws nothing.
func (c *Canvas) Mark(kind MarkKind, b Box, name string) {
	if c.Marks != nil {
		c.mark(Mark{Kind: kind, Box: b, Text: name, Alpha: 1})
	}
}

// mark adds a mark whose box is in units.
func (c *Canvas) mark(m Mark) {
	m.Box = c.now.t.bounds(m.Box)
	m.Alpha *= c.now.alpha
	m.Part, m.World = c.last().Part, c.now.world
	c.Marks.List = append(c.Marks.List, m)
}

// The part of a line of text above and below its baseline that letters fill, in heights of the font.
const (
	textAbove = 0.74
	textBelow = 0.2
	// the only letters and signs that reach below the baseline
	descend = "gjpqyQ,;()[]{}/|_@"
)

// leastHeard is the minimum alpha of a text that is passed to the mirror: ghosts and shadows are not.
const leastHeard = 0.35

// Share returns the position of a box, in thousandths of the screen: left, top, width and height. The screen is that
// of [Canvas.Screen].
func (c *Canvas) Share(b Box) (share [4]int) {
	b = c.now.t.bounds(b)
	for i, v := range [4]float32{b.X / c.Screen.X, b.Y / c.Screen.Y, b.W / c.Screen.X, b.H / c.Screen.Y} {
		if c.Screen.X > 0 && c.Screen.Y > 0 {
			share[i] = int(min(max(v, 0), 1) * 1000)
		}
	}
	return share
}

// markText adds a mark for a line of text that begins at a point of its baseline.
func (c *Canvas) markText(at Point, size, width float32, col Color, text string) {
	if c.Mirror != nil && !c.now.world && col.A*c.now.alpha > leastHeard {
		c.Mirror.Text(text, size)
	}
	if c.Marks == nil || text == "" {
		return
	}
	below := float32(0.02)
	if strings.ContainsAny(text, descend) {
		below = textBelow
	}
	c.mark(Mark{
		Kind: MarkText, Text: text, Size: size * c.now.t.size(), Alpha: col.A,
		Box: Box{at.X, at.Y - textAbove*size, width, (textAbove + below) * size},
	})
}

// markPlate adds a mark for a filled rectangle.
func (c *Canvas) markPlate(b Box, col Color) {
	if c.Marks != nil {
		c.mark(Mark{Kind: MarkPlate, Box: b, Alpha: col.A * (1 - col.Add)})
	}
}
