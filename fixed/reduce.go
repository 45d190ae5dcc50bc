package fixed

import "math/bits"

// octant is an angle folded into the eighth of a turn next to the nearest
// multiple of a quarter turn.
type octant struct {
	// x is the angle between that multiple and the original one, in radians in
	// Q62, from 0 to pi/4.
	x uint64
	// swap is 1 if sine and cosine change places, else 0.
	swap uint64
	// sinNeg and cosNeg are all ones where the result is negative, else zero.
	sinNeg, cosNeg uint64
}

// turnsPerRaw is 2^128 / (2 pi * 2^16) rounded to nearest: what one raw step, an
// angle of 2^-16 radians, is worth in units of 2^-128 turns.
const (
	turnsPerRaw   = (1<<(128-FracBits-1+piBits) + pi128/2) / pi128
	turnsPerRawHi = turnsPerRaw >> 64
	turnsPerRawLo = turnsPerRaw & (1<<64 - 1)
)

// quarterTurn is pi/2 in Q63, rounded to nearest.
const quarterTurn = (pi128 + 1<<(piBits-63)) >> (piBits - 63 + 1)

// reduce folds an angle of mag * 2^-16 radians, mag at most 2^63. The product
// with turnsPerRaw is off by at most half a unit per raw step, 2^62 units of
// 2^-128 turns in all, so that dropping the whole turns, the bits above 2^128,
// leaves the top 64 bits of the fraction right to one or two units for every
// angle, however large.
func reduce(mag uint64) octant {
	t, _ := bits.Mul64(mag, turnsPerRawLo)
	t += mag * turnsPerRawHi

	// Odd eighths are measured back from their far end, so dist is the position
	// in the eighth or 2^61 less that.
	eighth := t >> 61
	back := -(eighth & 1)
	dist := (t & (1<<61 - 1)) ^ back - back + (1<<61)&back
	x, _ := bits.Mul64(dist<<1, quarterTurn)
	return octant{
		x:      x,
		swap:   (eighth + 1) >> 1 & 1,    // eighths 1, 2, 5 and 6
		sinNeg: -(eighth >> 2),           // eighths 4 to 7
		cosNeg: -((eighth + 2) >> 2 & 1), // eighths 2 to 5
	}
}
