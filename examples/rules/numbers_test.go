package rules

import (
	"math"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

// WRONG: of perpendicular vectors this should be 0, and is if both products are rounded. Where
// one of them is fused with the sum, it is more or less than 0, depending on which.
func floatWrong(s *World, _ *rollback.Tick[Input]) {
	ax, ay := float64(s.Aim[0])/10, float64(s.Aim[1])/10
	bx, by := float64(s.Way[0])/10, float64(s.Way[1])/10
	switch ahead := ax*bx + ay*by; {
	case ahead > 0:
		s.Turn = 1
	case ahead < 0:
		s.Turn = -1
	default:
		s.Turn = 0
	}
}

// RIGHT: integers, or package fixed.
func floatRight(s *World, _ *rollback.Tick[Input]) {
	aim := fixed.Vec2{X: fixed.FromRatio(int64(s.Aim[0]), 10), Y: fixed.FromRatio(int64(s.Aim[1]), 10)}
	way := fixed.Vec2{X: fixed.FromRatio(int64(s.Way[0]), 10), Y: fixed.FromRatio(int64(s.Way[1]), 10)}
	s.Turn = int32(aim.Dot(way).Sign())
}

// WRONG: math.Sin is assembly on some processors, and Go that may be fused on others.
func functionWrong(s *World, t *rollback.Tick[Input]) {
	s.X[1] = int32(100 * math.Sin(float64(t.Frame())/60))
}

// RIGHT: fixed has sine and cosine, roots and arc tangents.
func functionRight(s *World, t *rollback.Tick[Input]) {
	angle := fixed.FromRatio(int64(t.Frame()), 60)
	s.X[1] = int32(fixed.Sin(angle).Mul(fixed.FromInt(100)).Int())
}

// WRONG: 2,550 is no uint8, and then the language leaves the result to the machine.
func convertWrong(s *World, _ *rollback.Tick[Input]) {
	impact := float32(s.Damage) * 255
	s.Choice = uint8(impact)
}

// RIGHT: a conversion of integers has one result, and min says which one is wanted.
func convertRight(s *World, _ *rollback.Tick[Input]) {
	s.Choice = uint8(min(s.Damage*255, 255))
}

// Slopes is how often each slope was met.
type Slopes struct {
	Float map[float64]int32
	Fixed map[fixed.Num]int32
	X, Y  int32
}

// WRONG: 0/0 is NaN, which equals nothing. Each one is a new entry that no lookup finds.
func nanWrong(s *Slopes, _ *rollback.Tick[Input]) {
	s.Float[float64(s.Y)/float64(s.X)]++
}

// RIGHT: each fixed.Num equals itself, and 0/0 is 0.
func nanRight(s *Slopes, _ *rollback.Tick[Input]) {
	s.Fixed[fixed.FromInt(int64(s.Y)).Div(fixed.FromInt(int64(s.X)))]++
}

// WRONG: with an int of 32 bits the product wraps.
func widthWrong(s *World, _ *rollback.Tick[Input]) {
	width, height := int(s.Damage)*10_000, int(s.Damage)*10_000
	s.Area = int64(width * height)
}

// RIGHT: an int64 has 64 bits everywhere.
func widthRight(s *World, _ *rollback.Tick[Input]) {
	width, height := int64(s.Damage)*10_000, int64(s.Damage)*10_000
	s.Area = width * height
}
