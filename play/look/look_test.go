package look_test

import (
	"math"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback/effects"
)

// Particles of an effect that never happened are gone within a tenth of a second; those of one that moved have its new
// frame; the others continue.
func TestParticlesFollowTheirEffect(t *testing.T) {
	var p look.Particles
	a, b := look.Origin{Kind: 1, Key: 2, Frame: 30}, look.Origin{Kind: 1, Key: 2, Frame: 40}
	for _, s := range []look.Origin{a, a, b, {}} {
		p.Add(look.Particle{Life: 1, Origin: s})
	}
	p.Rename(a, 31)
	p.Cancel(a) // nobody has that name any more
	p.Advance(0.1)
	if p.Count() != 4 {
		t.Fatalf("%d particles", p.Count())
	}
	p.Cancel(look.Origin{Kind: 1, Key: 2, Frame: 31})
	p.Advance(0.05)
	if p.Advance(0.05); p.Count() != 2 {
		t.Errorf("%d particles after one effect was taken back", p.Count())
	}
	if p.Advance(1); p.Count() != 0 {
		t.Errorf("%d particles after their life", p.Count())
	}
}

func TestParticlesAreBounded(t *testing.T) {
	var p look.Particles
	for range 5000 {
		p.Add(look.Particle{Life: 1})
	}
	if p.Count() > 1000 {
		t.Errorf("%d particles", p.Count())
	}
}

// An event that has moved is identified by its earlier frame.
func TestTheSourceIsWhatWasKnown(t *testing.T) {
	e := effects.Event{What: effects.Moved, Kind: 3, Key: 4, Frame: 12, From: 10}
	if got := look.SourceOf(&e); got != (look.Origin{Kind: 3, Key: 4, Frame: 10}) {
		t.Errorf("%+v", got)
	}
}

func TestAShakeEnds(t *testing.T) {
	var s look.Shake
	s.Hit(5)
	moved := false
	for range 60 {
		s.Advance(1.0 / 60)
		x, y := s.Offset()
		moved = moved || x != 0
		if math.Abs(float64(x)) > 1 || math.Abs(float64(y)) > 1 {
			t.Fatalf("off by %v, %v", x, y)
		}
	}
	if x, y := s.Offset(); !moved || x != 0 || y != 0 {
		t.Errorf("moved %v, at the end off by %v, %v", moved, x, y)
	}
}

// seen returns a colour as seen by a person without one kind of cone, by the matrices of Viénot, Brettel and Mollon
// (1999), in linear light.
func seen(c draw.Color, deuteranope bool) [3]float64 {
	linear := func(v float32) float64 { return math.Pow(float64(v), 2.2) }
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	if deuteranope {
		return [3]float64{0.29275*r + 0.70725*g, 0.29275*r + 0.70725*g, -0.02234*r + 0.02234*g + b}
	}
	return [3]float64{0.11238*r + 0.88762*g, 0.11238*r + 0.88762*g, 0.00401*r - 0.00401*g + b}
}

// In the palette for colour blindness, the first four players can be distinguished by people who see neither red nor
// green; in the vivid one they cannot, which shows that the test measures something.
func TestTheSafePaletteIsSafe(t *testing.T) {
	nearest := func(p look.Palette) float64 {
		least := math.Inf(1)
		for _, kind := range []bool{false, true} {
			for i := range 4 {
				for k := range i {
					a, b := seen(p.Players[i], kind), seen(p.Players[k], kind)
					least = min(least, math.Abs(a[0]-b[0])+math.Abs(a[2]-b[2]))
				}
			}
		}
		return least
	}
	vivid, safe := nearest(look.Palettes[0]), nearest(look.Palettes[1])
	t.Logf("vivid %.3f, safe %.3f", vivid, safe)
	if safe < 0.1 || safe <= vivid {
		t.Errorf("the nearest two are %.3f apart, in the vivid palette %.3f", safe, vivid)
	}
}
