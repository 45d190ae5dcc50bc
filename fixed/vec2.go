package fixed

// Vec2 is a point or a direction in the plane. Angles turn from the positive X
// axis towards the positive Y axis, called counter-clockwise here; with Y
// pointing down the screen, as in many 2D games, that looks clockwise.
//
// The zero value is the origin. Equal vectors compare equal with ==.
type Vec2 struct{ X, Y Num }

// Add returns v + w, each component saturated.
func (v Vec2) Add(w Vec2) Vec2 {
	return Vec2{v.X.Add(w.X), v.Y.Add(w.Y)}
}

// Sub returns v - w, each component saturated.
func (v Vec2) Sub(w Vec2) Vec2 {
	return Vec2{v.X.Sub(w.X), v.Y.Sub(w.Y)}
}

// Neg returns -v, each component saturated.
func (v Vec2) Neg() Vec2 {
	return Vec2{v.X.Neg(), v.Y.Neg()}
}

// Scale returns v * k, each component as by [Num.Mul].
func (v Vec2) Scale(k Num) Vec2 {
	return Vec2{v.X.Mul(k), v.Y.Mul(k)}
}

// Perp returns v turned counter-clockwise by a quarter turn: (-Y, X). It is exact, except
// that a Y of Min saturates.
func (v Vec2) Perp() Vec2 {
	return Vec2{v.Y.Neg(), v.X}
}

// Lerp returns v + (w-v)*t, each component as by the function [Lerp].
func (v Vec2) Lerp(w Vec2, t Num) Vec2 {
	return Vec2{Lerp(v.X, w.X, t), Lerp(v.Y, w.Y, t)}
}

// Dot returns v.X*w.X + v.Y*w.Y. The sum is exact, rounded once, to nearest with
// ties away from zero, and saturated.
func (v Vec2) Dot(w Vec2) Num {
	xx := mulWide(int64(v.X), int64(w.X))
	yy := mulWide(int64(v.Y), int64(w.Y))
	return xx.add(yy).narrow(FracBits)
}

// Cross returns v.X*w.Y - v.Y*w.X, the third component of the cross product,
// rounded and saturated as [Vec2.Dot]. It is positive if w lies counter-clockwise
// of v.
func (v Vec2) Cross(w Vec2) Num {
	xy := mulWide(int64(v.X), int64(w.Y))
	yx := mulWide(int64(v.Y), int64(w.X))
	return xy.add(yx.negIf(^uint64(0))).narrow(FracBits)
}

// Angle returns the angle of v in radians, [Atan2] of Y and X.
func (v Vec2) Angle() Num {
	return Atan2(v.Y, v.X)
}

// Rotate returns v turned counter-clockwise by angle radians. Sine and cosine
// enter with 62 fraction bits and each component is rounded once, to nearest
// with ties away from zero, and saturated: a component is within 0.51 ulp of the
// truth for vectors up to 2^32 long, and beyond within half an ulp and 2^-57 of
// the length.
func (v Vec2) Rotate(angle Num) Vec2 {
	sin, cos := sinCosQ62(angle)
	x, y := int64(v.X), int64(v.Y)
	return Vec2{
		X: mulWide(x, cos).add(mulWide(y, sin).negIf(^uint64(0))).narrow(62),
		Y: mulWide(x, sin).add(mulWide(y, cos)).narrow(62),
	}
}
