package look

import "math"

// Approach moves a value towards a target, at a rate: two thirds of the distance take 1/rate seconds.
func Approach(value, target, rate, dt float32) float32 {
	return target + (value-target)*float32(math.Exp(float64(-rate*dt)))
}

// Smooth maps 0 to 1 to itself, with smooth ends; values outside become 0 or 1.
func Smooth(t float32) float32 {
	t = min(max(t, 0), 1)
	return t * t * (3 - 2*t)
}

// Sin returns the sine of x.
func Sin(x float32) float32 { return float32(math.Sin(float64(x))) }

// Cos returns the cosine of x.
func Cos(x float32) float32 { return float32(math.Cos(float64(x))) }

// Shake is the shaking of a screen after a blow. The zero value does not shake.
type Shake struct{ power, time float32 }

// Hit adds a blow, 0 to 1.
func (s *Shake) Hit(power float32) { s.power = min(s.power+power, 1) }

// Advance lets time pass.
func (s *Shake) Advance(dt float32) {
	s.time += dt
	s.power = max(s.power-dt*2.6, 0)
}

// Offset returns the offset of the picture, as a fraction of the maximum.
func (s *Shake) Offset() (x, y float32) {
	k := s.power * s.power
	return k * Sin(s.time*71), k * Sin(s.time*83+1)
}
