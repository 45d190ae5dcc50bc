package fixed

import (
	"math/big"
	"sync"
)

// The trigonometric oracle, in 320-bit floating point: enough for the largest
// angle (47 integer bits) with more than 200 bits to spare.
const oracleBits = 320

func newFloat() *big.Float { return new(big.Float).SetPrec(oracleBits) }

func floatOf(x float64) *big.Float { return newFloat().SetFloat64(x) }

// floatNum returns the exact value of n.
func floatNum(n Num) *big.Float {
	f := newFloat().SetInt64(int64(n))
	return f.SetMantExp(f, -FracBits)
}

// bigPi is Machin's 16 atan(1/5) - 4 atan(1/239).
var bigPi = sync.OnceValue(func() *big.Float {
	inv := func(k float64) *big.Float { return newFloat().Quo(floatOf(1), floatOf(k)) }
	a := newFloat().Mul(floatOf(16), taylorAtan(inv(5)))
	return a.Sub(a, newFloat().Mul(floatOf(4), taylorAtan(inv(239))))
})

// negligible reports whether term no longer counts.
func negligible(term *big.Float) bool {
	return term.Sign() == 0 || term.MantExp(nil) < -oracleBits
}

// taylorAtan is the plain series, for small x.
func taylorAtan(x *big.Float) *big.Float {
	sum, pow := newFloat(), newFloat().Set(x)
	square := newFloat().Mul(x, x)
	for k := 1; !negligible(pow); k += 2 {
		sum.Add(sum, newFloat().Quo(pow, floatOf(float64(k))))
		pow.Neg(pow.Mul(pow, square))
	}
	return sum
}

// bigAtan halves the angle until the series is short:
// atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))).
func bigAtan(x *big.Float) *big.Float {
	const halvings = 8
	for range halvings {
		root := newFloat().Mul(x, x)
		root.Sqrt(root.Add(root, floatOf(1)))
		x = newFloat().Quo(x, root.Add(root, floatOf(1)))
	}
	return newFloat().SetMantExp(taylorAtan(x), halvings)
}

// bigAtan2 returns the angle of (x, y), not both zero.
func bigAtan2(y, x Num) *big.Float {
	fy, fx := floatNum(y), floatNum(x)
	var a *big.Float
	if new(big.Float).Abs(fy).Cmp(new(big.Float).Abs(fx)) <= 0 {
		a = bigAtan(newFloat().Quo(fy, fx))
		if x < 0 && y < 0 {
			a.Sub(a, bigPi())
		} else if x < 0 {
			a.Add(a, bigPi())
		}
		return a
	}
	a = bigAtan(newFloat().Quo(fx, fy))
	quarter := newFloat().SetMantExp(bigPi(), -1)
	if y < 0 {
		quarter.Neg(quarter)
	}
	return a.Sub(quarter, a)
}

// bigSinCos reduces x by whole turns and sums both series.
func bigSinCos(x Num) (sin, cos *big.Float) {
	a, turn := floatNum(x), newFloat().SetMantExp(bigPi(), 1)
	whole, _ := newFloat().Quo(a, turn).Int(nil)
	a.Sub(a, turn.Mul(turn, newFloat().SetInt(whole)))
	sin, cos = newFloat(), newFloat()
	term := floatOf(1)
	for k := 1; !negligible(term); k++ {
		sum := cos
		if k%2 == 0 {
			sum = sin
		}
		if k%4 == 1 || k%4 == 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Quo(term.Mul(term, a), floatOf(float64(k)))
	}
	return sin, cos
}

func bigTan(x Num) *big.Float {
	sin, cos := bigSinCos(x)
	return sin.Quo(sin, cos)
}

// ulps returns the distance of got from the truth in ulps.
func ulps(got Num, truth *big.Float) float64 {
	d := newFloat().Sub(floatNum(got), truth)
	err, _ := d.SetMantExp(d.Abs(d), FracBits).Float64()
	return err
}

// nearestInt rounds a positive number.
func nearestInt(f *big.Float) int64 {
	i, _ := newFloat().Add(f, floatOf(0.5)).Int64()
	return i
}
