package portable

import (
	"fmt"
	"math"
	"testing"
)

// A quantity describes a float in a quick phase: its maximum absolute value, and its maximum error. Sums and products of
// quantities bound those of floats, with the rounding that the language prescribes: half a unit in the last place. All
// bounds are computed slightly too large.
type quantity struct{ most, off float64 }

// half returns the maximum rounding error of numbers up to this one: half a unit in the last place of the largest float
// below it.
func half(most float64) float64 {
	f, e := math.Frexp(most)
	switch f {
	case 0:
		return 0
	case 0.5:
		e--
	}
	return math.Ldexp(1, max(e-54, -1074))
}

// product returns x*y, or slightly more if that is rounded.
func product(x, y float64) float64 {
	p := x * y
	if math.FMA(x, y, -p) != 0 {
		p *= outward
	}
	return p
}

// sum returns x+y, or slightly more if that is rounded.
func sum(x, y float64) float64 {
	s, rest := fullSum(x, y)
	if rest != 0 {
		s *= outward
	}
	return s
}

const outward = 1 + 0x1p-40

func exactly(most float64) quantity { return quantity{most, 0} }

// constant is a constant in the source, rounded.
func constant(c float64) quantity { return quantity{math.Abs(c), half(math.Abs(c))} }

// plus bounds a sum, rounded after each term.
func plus(q quantity, more ...quantity) quantity {
	for _, m := range more {
		q.most = sum(q.most, m.most)
		q.off = (q.off + m.off + half(q.most)) * outward
	}
	return q
}

// times bounds a product, rounded after each factor.
func times(q quantity, more ...quantity) quantity {
	for _, m := range more {
		most := product(q.most, m.most)
		q.off = (q.off*m.most + m.off*q.most + q.off*m.off + half(most)) * outward
		q.most = most
	}
	return q
}

// polynomial bounds Horner's scheme: c[0] + x(c[1] + x(...)).
func polynomial(x quantity, c ...float64) quantity {
	sum := constant(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		term := times(x, sum)
		c := constant(c[i])
		sum = plus(c, term)
	}
	return sum
}

// lower bounds the rest that upperHalf leaves.
func lower(q quantity) quantity { return quantity{q.most * 0x1p-25, q.off} }

// tail returns the maximum distance of the true value from hi + lo, as a bound for settled: that function adds and subtracts the
// bound, with rounding.
func tail(lo quantity, besides float64) float64 {
	return (lo.off + besides + 2*half(2*lo.most)) * outward
}

func holds(t *testing.T, what string, off, bound float64) {
	t.Helper()
	t.Logf("%-28s off by 2^%.2f, bound 2^%.2f", what, math.Log2(off), math.Log2(bound))
	if !(off <= bound) {
		t.Errorf("%s is off by up to 2^%.3f, which is more than 2^%.3f", what, math.Log2(off), math.Log2(bound))
	}
}

// expOff bounds the error of expPair, if r is less than R, and rest is within its bound.
func expOff(R, rest float64) (lo quantity, besides float64) {
	r := exactly(R)
	return pairOff(R, rest, plus(exactly(rest), times(times(r, r), polynomial(r, 1./2, 1./6, 1./24, 1./120, 1./720))))
}

// evenOddOff is like expOff, where the series is the sum of evenOdd.
func evenOddOff(R, rest float64) (lo quantity, besides float64) {
	r := exactly(R)
	square := times(r, r)
	odd := plus(exactly(rest), times(times(r, square), polynomial(square, 1./6, 1./120)))
	return pairOff(R, rest, plus(times(square, polynomial(square, 1./2, 1./24, 1./720)), odd))
}

// pairOff bounds the error of expPair, for a given series.
func pairOff(R, rest float64, t quantity) (lo quantity, besides float64) {
	r := exactly(R)
	p0, p1 := exactly(2), quantity{0x1p-25, 0x1p-79}
	lo = plus(exactly(0x1p-53), plus(p1, plus(times(p0, plus(lower(r), t)), times(p1, plus(r, t)))))
	// The omitted terms: the rest of the series, and rest times e^r - 1.
	return lo, 2 * (math.Pow(R, 7)/5040*1.01 + rest*R*1.01 + rest*rest)
}

// biggestPart is more than ln 2/256, including the rounding error of x/(ln 2/128), up to 2^17.
const biggestPart = 0x1.62e43p-9

// Rule: the documented bounds for the quick phases of Exp, Exp2, Expm1, Sinh, Cosh and Tanh hold.
func TestProofExp(t *testing.T) {
	lo, besides := expOff(biggestPart, 0x1p-61)
	pair := tail(lo, besides)
	// expPart: n*stepLow is below 2^-23, and rounded; so are the rest of a-b, and the sum with more. The error of the two floats
	// is 2^-94 times n.
	part := 3*half(0x1p-23) + 0x1p-94*0x1p17
	holds(t, "Exp", pair+2*part, expSure)

	// Exp2: the rest is two products and their sum.
	left := exactly(0x1p-8)
	rest := plus(times(lower(left), constant(math.Ln2)), times(left, quantity{ln2Lower, half(ln2Lower)}))
	lo, besides = expOff(0x1.63p-9, 0x1p-61)
	holds(t, "Exp2", tail(lo, besides)+2*(rest.off+half(0x1p-61)), expSure)

	// Expm1, Sinh, Cosh: a sum of two pairs, whose floats are added without loss; of 2^k times that.
	holds(t, "Expm1", tail(plus(exactly(0x1p-52), lo), besides+2*part), 1.25*expSure)
	lo, besides = evenOddOff(biggestPart, 0x1p-61)
	both := plus(exactly(0x1p-52), plus(lo, lo)) // the smaller one is at most as large
	holds(t, "Sinh, Cosh", tail(both, 2*besides+4*part), 2.25*expSure)

	lo, besides = expOff(biggestPart, 0x1p-61)
	// Tanh: 2/(E+1)^2 is at most half of 1/E, and n and d are rounded once more; the error of quotient is small as well.
	holds(t, "Tanh", tail(lo, besides+2*part)/2+4*half(lo.most)/2+quotientSure, 0.65*expSure+0x1p-72)

	// The series below 1/32, as shares of x: the tail's bound covers its own rounding.
	for x := small; x > 0x1p-60; x /= 2 {
		q := exactly(x)
		cube, square := times(q, times(q, q)), times(q, q)
		series := times(cube, polynomial(q, 1./6, 1./24, 1./120, 1./720, 1./5040, 1./40320, 1./362880))
		rest := times(lower(q), plus(q, q))
		rest = quantity{rest.most / 2, rest.off / 2}
		least := x * x * x / 6 * 0.97
		holds(t, fmt.Sprint("Expm1 to ", x), tail(plus(exactly(half(x)), plus(series, rest)), math.Pow(x, 10)/3628800*1.1),
			tailSure*least+0x1p-75*x/2)
		lo := times(times(q, square), polynomial(square, 1./6, 1./120, 1./5040, 1./362880))
		holds(t, fmt.Sprint("Sinh to ", x), tail(lo, math.Pow(x, 11)/39916800*1.1), tailSure*least)
		lo = times(times(q, square), polynomial(square, 1./3, 2./15, 17./315, 62./2835, 1382./155925))
		holds(t, fmt.Sprint("Tanh to ", x), tail(lo, math.Pow(x, 13)/100), tailSure*least*2)
		lo = times(times(q, square), polynomial(square, 1./6, 3./40, 15./336, 105./3456, 945./42240, 10395./599040))
		holds(t, fmt.Sprint("Asinh to ", x), tail(lo, math.Pow(x, 15)/50), tailSure*least)
		lo = times(times(q, square), polynomial(square, 1./3, 1./5, 1./7, 1./9, 1./11, 1./13))
		holds(t, fmt.Sprint("Atanh to ", x), tail(lo, math.Pow(x, 15)/14), tailSure*least*2)
	}
}

// logOff bounds the error of logSum, for a z up to a bound, in addition to the errors of its arguments.
func logOff(z float64, zrest, first, low quantity) (lo quantity, besides float64) {
	q := exactly(z)
	halfRest := times(lower(q), plus(q, q))
	rest := plus(times(q, zrest), quantity{halfRest.most / 2, halfRest.off / 2})
	tail := times(times(q, times(q, q)), polynomial(q, 1./3, 1./4, 1./5, 1./6, 1./7, 1./8, 1./9))
	hi := first.most + z
	lo = plus(exactly(half(hi)), exactly(half(hi)), exactly(half(hi))) // of two sums, the second has three operations
	lo.off = 2 * half(lo.most)
	inner := plus(low, zrest, rest, tail)
	lo = plus(lo, inner)
	return lo, math.Pow(z, 10)/10*1.01 + zrest.most*z*z*z*1.01 + zrest.most*zrest.most
}

// logShare bounds the second float of logPair as a share of the first.
const logShare = 0x1.9p-18

// Rule: the documented bounds for the quick phases of logarithms hold.
func TestProofLog(t *testing.T) {
	zrest := quantity{0x1p-52, half(0x1p-61) + half(0x1p-52)} // a rounding error, and the added number, which is rounded
	// Asinh and Acosh add up to twice that, to a sum that is not rounded again, and another sum.
	asPair := quantity{2 * zrest.most, 2 * zrest.off}
	rounding := quantity{0x1p-43, half(0x1p-43)}
	// All exponents: k*ln2Low is below 2^-33, and its error is 1,100 times that of the two floats.
	low := plus(times(exactly(1100), quantity{ln2Low, half(ln2Low)}), rounding)
	lo, besides := logOff(0x1p-8, zrest, exactly(745), low)
	holds(t, "logarithm", tail(lo, besides), logSureFar)
	holds(t, "Log, other exponents", tail(lo, besides), logSure*0.34)
	lo, besides = logOff(0x1p-8, asPair, exactly(745), low)
	holds(t, "Asinh, other exponents", tail(lo, besides), logSure*0.34)
	// Exponent 0: each interval has its factor, and a minimum logarithm.
	for i, l := range logs {
		from, to := 1+float64(i)/256, 1+float64(i+1)/256
		z := max(math.Abs(from*l[0]-1), math.Abs(to*l[0]-1))
		if i >= 107 {
			from, to = from/2, to/2
		}
		if l[0] == 1 || l[0] == 0.5 {
			continue // these follow
		}
		least := min(math.Abs(math.Log(from)), math.Abs(math.Log(to))) * (1 - 0x1p-40)
		lo, besides := logOff(z, zrest, exactly(0.4), rounding)
		off := tail(lo, besides)
		holds(t, fmt.Sprint("Log's second float, interval ", i), lo.most, logShare*least)
		holds(t, fmt.Sprint("Log, interval ", i), off, logSure*least)
		holds(t, fmt.Sprint("Pow's logarithm, interval ", i), off, min(logSureFar, logSureNear*least))
		lo, besides = logOff(z, asPair, exactly(0.4), rounding)
		holds(t, fmt.Sprint("Asinh, interval ", i), tail(lo, besides), logSure*least)
	}
	// Asinh's sum is at least 1.03: the logarithm of a number next to a power of two is ln 2 or more.
	lo, besides = logOff(0x1p-8, asPair, quantity{}, rounding)
	holds(t, "Asinh, next to a power of 2", tail(lo, besides), logSure*math.Log(2))
	for z := 0x1p-8; z > 0x1p-60; z *= 0.9 {
		lo, besides := logOff(z, quantity{z * 0x1p-52, z * 0x1p-105}, quantity{}, quantity{})
		holds(t, fmt.Sprint("Log's second float near 1, ", z), lo.most, logShare*z*0.895)
		holds(t, fmt.Sprint("Log near 1, ", z), tail(lo, besides), logSure*z*0.895)
		holds(t, fmt.Sprint("Pow's logarithm near 1, ", z), tail(lo, besides), min(logSureFar, logSureNear*z*0.895))
	}
}

// Rule: the documented bounds for products of logarithms, and for logarithms of pairs, hold.
func TestProofLogProducts(t *testing.T) {
	for _, c := range []struct {
		name         string
		upper, lower float64
	}{{"Log2", log2eUpper, log2eLower}, {"Log10", log10eUpper, log10eLower}} {
		// As shares of a logarithm between 1 and 2: the error that logPair adds.
		off := 0.0
		for least := 1.0; least < 2; least += 1. / 64 {
			l := exactly(least + 1./64)
			rest := quantity{l.most * logShare, 0}
			low := plus(lower(exactly(1.999)), rest)
			lo := plus(times(low, exactly(c.upper)), times(plus(l, rest), quantity{c.lower, half(c.lower)}))
			off = max(off, tail(lo, 0)/c.upper/least)
		}
		holds(t, c.name, off+logSure, 2*logSure)
	}
	// Asinh, Acosh, Atanh: pairs with a relative error of less than 2^-73 (TestProofRoots), and logarithms from 1/32 on, or as near 0
	// as the share.
	holds(t, "Asinh, Atanh", logSure+0x1p-73*32, 2*logSure)
}

// Rule: the documented bounds for the quick phases of Sin, Cos and Tan hold.
func TestProofSine(t *testing.T) {
	const R = 0x1.9220p-8 // more than pi/512
	// part: n*partLow is below 2^-55, and rounded; so are the sums of the rest. The error of the three floats is 2^-130 times n.
	part := 4*half(0x1p-53) + half(0x1p-55) + 0x1p-130*0x1p20
	worst := 0.0
	bound := func(s, c [2]float64, R float64) (lo quantity, besides float64) {
		r, rest := exactly(R), quantity{R * 0x1p-53, 0}
		s0, s1 := exactly(math.Abs(s[0])), quantity{math.Abs(s[1]), half(math.Abs(s[1]))}
		c0, c1 := exactly(math.Abs(c[0])), quantity{math.Abs(c[1]), half(math.Abs(c[1]))}
		square := times(r, r)
		cubic := times(times(r, square), polynomial(square, 1./6, 1./120, 1./5040))
		// The terms alternate: this sum is less than its first term, so the rounding error is at most that of the term.
		inner := quantity{1. / 24, polynomial(square, 1./24, 1./720).off}
		more := plus(times(times(square, square), inner), times(r, rest))
		versed := quantity{square.most / 2, square.off / 2}
		first := c0.most * R
		lo = exactly(half(s0.most + first))
		if s0.most == 0 {
			lo = quantity{}
		}
		inside := plus(times(c0, plus(lower(r), plus(rest, cubic))), times(c1, plus(r, cubic)), plus(times(s0, more), times(s1, plus(more, versed))))
		lo = plus(plus(lo, s1, inside), times(s0, versed))
		return lo, s0.most*(math.Pow(R, 8)/40320+rest.most*R*R*R) + c0.most*(math.Pow(R, 9)/362880+rest.most*R*R/2)
	}
	for i := range sines {
		if i%256 == 0 {
			continue
		}
		s, c := sines[i], sines[(i+128)&511]
		lo, besides := bound(s, c, R)
		worst = max(worst, (tail(lo, besides)+part)/math.Abs(s[0]))
	}
	holds(t, "Sin", worst, sineSure)
	for R := R; R > 0x1p-27; R *= 0.9 { // the sine of 0: the error of part's floats is less, the closer they are to it
		lo, besides := bound([2]float64{}, [2]float64{1, 0}, R)
		n := 0x1p20 // how many parts there can be this near to a multiple of pi
		holds(t, fmt.Sprint("Sin near 0, ", R), (tail(lo, besides)+half(n*0x1p-75)+2*half(R*0x1p-50)+0x1p-130*n)/(R*0.9), sineSure)
	}
	// Tan: the shares add up, with that of the quotient; the product of the shares, and the rounding error of the bound itself, are
	// small.
	holds(t, "Tan, besides", quotientSure+3*sineSure*sineSure+0x1p-110, tanSure)
}

// quotientSure and rootSure are the maximum relative errors of quotient and rootPair.
const quotientSure, rootSure = 0x1.21p-73, 0x1p-97

// Rule: the documented bounds for quotients and roots of pairs hold, as shares.
func TestProofRoots(t *testing.T) {
	// The quotient of two numbers between 1 and 2: the error of the inverse is a unit in the last place, and 2^-52 for the rest of d,
	// so the error of the first float is 2^-25, and the remainder is at most 2^-24 of n.
	left := quantity{0x1p-23, 0}
	for range 4 {
		left.off += half(left.most) // n - hi*upper is exact, except at other scales
	}
	left.off += half(0x1p-51) * 3
	lo := times(left, quantity{1, half(1) + 0x1p-51})
	holds(t, "quotient", tail(lo, 0), quotientSure)
	// Roots of numbers from 1 to 4: the remainder is at most a unit in the last place of the number, and the next term of Newton's
	// iteration is its square.
	left = plus(quantity{0x1p-49, 0}, quantity{0x1p-50, half(0x1p-51) * 3})
	lo = times(left, quantity{0.5, 0x1p-51}) // the root, times half the inverse of its square: four roundings
	holds(t, "root", tail(lo, 0x1p-98), rootSure)
	// Hypot, of squares whose sum is from S to a little more: p+pu is at most twice the root, and p-pu 2^-25 of it; so are those of
	// the root, which is off by 2^-52, for three roundings. fullSum and the difference of near squares are exact.
	off := 0.0
	for S := 1.0; S < 4; S += 1. / 64 {
		p := exactly(math.Sqrt(S+1./64) * (1 + 0x1p-40))
		lowers := times(plus(p, p), quantity{p.most * 0x1p-25, 0})
		rest := plus(exactly(half(S)), plus(lowers, lowers))
		inner := plus(rest, lowers)
		left := quantity{S * 0x1p-50, inner.off + half(S*0x1p-50)}
		lo := times(left, quantity{0.5 / math.Sqrt(S), 0x1p-51}) // times the root, times half the inverse of its square
		off = max(off, tail(lo, 0x1p-104)/math.Sqrt(S))
	}
	holds(t, "Hypot", off, hypotSure)
	// Asinh, and Acosh from 5/4 on, whose root is at least 3/5 of x: the same with one square less, of which S is the larger one.
	off = 0
	for S := 1.0; S < 4; S += 1. / 64 {
		p := exactly(math.Sqrt(S+1./64) * (1 + 0x1p-40))
		lowers := times(plus(p, p), quantity{p.most * 0x1p-25, 0})
		inner := plus(exactly(half(S)), lowers, lowers)
		left := quantity{S * 0x1p-50, inner.off + half(S*0x1p-50)}
		lo := times(left, quantity{0.5 / 0.6 / math.Sqrt(S), 0x1p-50})
		off = max(off, tail(lo, 0x1p-100)/math.Sqrt(S))
	}
	holds(t, "Asinh, Acosh", off, 0x1p-73)
}

// Rule: the documented bounds for the quick phases of Atan and Atan2 hold.
func TestProofArc(t *testing.T) {
	arcOff := func(angle [2]float64, T float64) (off float64) { // T bounds the tangent of the added angle
		rest := quantity{T * 0x1p-23, T * (0x1p-73 + 0x1p-25*0x1p-50)} // as of a quotient
		q := quantity{T, rest.off + half(T)}
		square := times(q, q)
		series := times(times(q, square), polynomial(square, 1./3, 1./5, 1./7, 1./9))
		fast := exactly(half(angle[0] + T))
		if angle[0] == 0 {
			fast = quantity{}
		}
		lo := plus(fast, plus(quantity{angle[1], half(angle[1])}, plus(rest, series)))
		return tail(lo, math.Pow(T, 11)/11+T*0x1p-90)
	}
	for i, l := range arcs {
		e, m := i/32-7, 1+float64(i%32)/32
		from, to, at := math.Ldexp(m, e), math.Ldexp(m+1./32, e), math.Ldexp(m+1./64, e)
		T := max((at-from)/(1+from*at), (to-at)/(1+to*at)) * 1.0001 // Atan2's quotient is rounded
		least := math.Atan(from) * 0.9999
		holds(t, fmt.Sprint("Atan, interval ", i), arcOff([2]float64{l[0], math.Abs(l[1])}, T), atanSure*least)
	}
	for T := 0x1p-7; T > 0x1p-30; T *= 0.9 {
		holds(t, fmt.Sprint("Atan near 0, ", T), arcOff([2]float64{}, T), atanNear*T*0.899)
	}
	// From 2^7 on, and for Atan2 with negative x, which needs one more sum: shares of pi/2 and more.
	off := arcOff(rightAngle, 0x1.0001p-7)
	holds(t, "Atan, large", off, atanSure*1.5)
	for _, l := range arcs {
		off = max(off, arcOff([2]float64{l[0], math.Abs(l[1])}, 0x1.02p-7))
	}
	holds(t, "Atan2, negative x", off+half(0x1p-20)+half(0x1p-52), atanSure*1.57)
}

// Rule: the documented bounds for the quick phases of Asin and Acos hold.
func TestProofAngle(t *testing.T) {
	// The maximum of the sine of the rest: intervals of 1/256 of the sine or the cosine, and their parts.
	for j := range 182 {
		from, to := float64(j)/256, float64(j+1)/256
		i := int(nearAngle[j])
		a := float64(i) * math.Pi / 256
		T := max(math.Abs(math.Asin(from)-a), math.Abs(math.Asin(to)-a)) * 1.000001
		s, c := sines[i], sines[(i+128)&511]
		for _, cosine := range []bool{false, true} {
			x, root := to, math.Sqrt(1-from*from)
			least := math.Asin(from)
			if i == 0 {
				continue // that is below
			}
			s, c := s, c
			if cosine {
				x, root, s, c = root, x, c, s
				least = 3.1 // of the maximum result of Asin or Acos
			}
			S0, S1 := exactly(s[0]), quantity{math.Abs(s[1]), half(math.Abs(s[1]))}
			C0, C1 := exactly(c[0]), quantity{math.Abs(c[1]), half(math.Abs(c[1]))}
			X, root1 := exactly(x), quantity{root, half(root)}
			// the error of 1-x^2 is three roundings of numbers up to 2^-25; it is a half or more, or exact but for a share of 2^-78
			rl := plus(lower(exactly(root)), quantity{half(root), root * 0x1p-77})
			low := plus(plus(times(lower(X), C0), times(rl, S0)), plus(times(X, C1), times(root1, S1)))
			low.off += half(T) // of fastSum, if the rest is larger
			square := times(exactly(T), exactly(T))
			square.off += T * T * 0x1p-52
			series := times(times(exactly(T), square), polynomial(square, 1./6, 3./40, 15./336, 105./3456, 945./42240))
			series.off += T * square.off
			rest := quantity{half(T), low.off - half(T)}
			lo := plus(rest, plus(series, times(square, rest)))
			middle := exactly(0x1p-33) // 33 bits times 9
			third := quantity{256 * partLow, half(256 * partLow)}
			lo = plus(exactly(half(least+T)), plus(middle, plus(lo, third)))
			off := tail(lo, math.Pow(T, 13)/50+256*0x1p-128) // the error of the three floats of a part is less than 2^-128
			if !cosine {
				holds(t, fmt.Sprint("Asin, interval ", j), off, asinFar)
			} else {
				holds(t, fmt.Sprint("Acos, interval ", j), off, asinFar)
			}
		}
	}
	for T := 0x1p-7 * 1.0001; T > 0x1p-27; T *= 0.9 { // the sine itself, or the cosine, which is a root
		q, rest := exactly(T), quantity{T * 0x1p-53, T * 0x1p-90}
		square := times(q, q)
		lo := plus(rest, plus(times(times(q, square), polynomial(square, 1./6, 3./40, 15./336, 105./3456, 945./42240)), times(square, rest)))
		holds(t, fmt.Sprint("Asin near 0, ", T), tail(lo, math.Pow(T, 13)/50), asinNear*T*0.899)
	}
}

// Rule: the documented bounds for the quick phase of Cbrt hold.
func TestProofCbrt(t *testing.T) {
	// The first root: the error of the table's polynomial is 5/81 z^3 and some rounding, and that of 17 bits is 2^-17.
	y := 0x1p-24*5/81 + 0x1p-48 + 0x1p-17
	off := 0.0
	for root := 1.0; root < 2; root += 1. / 64 {
		d := quantity{3 * y / root * 1.001, 0}
		least := d.most * d.most * d.most * d.most * d.most * 0.04
		d = times(d, quantity{1, half(1)}) // times the inverse of the cube
		lo := times(d, polynomial(d, 1./3, 1./9, 5./81, 10./243))
		lo = times(lo, exactly(root+1./64))
		off = max(off, tail(lo, least*2)/root)
	}
	holds(t, "Cbrt", off, cbrtSure)
}

// Rule: the documented bounds for the quick phase of Pow hold.
func TestProofPow(t *testing.T) {
	// y ln x to 700: yUpper*upper - p, and products of halves, are exact; the first sum is at most 2^-25 of p, and the next 2^-50.
	rest := quantity{700 * 0x1p-49, half(700*0x1p-25) + 3*half(700*0x1p-48)}
	part := 3*half(0x1p-23) + 0x1p-94*0x1p17
	lo, besides := expOff(biggestPart*(1+0x1p-30), 0x1p-61)
	holds(t, "Pow", tail(lo, besides)+2*(rest.off+part), powSure)
}
