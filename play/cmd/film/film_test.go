package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"os"
	"slices"
	"testing"
	"time"
)

// noise returns pictures of a few colours, each with a square at another place.
func noise(count int) (pictures []picture) {
	for i := range count {
		m := image.NewRGBA(image.Rect(0, 0, 40, 30))
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{20, 40, 60, 255}), image.Point{}, draw.Src)
		at := image.Rect(0, 0, 5, 5).Add(image.Pt(3*i%30, 2*i%20))
		draw.Draw(m, at, image.NewUniform(color.RGBA{200, uint8(10 * i), 0, 255}), image.Point{}, draw.Src)
		pictures = append(pictures, m)
	}
	return pictures
}

// The film shows each picture, to within the tolerance, and stores little for the later ones.
func TestAFilmShowsItsPictures(t *testing.T) {
	pictures := noise(12)
	var b bytes.Buffer
	if err := encode(&b, pictures, 7); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil || len(g.Image) != len(pictures) || g.LoopCount != 0 || g.Delay[3] != 7 {
		t.Fatalf("%d pictures, %v", len(g.Image), err)
	}
	shown := image.NewRGBA(pictures[0].Rect)
	for i, part := range g.Image {
		draw.Draw(shown, part.Rect, part, part.Rect.Min, draw.Over)
		for k := 0; k < len(shown.Pix); k += 4 {
			if d := distance(rgb(shown.Pix[k:k+3]), rgb(pictures[i].Pix[k:k+3])); d > tolerance {
				t.Fatalf("picture %d, pixel %d: %v instead of %v", i, k/4, shown.Pix[k:k+3], pictures[i].Pix[k:k+3])
			}
		}
		if size := part.Rect.Size(); i > 0 && size.X*size.Y > 1000 {
			t.Errorf("picture %d writes %v", i, part.Rect)
		}
	}
}

// A palette has the exact colours while there is room, and at most the requested number.
func TestAPaletteHasRoomForEachColour(t *testing.T) {
	pictures := noise(12)
	whole := palette(pictures, 255)
	if len(whole) != 13 || !slices.Contains(whole, rgb{20, 40, 60}) || !slices.Contains(whole, rgb{200, 110, 0}) {
		t.Errorf("%d colours: %v", len(whole), whole)
	}
	if few := palette(pictures, 5); len(few) != 5 {
		t.Errorf("%d colours: %v", len(few), few)
	}
}

// The lab is filmed while its sliders are moved.
func TestTheLabIsFilmed(t *testing.T) {
	short := theLab
	short.width, short.height = 64, 36
	short.from = short.drags[0].from
	short.to = short.from + 200*time.Millisecond
	pictures, err := shoot(short, func(int, int) {})
	if err != nil || len(pictures) != 3 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	if pictures[0].Rect != image.Rect(0, 0, 64, 36) || bytes.Equal(pictures[0].Pix, pictures[2].Pix) {
		t.Error("nothing moves")
	}
	if d := theLab.devices(theLab.drags[0].from, 2); !d.Down || d.Pointer.Y != 2*theLab.drags[0].y {
		t.Errorf("the slider is not drawn: %+v", d)
	}
}

// The film in the README is within its size limit, and moves for some seconds.
func TestTheFilmOfTheREADME(t *testing.T) {
	b, err := os.ReadFile("../../../docs/images/lab.gif")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > most || len(g.Image) < 50 || g.Config.Width != theLab.width || g.Config.Height != theLab.height {
		t.Errorf("%d bytes, %d pictures of %d by %d", len(b), len(g.Image), g.Config.Width, g.Config.Height)
	}
}
