package arenaview_test

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/play/arenaview"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// seen is a view of a state that does not change.
func seen(s *arena.State, players int, mine tickback.PlayerSet) *arenaview.View {
	v := arenaview.New(look.New(0, true), players, mine)
	for i := range players {
		v.Look.Names[i] = string(rune('A' + i))
	}
	for range 200 { // until the camera rests
		v.Advance(1.0/60, tickback.View[arena.State]{Previous: s, Current: s, Fraction: 1, Running: true})
		v.Draw(draw.NewCanvas(atlas), box)
	}
	return v
}

var (
	atlas = draw.NewAtlas()
	box   = draw.Box{W: 640, H: 360}
)

// fight is a state with the given number of fighters, who stand in a row.
func fight(players int) *arena.State {
	s := arena.New(1)
	s.Phase = arena.Fighting
	for p := range players {
		f := &s.Fighters[p]
		f.Stance, f.Hp, f.Energy, f.FaceX = arena.Standing, arena.FullHp, arena.FullEnergy, 127
		f.Pos = fixed.Vec2{X: fixed.FromInt(int64(p*4 - 14)), Y: fixed.FromInt(int64(p%3*5 - 5))}
	}
	return &s
}

func paint(t *testing.T, v *arenaview.View, name string) *image.RGBA {
	t.Helper()
	c := draw.NewCanvas(draw.NewAtlas())
	v.Draw(c, box)
	v.DrawHud(c, box)
	m := image.NewRGBA(image.Rect(0, 0, int(box.W), int(box.H)))
	draw.Paint(m, c)
	f, err := os.Create(filepath.Join(t.ArtifactDir(), name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// near counts the pixels with a colour, or nearly that colour.
func near(m *image.RGBA, part image.Rectangle, c draw.Color) (n int) {
	want := [3]float32{c.R * 255, c.G * 255, c.B * 255}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			at := m.PixOffset(x, y)
			off := float32(0)
			for i := range 3 {
				d := float32(m.Pix[at+i]) - want[i]
				off += max(d, -d)
			}
			if off < 30 {
				n++
			}
		}
	}
	return n
}

// All eight are in the picture, each in its colour, below the scores.
func TestEverybodyIsSeen(t *testing.T) {
	m := paint(t, seen(fight(8), 8, 0), "eight")
	field := image.Rect(0, 70, 640, 360)
	for p := range 8 {
		if n := near(m, field, look.Palettes[0].Players[p]); n < 40 {
			t.Errorf("player %d has %d pixels", p+1, n)
		}
	}
}

// The name of a fighter at the upper border is below the scores.
func TestNamesAreBelowTheScores(t *testing.T) {
	s := fight(2)
	s.Fighters[0].Pos = fixed.Vec2{Y: arena.FighterRadius - arena.HalfHeight}
	for _, mine := range []tickback.PlayerSet{0, tickback.SetOf(0)} {
		v := seen(s, 2, mine)
		v.Look.Names[0] = "Ada"
		c := draw.NewCanvas(atlas)
		c.Marks = new(draw.Marks)
		v.Draw(c, box)
		i := slices.IndexFunc(c.Marks.List, func(m draw.Mark) bool { return m.Text == "Ada" })
		if i < 0 || c.Marks.List[i].Box.Y < 31 { // where the cards end in this picture
			t.Errorf("playing %v: %+v", mine, c.Marks.List[max(i, 0)])
		}
	}
}

// A fighter who is out of sight has a mark at the edge of the picture.
func TestWhoIsOutOfSightHasAMark(t *testing.T) {
	s := fight(2)
	s.Fighters[0].Pos = fixed.Vec2{X: fixed.FromInt(-14), Y: 0}
	s.Fighters[1].Pos = fixed.Vec2{X: fixed.FromInt(14), Y: 0}
	right := image.Rect(560, 100, 640, 300)
	other := look.Palettes[0].Players[1]
	alone := near(paint(t, seen(s, 2, tickback.SetOf(0)), "mark"), right, other)
	if alone < 100 {
		t.Errorf("the mark has %d pixels", alone)
	}
	s.Fighters[1].Stance = arena.Out
	if n := near(paint(t, seen(s, 2, tickback.SetOf(0)), "no-mark"), right, other); n > alone/10 {
		t.Errorf("who is knocked out has a mark of %d pixels", n)
	}
}
