package sound

import (
	"encoding/binary"
	"math"
	"sync"
)

const (
	// MaxVoices is how many sounds can play at once; with more, the oldest one is dropped.
	MaxVoices = 32
	// FadeTime is how many seconds a sound takes to fade out: short, but long enough not to click.
	FadeTime = 0.06
	// blend is how many samples there are between updates of the slow parts of a voice.
	blend = 16
)

// Voice identifies a sound while it plays. 0 means no sound.
type Voice uint32

// voice is a playing sound.
type voice struct {
	id          Voice
	patch       *Patch
	layers      [8]voiceLayer
	gains       [8]float64
	steps       [8]float64
	time        float64
	left, right float64 // gains
	fade        float64 // the remaining part of a fade, 1 to 0
	fading      bool
}

// Mixer adds up playing sounds. It is an endless io.Reader of 32-bit floats, little-endian, left and right
// in turn.
type Mixer struct {
	mu     sync.Mutex
	volume float64
	last   Voice
	voices []voice
}

// NewMixer returns a mixer at full volume.
func NewMixer() *Mixer { return &Mixer{volume: 1, voices: make([]voice, 0, MaxVoices)} }

// SetVolume sets the volume, 0 to 1.
func (m *Mixer) SetVolume(v float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.volume = min(max(v, 0), 1)
}

// Play plays a patch with a position, from -1 on the left to 1 on the right, and a gain, without its first late
// seconds. If the sound would be over by then, it is not played, and the voice is 0. Only the first eight layers of a
// patch are played.
func (m *Mixer) Play(p *Patch, pan, gain, late float64) Voice {
	if !p.Lasts && late >= p.Length() {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.voices) == MaxVoices {
		m.voices = append(m.voices[:0], m.voices[1:]...)
	}
	m.last++
	angle := (min(max(pan, -1), 1) + 1) * math.Pi / 4
	v := voice{id: m.last, patch: p, time: late, fade: 1, left: math.Cos(angle) * gain, right: math.Sin(angle) * gain}
	for i := range v.layers {
		v.layers[i].noise = uint32(m.last)*2654435761 + uint32(i)*40503 + 1
	}
	m.voices = append(m.voices, v)
	return m.last
}

// Fade fades out a voice, if it is still playing.
func (m *Mixer) Fade(id Voice) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.voices {
		if m.voices[i].id == id {
			m.voices[i].fading = true
		}
	}
}

// Silence fades out all voices.
func (m *Mixer) Silence() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.voices {
		m.voices[i].fading = true
	}
}

// Playing returns how many voices are playing.
func (m *Mixer) Playing() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.voices)
}

// Read fills a buffer with whole pairs of samples.
func (m *Mixer) Read(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(b) / 8 * 8
	for at := 0; at < n; at += 8 {
		left, right := m.next()
		binary.LittleEndian.PutUint32(b[at:], math.Float32bits(left))
		binary.LittleEndian.PutUint32(b[at+4:], math.Float32bits(right))
	}
	return n, nil
}

// next returns the next pair of samples, with a soft limit instead of clipping.
func (m *Mixer) next() (left, right float32) {
	var l, r float64
	on := m.voices[:0]
	for i := range m.voices {
		v := &m.voices[i]
		s, over := v.next()
		l, r = l+s*v.left, r+s*v.right
		if !over {
			on = append(on, *v)
		}
	}
	m.voices = on
	return float32(math.Tanh(l * m.volume)), float32(math.Tanh(r * m.volume))
}

// next returns the next sample of a voice, and whether the voice is over.
func (v *voice) next() (sample float64, over bool) {
	if v.fading {
		v.fade -= 1.0 / (FadeTime * Rate)
		if v.fade <= 0 {
			return 0, true
		}
	}
	tick := int(v.time*Rate)%blend == 0
	for i := range v.patch.Layers[:min(len(v.patch.Layers), len(v.layers))] {
		l := &v.patch.Layers[i]
		if tick || v.steps[i] == 0 {
			v.gains[i] = l.level(v.time, v.patch.Lasts) * l.Gain
			v.steps[i] = l.frequency(v.time)
		}
		sample += v.layers[i].next(l, v.steps[i]) * v.gains[i]
	}
	v.time += 1.0 / Rate
	return sample * v.fade, !v.patch.Lasts && v.time >= v.patch.Length()
}
