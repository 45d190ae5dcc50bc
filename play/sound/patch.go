package sound

import "math"

// Rate is the number of samples per second, for each of two channels.
const Rate = 48000

// Wave is the shape of an oscillation.
type Wave uint8

// The wave shapes that a [Layer] can have.
const (
	Sine Wave = iota
	Triangle
	Square
	Saw
	Noise // its frequency is how often it changes
)

// Layer is one oscillator with its envelopes. Times are in seconds.
type Layer struct {
	Wave     Wave
	From, To float64 // frequency in Hz, from the beginning to the end of Decay
	Gain     float64 // 0 to 1
	Delay    float64 // before it begins
	Attack   float64 // until it is loudest
	Hold     float64 // how long it stays loudest; forever in a patch that lasts
	Decay    float64 // until it is silent
	Vibrato  float64 // its depth, relative to the frequency, 6 times a second
}

// Patch is a sound. One that lasts plays until it is ended.
type Patch struct {
	Layers []Layer
	Lasts  bool
}

// Length returns how many seconds the patch plays; it is not meaningful for a patch that lasts.
func (p *Patch) Length() float64 {
	longest := 0.0
	for _, l := range p.Layers {
		longest = max(longest, l.Delay+l.Attack+l.Hold+l.Decay)
	}
	return longest
}

// voiceLayer is a playing layer.
type voiceLayer struct {
	phase float64
	noise uint32
	held  float64 // the noise value, until it changes
}

// level returns the envelope at a time since the beginning.
func (l *Layer) level(t float64, lasts bool) float64 {
	t -= l.Delay
	switch {
	case t < 0:
		return 0
	case t < l.Attack:
		return t / l.Attack
	case lasts || t < l.Attack+l.Hold:
		return 1
	}
	if t -= l.Attack + l.Hold; t >= l.Decay {
		return 0
	}
	left := 1 - t/l.Decay
	return left * left
}

// frequency returns the frequency at a time since the beginning: equal ratios in equal times.
func (l *Layer) frequency(t float64) float64 {
	whole := l.Attack + l.Hold + l.Decay
	f := l.From
	if l.To > 0 && whole > 0 {
		f *= math.Pow(l.To/l.From, min(max((t-l.Delay)/whole, 0), 1))
	}
	if l.Vibrato > 0 {
		f *= 1 + l.Vibrato*math.Sin(2*math.Pi*6*t)
	}
	return f
}

// next returns the next sample of the oscillation, -1 to 1.
func (v *voiceLayer) next(l *Layer, frequency float64) float64 {
	v.phase += frequency / Rate
	turned := v.phase >= 1
	v.phase -= math.Floor(v.phase)
	switch l.Wave {
	case Sine:
		return math.Sin(2 * math.Pi * v.phase)
	case Triangle:
		return 4*math.Abs(v.phase-0.5) - 1
	case Square:
		if v.phase < 0.5 {
			return 0.7
		}
		return -0.7
	case Saw:
		return 2*v.phase - 1
	}
	if turned {
		v.noise ^= v.noise << 13
		v.noise ^= v.noise >> 17
		v.noise ^= v.noise << 5
		v.held = float64(int32(v.noise)) / math.MaxInt32
	}
	return v.held
}
