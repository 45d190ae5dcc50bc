// Package fixedpoint has Go's operators on fixed.Num, and arithmetic that must not wrap.
package fixedpoint

import (
	"math"
	"math/bits"

	"github.com/tickback/tickback/fixed"
)

type state struct {
	x, y, z fixed.Num
	v       fixed.Vec2
	n       int32
	l       int64
	list    []fixed.Num
	over    bool
}

//tickback:deterministic
func product(s *state) { s.x = s.x * s.y } // want fixedops

//tickback:deterministic
func square(s *state) { s.z = s.x * s.x } // want fixedops

//tickback:deterministic
func productAssigned(s *state) { s.x *= s.y } // want fixedops

//tickback:deterministic
func quotient(s *state) { s.x = s.x / s.y } // want fixedops

//tickback:deterministic
func productOfFields(s *state) { s.z = s.v.X*s.v.X + s.v.Y*s.v.Y } // want fixedops fixedops fixedwrap

func speed(a, b fixed.Num) fixed.Num { return a * b } // want fixedops

//tickback:deterministic
func productInHelper(s *state) { s.x = speed(s.x, s.y) }

func half[T ~int64](x, y T) T { return x * y } // want fixedops

//tickback:deterministic
func productGeneric(s *state) { s.x = half(s.x, s.y) }

//tickback:deterministic
func productWithOne(s *state) { s.x = s.x * fixed.One } // want fixedops

//tickback:deterministic
func productWithConstant(s *state) {
	const gravity = fixed.One / 4
	s.x = s.y * gravity // want fixedops
}

//tickback:deterministic
func doubled(s *state) { s.x = s.x * 2 }

//tickback:deterministic
func halved(s *state) { s.x = s.x / 2 }

//tickback:deterministic
func halvedByShift(s *state) { s.x >>= 1 }

//tickback:deterministic
func times(s *state) { s.x = s.y * fixed.Num(s.n) }

//tickback:deterministic
func scaled(s *state) { s.x = fixed.Num(s.n) * fixed.One / 7 }

//tickback:deterministic
func ratio(s *state) { s.x = fixed.Num(s.n) * fixed.One / fixed.Num(s.l) }

//tickback:deterministic
func wholeSteps(s *state) { s.n = int32(s.x / s.y) }

//tickback:deterministic
func byMethods(s *state) { s.x = s.x.Mul(s.y).Add(s.z).Div(s.y) }

//tickback:deterministic
func comparedWithNums(s *state) { s.over = s.x > 5*fixed.One && s.y >= s.z && s.z != 0 }

//tickback:deterministic
func rawBits(s *state) { s.l = int64(s.x) ^ int64(s.y) }

//tickback:deterministic
func fromRawBits(s *state) { s.x = fixed.Num(s.l) }

//tickback:deterministic
func fromNumber(s *state) { s.x = fixed.FromInt(int64(s.n)) }

//tickback:deterministic
func toNumber(s *state) { s.n = int32(s.x.Int()) }

//tickback:deterministic
func added(s *state) { s.x += s.y } // want fixedwrap

//tickback:deterministic
func subtracted(s *state) { s.x = s.x - s.y } // want fixedwrap

//tickback:deterministic
func summedList(s *state) {
	t := fixed.Num(0)
	for _, x := range s.list {
		t += x // want fixedwrap
	}
	s.x = t
}

func plus(a, b fixed.Num) fixed.Num { return a + b } // want fixedwrap

//tickback:deterministic
func addedInHelper(s *state) { s.x = plus(s.x, s.y) }

//tickback:deterministic
func negated(s *state) { s.x = -s.y }

//tickback:deterministic
func addedConstant(s *state) { s.x += fixed.One }

//tickback:deterministic
func addedByMethod(s *state) { s.x = s.x.Add(s.y).Sub(s.z).Neg() }

//tickback:deterministic
func differenceCompared(s *state) { s.over = s.x-s.y > fixed.One }

//tickback:saturating
//tickback:deterministic
func wraps(s *state) { s.n += 1000 } // want saturate

//tickback:saturating
//tickback:deterministic
func wrapsProduct(s *state, x int32) { s.n = x * 3 } // want saturate

//tickback:saturating
//tickback:deterministic
func wrapsShift(s *state, x int32) { s.n = x << 4 } // want saturate

//tickback:saturating
//tickback:deterministic
func wrapsDifference(s *state, x int32) { s.n = s.n - x } // want saturate

//tickback:saturating
//tickback:deterministic
func wrapsNegated(s *state) { s.n = -s.n } // want saturate

func triple(x int32) int32 { return x * 3 } // it is not marked itself

//tickback:saturating
//tickback:deterministic
func wrapsInHelper(s *state) { s.n = triple(s.n) }

//tickback:saturating
//tickback:deterministic
func wrapsNarrowed(s *state, x int64) { s.n = int32(x) } // want saturate

//tickback:saturating
//tickback:deterministic
func wrapsInLiteral(s *state, x int32) {
	add := func() { s.n += x } // want saturate
	add()
}

//tickback:saturating
//tickback:deterministic
func saturatesByTest(s *state, x int32) {
	sum := s.n + x
	if (s.n^sum)&(x^sum) < 0 {
		sum = math.MaxInt32
	}
	s.n = sum
}

//tickback:saturating
//tickback:deterministic
func saturatesWider(s *state, x int32) {
	s.n = int32(max(math.MinInt32, min(math.MaxInt32, int64(s.n)+int64(x))))
}

//tickback:saturating
//tickback:deterministic
func saturatesByCarry(s *state, x uint64) {
	sum, carry := bits.Add64(uint64(s.l), x, 0)
	if carry != 0 {
		sum = math.MaxInt64
	}
	s.l = int64(min(sum, math.MaxInt64))
}

//tickback:saturating
//tickback:deterministic
func saturatesBefore(s *state) {
	if s.n < math.MaxInt32 {
		s.n++
	}
}

//tickback:saturating
//tickback:deterministic
func indexes(s *state) {
	for i := range s.list {
		s.list[i] = s.list[len(s.list)-1-i]
	}
}

//tickback:deterministic
func wrapsUnmarked(s *state) { s.n = s.n*31 + 7 }

//tickback:deterministic
func anglesOfParts(s *state, parts int32) {
	part := 2 * fixed.Pi / fixed.Num(parts)
	for p := range fixed.Num(parts) {
		s.list = append(s.list, fixed.Sin(part*p))
	}
}

//tickback:deterministic
func halvedByAssignment(s *state) { s.x /= 2 }

//tickback:deterministic
func thirdOfVariable(s *state) {
	speed := s.y
	if s.over {
		speed /= 3
	}
	s.x = speed
}

// A quotient of two that is an index counts how often one fits in the other.
//
//tickback:deterministic
func place(s *state) { s.n = int32(s.list[s.x/fixed.One]) }
