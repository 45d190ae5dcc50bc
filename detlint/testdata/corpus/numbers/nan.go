package numbers

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/portable/math32"
)

//tickback:deterministic
func fusedDivision(s *state) { s.f = s.g/4096 + s.h } // want fusedfloat

//tickback:deterministic
func fusedDivisionAssigned(s *state) {
	s.f /= 0x1p-12
	s.f -= s.g // want fusedfloat
}

//tickback:deterministic
func halved(s *state) { s.f = s.g/2 + s.h/16 }

//tickback:deterministic
func divisionByThree(s *state) { s.f = s.g/3 + s.h }

//tickback:deterministic
func roundedDivision(s *state) { s.f = float64(s.g/4096) + s.h }

//tickback:deterministic
func divisionOfComplex(s *state) { s.c = s.c / (s.c + 1) } // want fusedfloat

//tickback:deterministic
func normal(s *state) {
	r := rand.New(rand.NewPCG(uint64(s.n), 2))
	s.f = r.NormFloat64() // want mathfunc
	s.g = r.Float64()
}

//tickback:deterministic
func bitsOfNaN(s *state) { s.l = int64(math.Float64bits(s.f / s.g)) } // want nanbits

//tickback:deterministic
func bitsOfNarrowNaN(s *state) { s.l = int64(math.Float32bits(s.s)) } // want nanbits

//tickback:deterministic
func signOfNaN(s *state) {
	if math.Signbit(s.f - s.g) { // want nanbits
		s.n++
	}
}

//tickback:deterministic
func signOfNaNCopied(s *state) { s.f = math.Copysign(s.f, s.g-s.h) } // want nanbits

//tickback:deterministic
func checkedThenChanged(s *state) {
	if s.f == s.f {
		s.f = s.f - s.g
		s.l = int64(math.Float64bits(s.f)) // want nanbits
	}
}

//tickback:deterministic
func writtenNaN(s *state) {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, s.v) // want nanbits
	s.n = int32(b.Len())
}

//tickback:deterministic
func bitsOfNumber(s *state) { s.l = int64(math.Float64bits(float64(s.n) * 0.5)) }

//tickback:deterministic
func bitsOfChecked(s *state) {
	if x := s.f / s.g; !math.IsNaN(x) {
		s.l = int64(math.Float64bits(x))
	}
}

//tickback:deterministic
func bitsOfCompared(s *state) {
	if s.f != s.f {
		return
	}
	if math.Signbit(s.f) {
		s.l = int64(math.Float64bits(s.f))
	}
}

//tickback:deterministic
func bitsOfPortable(s *state) {
	s.l = int64(portable.Float64bits(s.f/s.g)) + int64(math32.Float32bits(s.s))
	s.f = portable.Copysign(s.f, s.g-s.h)
}

//tickback:deterministic
func signOfNumberCopied(s *state) { s.f = math.Copysign(s.f-s.g, math.Floor(float64(s.n)/3)) }

//tickback:deterministic
func narrowFloatOfWide(s *state) { s.s = float32(s.l) } // want intfloat

//tickback:deterministic
func narrowFloatOfUnsigned(s *state) { s.s = float32(uint64(s.l) * 3) } // want intfloat

//tickback:deterministic
func narrowFloatOfNarrow(s *state) { s.s = float32(s.n) + float32(int64(s.u)) }

//tickback:deterministic
func narrowFloatOf46Bits(s *state) {
	s.s = float32(uint64(s.l)>>18) + float32(s.l&0xFFFFFF) + float32(s.l%1000) + float32(s.l/0x40000)
}

//tickback:deterministic
func narrowFloatByFunction(s *state) { s.s = math32.FromInt64(s.l) }

//tickback:deterministic
func wideFloatOfWide(s *state) { s.f = float64(s.l) }

//tickback:deterministic
func saturated(s *state) { s.n = portable.Int32(s.f) + portable.Int32(portable.Sin(s.g)*1e30) }

//tickback:deterministic
func fusedElement(s *state, list []float64, i int) {
	list[i&1] *= s.f
	list[i&1] += s.g // want fusedfloat
}

//tickback:deterministic
func fusedElementBehind(s *state, list *[8]float64, i int) {
	list[i+1] = s.f * s.g
	s.h = s.f - list[i+1] // want fusedfloat
}

//tickback:deterministic
func otherElement(s *state, list *[8]float64, i int) {
	list[i+1] = s.f * s.g
	s.h = s.f - list[i+2]
}

//tickback:deterministic
func fusedInDim(s *state) { s.f = math.Dim(s.f*s.g, s.h) } // want fusedfloat

//tickback:deterministic
func fusedInModf(s *state) {
	_, s.f = math.Modf(s.f * s.g) // want fusedfloat
}

//tickback:deterministic
func fusedByPart(s *state) { s.f = imag(complex(s.g, s.f*s.g)) + s.h } // want fusedfloat

//tickback:deterministic
func fusedInComplexSum(s *state) { s.c = complex(s.f*s.g, 1) + s.c } // want fusedfloat

//tickback:deterministic
func fusedByInterface(s *state) {
	var x any = s.f * s.g
	s.h = x.(float64) + s.h // want fusedfloat
}

//tickback:deterministic
func fusedByBits(s *state) {
	s.h = math.Float64frombits(portable.Float64bits(s.f)) + math.Float64frombits(math.Float64bits(float64(s.n)*0.3)) // want fusedfloat
}

//tickback:deterministic
func roundedForDim(s *state) {
	s.f = math.Dim(float64(s.f*s.g), s.h)
	s.h = portable.Dim(s.f*s.g, s.h) + portable.Exp(s.g) + real(complex(s.g, s.f*s.g))
}

//tickback:deterministic
func sumOfComplex(s *state) { s.c = complex(float64(s.f*s.g), 1) + s.c - complex(s.f, s.g) }

func placed(s *state) *state { return s }

// The compiler sees that both are one field.
//
//tickback:deterministic
func fusedThroughACall(s *state) {
	placed(s).f *= s.g
	s.f += s.h // want fusedfloat
}

// Neither another field nor an element of a list is that.
//
//tickback:deterministic
func besideACall(s *state, list []float64) {
	placed(s).f *= s.g
	s.h += list[0]
}
