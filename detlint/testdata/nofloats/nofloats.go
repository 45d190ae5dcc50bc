// Package nofloats has floats, which are all findings if they are asked for.
package nofloats

import (
	"math"

	"github.com/tickback/tickback/fixed"
)

type state struct {
	f float64
	s float32
	n int32
	x fixed.Num
	c complex64
}

//tickback:deterministic
func sum(s *state) { s.f = s.f + 1 } // want anyfloat

//tickback:deterministic
func converted(s *state) { s.f = float64(s.n) } // want anyfloat

//tickback:deterministic
func narrow(s *state) { s.s = s.s / 2 } // want anyfloat

//tickback:deterministic
func root(s *state) { s.f = math.Sqrt(s.f) } // want anyfloat

func half(x float64) float64 { return x / 2 } // want anyfloat

//tickback:deterministic
func inHelper(s *state) { s.n = int32(len("x")); _ = half(1) } // want anyfloat

//tickback:deterministic
func compared(s *state) bool { return s.f > 1 } // want anyfloat

//tickback:deterministic
func complexNumber(s *state) { s.c += 1 } // want anyfloat

//tickback:deterministic
func drawn(s *state) float64 { return s.x.FloatForDrawing() } // want anyfloat

//tickback:deterministic
func constantOnly(s *state) { const share = 0.5; s.n = int32(share * 4) }

//tickback:deterministic
func fixedPoint(s *state) { s.x = s.x.Mul(fixed.Half) }

//tickback:deterministic
func integers(s *state) { s.n = s.n / 2 }

// lerp is for drawing alone.
//
//tickback:drawing
func lerp(a, b, t float64) float64 { return a + float64((b-a)*t) }

//tickback:deterministic
func drawing(s *state) { _ = lerp(0, 1, 0.5) } // want anyfloat
