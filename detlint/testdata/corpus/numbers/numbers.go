// Package numbers has floats, conversions, and integers whose width depends on the machine.
package numbers

import (
	"math"
	"math/bits"
	"strconv"
)

type vec struct{ X, Y float64 }

type state struct {
	f, g, h float64
	s       float32
	n       int32
	u       uint8
	l       int64
	c       complex128
	v, w    vec
	m       map[float64]int32
	places  map[vec]int32
	cells   map[int32]int32
	any     map[any]int32
}

//tickback:deterministic
func fused(s *state) { s.f = s.f*s.g + s.h } // want fusedfloat

//tickback:deterministic
func fusedDifference(s *state) { s.f = s.h - s.f*s.g } // want fusedfloat

//tickback:deterministic
func fusedAssignment(s *state) { s.f += s.g * s.h } // want fusedfloat

//tickback:deterministic
func fusedAcrossStatements(s *state) {
	p := s.f * s.g
	q := p + s.h // want fusedfloat
	s.f = q
}

//tickback:deterministic
func fusedOfNegated(s *state) { s.f = s.h + -(s.f * s.g) } // want fusedfloat

//tickback:deterministic
func fusedNarrow(s *state) { s.s = s.s*s.s + 1 } // want fusedfloat

//tickback:deterministic
func fusedByBranch(s *state) {
	p := s.h
	if s.n > 0 {
		p = s.f * s.g
	}
	s.f = p + 1 // want fusedfloat
}

func dot(a, b vec) float64 { return a.X*b.X + a.Y*b.Y } // want fusedfloat

//tickback:deterministic
func fusedInHelper(s *state) { s.f = dot(s.v, s.w) }

func product(a, b float64) float64 { return a * b }

//tickback:deterministic
func fusedWithCall(s *state) { s.f = product(s.f, s.g) + s.h } // want fusedfloat

func scale[T float32 | float64](a, b, c T) T { return a*b + c } // want fusedfloat

//tickback:deterministic
func fusedGeneric(s *state) { s.f = scale(s.f, s.g, s.h) }

//tickback:deterministic
func fusedComplex(s *state) { s.c = s.c * s.c } // want fusedfloat

//tickback:deterministic
func rounded(s *state) { s.f = float64(s.f*s.g) + s.h }

//tickback:deterministic
func roundedVariable(s *state) {
	p := float64(s.f * s.g)
	s.f = p + s.h
}

//tickback:deterministic
func roundedBoth(s *state) { s.f = float64(s.v.X*s.w.X) + float64(s.v.Y*s.w.Y) }

func roundedProduct(a, b float64) float64 { return float64(a * b) }

//tickback:deterministic
func roundedInHelper(s *state) { s.f = roundedProduct(s.f, s.g) + s.h }

//tickback:deterministic
func roundedNarrow(s *state) { s.s = float32(s.s*s.s) + 1 }

//tickback:deterministic
func sumThenProduct(s *state) { s.f = (s.f + s.g) * s.h }

//tickback:deterministic
func explicitlyFused(s *state) { s.f = math.FMA(s.f, s.g, s.h) }

//tickback:deterministic
func productsOnly(s *state) { s.f = s.f * s.g * s.h }

//tickback:deterministic
func productComparedOnly(s *state) bool { return s.f*s.g > s.h }

//tickback:deterministic
func constantProduct(s *state) { s.f += 2.5 * 4 }

//tickback:deterministic
func quotient(s *state) { s.f = s.f/s.g + s.h }

//tickback:deterministic
func integerProduct(s *state) { s.l = s.l*3 + 1 }

//tickback:deterministic
func convertedAfterwards(s *state) { s.f = float64(s.n*s.n) + s.h }

//tickback:deterministic
func sine(s *state) { s.f = math.Sin(s.g) } // want mathfunc

//tickback:deterministic
func powerByValue(s *state) {
	f := math.Pow
	s.f = f(s.g, 2) // want mathfunc
}

//tickback:deterministic
func distance(s *state) { s.f = math.Hypot(s.g, s.h) } // want mathfunc

//tickback:deterministic
func root(s *state) { s.f = math.Sqrt(s.g) }

//tickback:deterministic
func floor(s *state) { s.f = math.Floor(math.Abs(s.g)) }

//tickback:deterministic
func constants(s *state) { s.f = math.Pi / 2 }

//tickback:deterministic
func narrowed(s *state) { s.n = int32(s.f) } // want floatint

//tickback:deterministic
func narrowedToByte(s *state) { s.u = uint8(s.f) } // want floatint

//tickback:deterministic
func floored(s *state) { s.n = int32(math.Floor(s.f)) } // want floatint

func toTile(x float64) int32 { return int32(x / 16) } // want floatint

//tickback:deterministic
func narrowedInHelper(s *state) { s.n = toTile(s.f) }

//tickback:deterministic
func halfBounded(s *state) {
	if s.f < 100 {
		s.n = int32(s.f) // want floatint
	}
}

//tickback:deterministic
func wronglyBounded(s *state) {
	if s.g > -100 && s.g < 100 {
		s.n = int32(s.f) // want floatint
	}
}

//tickback:deterministic
func boundedTooWide(s *state) {
	if s.f > -1e12 && s.f < 1e12 {
		s.n = int32(s.f) // want floatint
	}
}

//tickback:deterministic
func boundedByOr(s *state) {
	if s.f > -100 || s.f < 100 {
		s.n = int32(s.f) // want floatint
	}
}

//tickback:deterministic
func boundedThenChanged(s *state) {
	if s.f > -100 && s.f < 100 {
		s.f = s.f / s.g
		s.n = int32(s.f) // want floatint
	}
}

//tickback:deterministic
func bounded(s *state) {
	if s.f > -100 && s.f < 100 {
		s.n = int32(s.f)
	}
}

//tickback:deterministic
func boundedLocal(s *state) {
	x := s.f / s.g
	if x >= -100 && x <= 100 {
		s.n = int32(x)
	}
}

//tickback:deterministic
func boundedByReturn(s *state) {
	if !(s.f > -100 && s.f < 100) {
		return
	}
	s.n = int32(s.f)
}

//tickback:deterministic
func boundedFloor(s *state) {
	if s.f > -100 && s.f < 100 {
		s.n = int32(math.Floor(s.f))
	}
}

//tickback:deterministic
func clampedNotNaN(s *state) {
	x := min(max(s.f, -100), 100)
	s.n = int32(x) // want floatint
}

//tickback:deterministic
func throughFloat(s *state) { s.n = int32(float64(s.n)) }

//tickback:deterministic
func literal(s *state) {
	const half = 0.5
	s.n = int32(half * 8)
}

//tickback:deterministic
func nan(s *state) { s.m[s.f/s.g]++ } // want nankey

//tickback:deterministic
func nanInStruct(s *state) { s.places[s.v] = 1 } // want nankey

//tickback:deterministic
func nanInInterface(s *state) { s.any[s.f] = 1 } // want nankey

//tickback:deterministic
func floatOfInt(s *state) { s.m[float64(s.n)] = 1 }

//tickback:deterministic
func floatConstant(s *state) { s.m[0.5] = 1 }

//tickback:deterministic
func floatLookup(s *state) { s.n = s.m[s.f] }

//tickback:deterministic
func tile(s *state) { s.cells[s.n/16]++ }

//tickback:deterministic
func wideProduct(s *state, n int) { s.l = int64(n * n) } // want intwidth

//tickback:deterministic
func wideShift(s *state, n int) { s.l = int64(n << 20) } // want intwidth

//tickback:deterministic
func wideHash(s *state, name string) {
	h := 0
	for _, c := range []byte(name) {
		h = h*31 + int(c) // want intwidth
	}
	s.l = int64(h)
}

//tickback:deterministic
func wideCompared(s *state, n int) {
	if n*n > 1<<30 { // want intwidth
		s.l = 1
	}
}

//tickback:deterministic
func wordSize(s *state) { s.l = strconv.IntSize } // want machine

//tickback:deterministic
func leadingZeros(s *state, n uint) { s.n = int32(bits.LeadingZeros(n)) } // want intwidth

//tickback:deterministic
func widenedFirst(s *state, n int) { s.l = int64(n) * int64(n) }

//tickback:deterministic
func smallProduct(s *state, x int8) { s.l = int64(int(x) * 100) }

//tickback:deterministic
func indexProduct(s *state) {
	var board [64]int32
	for y := range 8 {
		for x := range 8 {
			s.l += int64(board[y*8+x])
		}
	}
}

//tickback:deterministic
func lengths(s *state, list []int32) { s.n = int32(len(list)) }

//tickback:deterministic
func leadingZeros32(s *state) { s.n = int32(bits.LeadingZeros32(uint32(s.n))) }

//tickback:deterministic
func sum(s *state, n int) { s.l = int64(n + 1) }
