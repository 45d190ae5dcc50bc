package tanks

import "github.com/tickback/tickback/fixed"

// Drive moves a tank by an input for a number of milliseconds: first it turns, then it drives in its new
// direction, then it is moved out of walls. A tank that is not alive, and a time of 0 or less, change
// nothing.
//
// It is the only function that moves a tank by an input: [Step] calls it with [TickMs], and a client with the
// parts of its moves (see [Motion]). Two calls of 25 ms are not equal to one of 50: a motion that has to end
// in the same place has to be divided in the same way.
//
// The angle is Turn * TurnRate * ms / (StickEnd * 1000), and the distance Throttle * Speed * ms / (StickEnd *
// 1000). Each is rounded once, to the nearest 1/65536, halves away from zero; and so are the sine and the
// cosine, and each component of the product. The angle of full turn for 50 ms is 6554/65536, so that 10 of
// them are a little more than a radian; the distance at full throttle is 6 exactly.
func Drive(t *Tank, in Input, ms int64) {
	if t.Stance != Alive || ms <= 0 {
		return
	}
	t.Held = in
	t.Heading = wrap(t.Heading.Add(part(in.Turn, TurnRate, ms)))
	if in.Throttle != 0 {
		t.Pos = keepOut(t.Pos.Add(t.Ahead().Scale(part(in.Throttle, Speed, ms))))
	}
}

// Ahead returns the direction in which the tank looks and shoots, a vector of length 1.
func (t *Tank) Ahead() fixed.Vec2 {
	sin, cos := fixed.SinCos(t.Heading)
	return fixed.Vec2{X: cos, Y: sin}
}

// wrap brings an angle into the range from 0 to TwoPi.
func wrap(angle fixed.Num) fixed.Num {
	if angle = angle.Mod(fixed.TwoPi); angle < 0 {
		angle += fixed.TwoPi
	}
	return angle
}
