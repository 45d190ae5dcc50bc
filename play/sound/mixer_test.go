package sound_test

import (
	"encoding/binary"
	"math"
	"sync"
	"testing"

	"github.com/tickback/tickback/play/sound"
)

// samples reads the given number of seconds, left and right channel.
func samples(t *testing.T, m *sound.Mixer, seconds float64) (left, right []float64) {
	t.Helper()
	b := make([]byte, int(seconds*sound.Rate)*8)
	if n, err := m.Read(b); n != len(b) || err != nil {
		t.Fatal(n, err)
	}
	for ; len(b) > 0; b = b[8:] {
		left = append(left, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		right = append(right, float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))))
	}
	return left, right
}

func loudest(s []float64) (peak float64) {
	for _, v := range s {
		peak = max(peak, math.Abs(v))
	}
	return peak
}

// crossings counts how often a sound rises through zero.
func crossings(s []float64) (n int) {
	for i := 1; i < len(s); i++ {
		if s[i-1] < 0 && s[i] >= 0 {
			n++
		}
	}
	return n
}

var tone = sound.Patch{Lasts: true, Layers: []sound.Layer{{Wave: sound.Sine, From: 440, Gain: 0.5}}}

func TestAToneHasItsFrequency(t *testing.T) {
	for _, w := range []sound.Wave{sound.Sine, sound.Triangle, sound.Square, sound.Saw} {
		m := sound.NewMixer()
		m.Play(&sound.Patch{Lasts: true, Layers: []sound.Layer{{Wave: w, From: 440, Gain: 0.5}}}, 0, 1, 0)
		left, _ := samples(t, m, 1)
		if n := crossings(left); n < 438 || n > 442 {
			t.Errorf("wave %d crosses zero %d times in a second, want 440", w, n)
		}
	}
}

func TestAPatchIsSilentAfterItsLength(t *testing.T) {
	m := sound.NewMixer()
	p := sound.Hit
	m.Play(&p, 0, 1, 0)
	left, _ := samples(t, m, p.Length()+0.001)
	if loudest(left) < 0.2 {
		t.Errorf("the loudest is %v", loudest(left))
	}
	left, _ = samples(t, m, 0.1)
	if loudest(left) != 0 || m.Playing() != 0 {
		t.Errorf("after its length: loudest %v, %d voices", loudest(left), m.Playing())
	}
}

func TestPanGoesFromLeftToRight(t *testing.T) {
	for _, c := range []struct{ pan, left, right float64 }{{-1, 1, 0}, {1, 0, 1}, {0, math.Sqrt2 / 2, math.Sqrt2 / 2}, {-7, 1, 0}} {
		m := sound.NewMixer()
		m.Play(&tone, c.pan, 0.1, 0)
		l, r := samples(t, m, 0.1)
		if math.Abs(loudest(l)/0.05-c.left) > 0.01 || math.Abs(loudest(r)/0.05-c.right) > 0.01 {
			t.Errorf("pan %v: left %v, right %v", c.pan, loudest(l)/0.05, loudest(r)/0.05)
		}
	}
}

// A fade takes its time, does not click, and ends the voice.
func TestAFadeIsSoftAndShort(t *testing.T) {
	m := sound.NewMixer()
	v := m.Play(&tone, 0, 1, 0)
	samples(t, m, 0.1)
	m.Fade(v)
	left, _ := samples(t, m, sound.FadeTime+0.01)
	for i := 1; i < len(left); i++ {
		if step := math.Abs(left[i] - left[i-1]); step > 0.03 {
			t.Fatalf("a click of %v at sample %d", step, i)
		}
	}
	if m.Playing() != 0 {
		t.Errorf("%d voices are left", m.Playing())
	}
}

func TestManyVoicesNeitherClipNorGrow(t *testing.T) {
	m := sound.NewMixer()
	for range 3 * sound.MaxVoices {
		m.Play(&sound.Gong, 0, 1, 0)
	}
	if m.Playing() != sound.MaxVoices {
		t.Errorf("%d voices", m.Playing())
	}
	left, _ := samples(t, m, 0.2)
	if loudest(left) > 1 {
		t.Errorf("the loudest is %v", loudest(left))
	}
	m.SetVolume(0)
	if left, _ = samples(t, m, 0.1); loudest(left) != 0 {
		t.Errorf("at volume 0 the loudest is %v", loudest(left))
	}
	m.SetVolume(1)
	m.Silence()
	samples(t, m, 0.1)
	if m.Playing() != 0 {
		t.Errorf("%d voices after silence", m.Playing())
	}
}

func TestWhatIsOverIsNotBegun(t *testing.T) {
	m := sound.NewMixer()
	if v := m.Play(&sound.Tick, 0, 1, 5); v != 0 || m.Playing() != 0 {
		t.Errorf("voice %d, %d sound", v, m.Playing())
	}
}

func TestMixingAllocatesNothing(t *testing.T) {
	m := sound.NewMixer()
	b := make([]byte, 4096)
	if n := testing.AllocsPerRun(50, func() {
		m.Play(&sound.Hit, 0, 1, 0)
		_, _ = m.Read(b)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A device reads on a separate goroutine, while the game plays.
func TestAMixerIsReadWhileItIsPlayedOn(t *testing.T) {
	m := sound.NewMixer()
	var device sync.WaitGroup
	device.Go(func() {
		b := make([]byte, 512)
		for range 200 {
			if n, err := m.Read(b); n != len(b) || err != nil {
				t.Error(n, err)
			}
		}
	})
	for range 200 {
		v := m.Play(&sound.Swing, 0, 1, 0)
		m.SetVolume(0.5)
		m.Fade(v)
	}
	device.Wait()
	if m.Playing() > sound.MaxVoices {
		t.Errorf("%d voices", m.Playing())
	}
}
