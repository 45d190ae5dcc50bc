package controls_test

import (
	"testing"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

func TestTwoPlayAtOneKeyboardWithTheirOwnKeysAndPads(t *testing.T) {
	m := controls.Default()
	d := controls.Devices{
		Keys: []controls.Key{"KeyD", "KeyJ", "ArrowLeft", "ShiftRight"},
		Pads: []controls.Pad{{}, {Held: controls.C}},
	}
	for seat, want := range []controls.Action{controls.Right | controls.A, controls.Left | controls.Up | controls.C, 0, 0} {
		if got := m.Held(&d, seat); got != want {
			t.Errorf("seat %d holds %b, want %b", seat, got, want)
		}
	}
	if got := m.Held(&d, 9); got != 0 {
		t.Errorf("a seat that is not there holds %b", got)
	}
	alone := m.Alone()
	if got, want := alone.Held(&d, 0), controls.Right|controls.A|controls.Left|controls.Up; got != want {
		t.Errorf("who is alone holds %b, want %b", got, want)
	}
}

func TestAKeyHasOneAction(t *testing.T) {
	m := controls.Default()
	m.Bind(1, 4, "KeyA")
	d := controls.Devices{Keys: []controls.Key{"KeyA"}}
	if got := m.Held(&d, 0); got != 0 {
		t.Errorf("who had the key holds %b", got)
	}
	if got := m.Held(&d, 1); got != controls.A {
		t.Errorf("who has it now holds %b", got)
	}
}

// The default bindings give no key to two actions.
func TestDefaultKeysAreUnique(t *testing.T) {
	seen := map[controls.Key]bool{}
	for _, seat := range controls.Default() {
		for _, b := range seat {
			for _, k := range b {
				if k != "" && seen[k] {
					t.Errorf("%s has two actions", k)
				}
				seen[k] = true
			}
		}
	}
}

func TestTouchPadOfEveryScreen(t *testing.T) {
	labels := map[controls.Action]string{controls.A: "HIT", controls.Up: "JUMP", controls.B: "DASH", controls.C: "SHIELD"}
	for i, area := range []draw.Box{{W: 1280, H: 720}, {W: 844, H: 390}, {W: 844, H: 390}, {Y: 480, W: 390, H: 364}} {
		p := controls.NewTouchPad(area, []float32{0, 0, 75, 0}[i], 1, labels)
		for i, b := range p.Buttons {
			if !area.Has(b.At.Minus(draw.Point{X: b.Radius, Y: b.Radius})) || !area.Has(b.At.Plus(draw.Point{X: b.Radius - 1, Y: b.Radius - 1})) {
				t.Errorf("%v: button %s is not on the screen", area, b.Label)
			}
			if got := p.Held([]draw.Point{b.At}); got != b.Action {
				t.Errorf("%v: button %d holds %b, want %b", area, i, got, b.Action)
			}
		}
		middle := p.Stick.Centre()
		for _, c := range []struct {
			x, y float32
			want controls.Action
		}{{0, 0, 0}, {-1, 0, controls.Left}, {1, 0.1, controls.Right}, {0.7, -0.7, controls.Right | controls.Up}, {0, 1, controls.Down}} {
			at := middle.Plus(draw.Point{X: c.x * p.Stick.W * 0.4, Y: c.y * p.Stick.W * 0.4})
			if got := p.Held([]draw.Point{at}); got != c.want {
				t.Errorf("%v: the stick at %v, %v holds %b, want %b", area, c.x, c.y, got, c.want)
			}
		}
		if len(p.Buttons) != 4 {
			t.Errorf("%d buttons", len(p.Buttons))
		}
	}
}
