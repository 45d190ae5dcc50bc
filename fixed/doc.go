// Package fixed is fixed-point arithmetic for simulations that must give the
// same bits on every machine: lockstep, rollback and replays.
//
// Floating point does not promise that: a compiler may fuse a multiplication with an
// addition, and package math has assembly of its own on some processors. A [Num] is an
// int64 with 16 fraction bits, and every operation here is integer arithmetic with a rule
// for every input. Operations saturate at the ends of the range and never wrap, and only
// [MustParse] panics.
//
// # Outline
//
//   - Make numbers: constants from [One] and the other landmarks, [FromInt],
//     [FromRatio], [Parse] and [MustParse].
//   - Calculate: [Num.Add], [Num.Sub], [Num.Mul], [Num.Div], [Num.Mod],
//     [Num.Neg], [Num.Abs], [Num.Sign], [Sqrt].
//   - Compare and limit: the operators ==, < and so on, the built-in functions
//     min and max, [Num.Clamp].
//   - Make whole: [Num.Floor], [Num.Ceil], [Num.Round], [Num.Int].
//   - Move from one value to another: [Lerp].
//   - Turn: [Sin], [Cos], [SinCos], [Tan], [Atan2], angles in radians.
//   - Work in the plane: [Vec2], with [Vec2.Dot], [Vec2.Cross], [Vec2.Length],
//     [Vec2.Distance], [Vec2.Normalise], [Vec2.Rotate] and others.
//   - Print and store: [Num.String], [Num.AppendText], [Num.MarshalText] and
//     [Num.MarshalJSON] write the exact decimal value, which reads back as the
//     same Num.
//   - Draw: [Num.FloatForDrawing] and [Vec2.FloatsForDrawing] are the only way to
//     a float, and there is no way back.
//
// # Rounding
//
// One ulp is [Epsilon], 1/65536. Where the exact result is not a Num:
//
//	Add, Sub, Neg, Abs         always exact
//	Mod                        always exact; truncated, with the sign of the dividend
//	Mul, Div, FromRatio, Lerp  to nearest, ties away from zero
//	Dot, Cross, squares        to nearest, ties away from zero, after the exact sum
//	Rotate                     to nearest, ties away from zero, after a sum that is
//	                           exact but for sine and cosine, known to 2^-58
//	Parse, Round               to nearest, ties away from zero
//	Floor, Int                 down
//	Ceil                       up
//	Sqrt, Length, Distance     down
//	Sin, Cos, Tan, Atan2       to nearest, from at least 54 right fraction bits
//	Normalise                  to nearest, within 0.5003 ulp of the truth
//
// Rounding to nearest looks at the magnitude alone, so that a mirrored position
// gives a mirrored result: no side of the playing field has an advantage.
//
// The largest error over a full turn, in ulp, found by a test that tries every raw
// angle (for Atan2: the point at that angle on a circle of radius 1) and measures
// the worst again in 320-bit arithmetic:
//
//	Sin    0.4999965
//	Cos    0.4999994
//	Tan    0.4999986
//	Atan2  0.4999947
//
// An error below half an ulp means that each of these results is the nearest Num
// there is. Angles beyond a full turn, up to the ends of the range, do not lose
// accuracy; only [Tan] next to a pole does.
//
// # Limitations
//
//   - The native + and - wrap around, and the native * and / of two Nums are
//     wrong by a factor of 65536. The compiler cannot tell. See [Num].
//   - The range ends at 140 trillion, but squares reach it soon: LengthSquared
//     saturates for vectors longer than 11.8 million. Length does not.
//   - Small numbers have few digits. Multiply before dividing, and keep rates per
//     tick above a few hundred ulp, or their rounding shows.
//   - Saturated results are not errors: check the range where it matters.
//   - The circle constants are rounded. A heading wrapped by Mod [TwoPi] drifts by
//     a sixth of an ulp per turn; one that is left to grow does not, as any angle
//     will do. For exact quarter turns use [Vec2.Perp].
package fixed
