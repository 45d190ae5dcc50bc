package ui_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/ui"
)

// screen is a screen with two buttons, a slider and a switch, with methods for tests.
type screen struct {
	u      ui.UI
	c      *draw.Canvas
	volume float64
	on     bool
	choice int
	events []string
}

func newScreen() *screen {
	return &screen{c: draw.NewCanvas(draw.NewAtlas()), volume: 0.5}
}

func (s *screen) picture(in ui.Input) {
	s.c.Begin(1)
	s.u.Begin(s.c, in, 1.0/60)
	for i := range 2 {
		if s.u.Button(draw.Box{X: 0, Y: float32(i) * 50, W: 100, H: 40}, fmt.Sprint("Button ", i)) {
			s.events = append(s.events, fmt.Sprint(i))
		}
	}
	s.volume = s.u.Slider(draw.Box{X: 0, Y: 100, W: 300, H: 40}, "Volume", s.volume, 0, 1, 0.1, func(v float64) string { return fmt.Sprintf("%.1f", v) })
	s.on = s.u.Switch(draw.Box{X: 0, Y: 150, W: 300, H: 40}, "Motion", s.on)
	s.choice = s.u.Choice(draw.Box{X: 0, Y: 200, W: 300, H: 40}, "Colours", s.choice, "a", "b", "c")
	s.u.End()
}

func (s *screen) click(x, y float32) {
	at := draw.Point{X: x, Y: y}
	s.picture(ui.Input{Pointer: at, Moved: true})
	s.picture(ui.Input{Pointer: at, Down: true})
	s.picture(ui.Input{Pointer: at})
}

func TestAButtonIsPressedWhereItWasTouched(t *testing.T) {
	s := newScreen()
	s.click(50, 70)
	if fmt.Sprint(s.events) != "[1]" {
		t.Errorf("pressed: %v", s.events)
	}
	// A finger that slides off a button does not press it.
	s.picture(ui.Input{Pointer: draw.Point{X: 50, Y: 20}, Down: true})
	s.picture(ui.Input{Pointer: draw.Point{X: 50, Y: 70}, Down: true})
	s.picture(ui.Input{Pointer: draw.Point{X: 50, Y: 70}})
	if fmt.Sprint(s.events) != "[1]" {
		t.Errorf("pressed after sliding off: %v", s.events)
	}
}

func TestTheFocusGoesAround(t *testing.T) {
	s := newScreen()
	s.picture(ui.Input{})
	for range 5 {
		s.picture(ui.Input{DownKey: true})
	}
	s.picture(ui.Input{Accept: true})
	s.picture(ui.Input{Up: true})
	s.picture(ui.Input{Right: true})
	if fmt.Sprint(s.events) != "[0]" || s.choice != 1 {
		t.Errorf("pressed: %v, the choice is %d", s.events, s.choice)
	}
}

func TestASliderFollowsPointerAndKeys(t *testing.T) {
	s := newScreen()
	s.picture(ui.Input{Pointer: draw.Point{X: 200, Y: 120}, Down: true, Moved: true})
	s.picture(ui.Input{Pointer: draw.Point{X: 900, Y: 500}, Down: true}) // far beyond
	if s.volume != 1 {
		t.Errorf("the volume is %v", s.volume)
	}
	s.picture(ui.Input{})
	s.picture(ui.Input{Left: true})
	if s.volume < 0.89 || s.volume > 0.91 {
		t.Errorf("the volume is %v", s.volume)
	}
	s.click(250, 170)
	if !s.on {
		t.Error("the switch is off")
	}
	s.click(250, 220)
	s.click(250, 220)
	s.click(250, 220)
	if s.choice != 0 {
		t.Errorf("the choice is %d", s.choice)
	}
}
