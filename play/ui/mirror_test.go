package ui_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/ui"
)

// heard is a screen with one widget of each kind, and its mirror.
type heard struct {
	*screen
	mirror  mirror.Mirror
	name    string
	offered bool
}

func (h *heard) picture(acts ...mirror.Act) map[string]mirror.Item {
	s := h.screen
	for _, a := range acts {
		h.mirror.Act(a)
	}
	s.c.Begin(1)
	s.c.Mirror, s.c.Screen = h.mirror.Begin(1), draw.Point{X: 1000, Y: 500}
	s.u.Begin(s.c, ui.Input{Acts: h.mirror.Take()}, 1.0/60)
	for i := range 2 {
		if s.u.Button(draw.Box{X: 0, Y: float32(i) * 50, W: 100, H: 40}, fmt.Sprint("Button ", i)) {
			s.events = append(s.events, fmt.Sprint(i))
		}
	}
	s.volume = s.u.Slider(draw.Box{X: 0, Y: 100, W: 300, H: 40}, "Volume", s.volume, 0, 1, 0.1, func(v float64) string { return fmt.Sprintf("%.1f", v) })
	s.on = s.u.Switch(draw.Box{X: 0, Y: 150, W: 300, H: 40}, "Motion", s.on)
	s.choice = s.u.Choice(draw.Box{X: 0, Y: 200, W: 300, H: 40}, "Colours", s.choice, "a", "b", "c")
	h.name, _ = s.u.Field(draw.Box{X: 0, Y: 250, W: 300, H: 40}, "Name", h.name, 5)
	h.offered = s.u.Offer(draw.Box{X: 0, Y: 300, W: 300, H: 40}, "pause", 0, "Pause")
	s.c.Text(draw.Point{X: 10, Y: 400}, 44, draw.Left, draw.Color{A: 1}, "Title")
	s.u.End()
	s.c.Mirror.End("en")
	items := map[string]mirror.Item{}
	if d, ok := h.mirror.Next(); ok {
		for _, i := range d.Items {
			items[i.Label] = i
		}
	}
	return items
}

// Rule: each widget is in the mirror, with its value, and actions there have their effect here.
func TestWidgetsAreMirrored(t *testing.T) {
	h := &heard{screen: newScreen(), name: "Ada"}
	items := h.picture()
	if n := len(items); n != 8 {
		t.Errorf("%d items: %+v", n, items)
	}
	for label, want := range map[string]mirror.Item{
		"Button 0": {Kind: mirror.Button, Label: "Button 0", Focused: true, Box: [4]int{0, 0, 100, 80}},
		"Button 1": {Kind: mirror.Button, Label: "Button 1", Box: [4]int{0, 100, 100, 80}},
		"Volume":   {Kind: mirror.Slider, Label: "Volume", Value: "0.5", Now: 0.5, Most: 1, Step: 0.1, Box: [4]int{0, 200, 300, 80}},
		"Motion":   {Kind: mirror.Switch, Label: "Motion", Box: [4]int{0, 300, 300, 80}},
		"Colours":  {Kind: mirror.Choice, Label: "Colours", Of: []string{"a", "b", "c"}, Box: [4]int{0, 400, 300, 80}},
		"Name":     {Kind: mirror.Field, Label: "Name", Value: "Ada", Most: 5, Box: [4]int{0, 500, 300, 80}},
		"Pause":    {Kind: mirror.Button, Label: "Pause", Box: [4]int{0, 600, 300, 80}},
		"Title":    {Kind: mirror.Heading, Label: "Title"},
	} {
		got := items[label]
		got.Key = ""
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", label, got, want)
		}
	}
	key := func(label string) string { return items[label].Key }
	h.picture(mirror.Act{Key: key("Button 1"), Do: mirror.Press}, mirror.Act{Key: key("Volume"), Do: mirror.Set, Number: 7}, mirror.Act{Key: key("Motion"), Do: mirror.Press},
		mirror.Act{Key: key("Colours"), Do: mirror.Set, Number: 2}, mirror.Act{Key: key("Name"), Do: mirror.Type, Text: "B\x00ö and more"})
	if fmt.Sprint(h.events) != "[1]" || h.volume != 1 || !h.on || h.choice != 2 || h.name != "Bö an" || h.offered {
		t.Errorf("%v, volume %v, motion %v, choice %d, name %q, offered %v", h.events, h.volume, h.on, h.choice, h.name, h.offered)
	}
	if h.picture(mirror.Act{Key: key("Pause"), Do: mirror.Press}); !h.offered {
		t.Error("what is offered was not pressed")
	}
	if now := h.picture(mirror.Act{Key: key("Colours"), Do: mirror.Focus}); !now["Colours"].Focused || now["Button 0"].Focused {
		t.Errorf("the focus is elsewhere: %+v", now)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1e300, 1e300} {
		h.picture(mirror.Act{Key: key("Volume"), Do: mirror.Set, Number: bad}, mirror.Act{Key: key("Colours"), Do: mirror.Set, Number: bad})
		if !(h.volume >= 0 && h.volume <= 1) || h.choice < 0 || h.choice > 2 {
			t.Errorf("%v: volume %v, choice %d", bad, h.volume, h.choice)
		}
	}
	h.picture(mirror.Act{Key: "nothing", Do: mirror.Press}, mirror.Act{Do: "what"})
}
