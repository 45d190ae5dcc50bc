package arena

import "github.com/tickback/tickback/fixed"

// Buttons is a mask of held buttons. The rules look at the three named bits; the
// others are ignored.
type Buttons uint8

// The buttons.
const (
	// Shoot charges a shot while it is held, and fires when it is let go.
	Shoot Buttons = 1 << iota
	// Dash starts a dash when it is pressed.
	Dash
	// Shield protects while it is held, as long as there is energy.
	Shield
)

// AllButtons has all buttons with a meaning.
const AllButtons = Shoot | Dash | Shield

// StickEnd is the end of a stick's range. A keyboard gives StickEnd and -StickEnd: two keys at
// once are no faster than one.
const StickEnd = 127

// Input is what one player holds during a frame.
type Input struct {
	// X and Y are the stick, -StickEnd to StickEnd: X to the right, Y down the
	// screen. A fighter faces where the stick was last pushed to.
	X, Y    int8
	Buttons Buttons
}

// stick returns the stick as a vector of at most length 1.
func (in Input) stick() fixed.Vec2 {
	x, y := int32(in.X), int32(in.Y)
	if x*x+y*y > StickEnd*StickEnd {
		return in.direction()
	}
	return fixed.Vec2{X: fixed.Num(x) * fixed.One / StickEnd, Y: fixed.Num(y) * fixed.One / StickEnd}
}

// direction returns where the stick points as a vector of length 1, or zero. It treats -128 as
// -127, since +128 does not exist.
func (in Input) direction() fixed.Vec2 {
	x, y := max(in.X, -StickEnd), max(in.Y, -StickEnd)
	return fixed.Vec2{X: fixed.FromInt(int64(x)), Y: fixed.FromInt(int64(y))}.Normalise()
}

// pushed reports whether the stick is off its centre.
func (in Input) pushed() bool { return in.X != 0 || in.Y != 0 }
