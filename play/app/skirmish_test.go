package app_test

import (
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
)

// skirmishMatch begins a match against a bot on a small map.
func skirmishMatch(t *testing.T) *client {
	t.Helper()
	c := start(t, app.Options{Mode: "skirmish"}).pictures(3).in("skirmish setup")
	c.click(250, 510) // Fight
	return c.pictures(20).in("skirmish")
}

// drag draws a box with the mouse.
func (c *client) drag(x0, y0, x1, y1 float32) *client {
	c.Helper()
	c.d.Pointer = draw.Point{X: x0, Y: y0}
	c.pictures(2)
	c.d.Down = true
	c.pictures(2)
	c.d.Pointer = draw.Point{X: x1, Y: y1}
	c.pictures(2)
	c.d.Down = false
	return c.pictures(6)
}

// right clicks with the right button.
func (c *client) right(x, y float32) *client {
	c.Helper()
	c.d.Pointer = draw.Point{X: x, Y: y}
	c.pictures(1)
	c.d.Right = true
	c.pictures(2)
	c.d.Right = false
	return c.pictures(6)
}

// A box selects the units in it; a right click sends them, and they arrive: then they are idle again.
func TestTheMouseSelectsAndSends(t *testing.T) {
	c := skirmishMatch(t)
	before := *c.Status().Skirmish
	if before.Units != 10 || before.Idle != 10 || before.Selected != 0 {
		t.Fatalf("at first: %+v", before)
	}
	c.drag(400, 100, 900, 560)
	if n := c.Status().Skirmish.Selected; n != 10 {
		t.Fatalf("%d are selected", n)
	}
	c.right(640, 500)
	if s := c.Status().Skirmish; s.Idle != 0 {
		t.Fatalf("they do not go: %+v", *s)
	}
	c.pictures(60 * 12)
	if s := c.Status().Skirmish; s.Idle < 8 {
		t.Errorf("after 12 seconds they have not arrived: %+v", *s)
	}
}

// The selected units become a control group, which its number selects again.
func TestControlGroups(t *testing.T) {
	c := skirmishMatch(t).drag(400, 100, 900, 560)
	c.hold("ControlLeft").pictures(1).hold("ControlLeft", "Digit3").pictures(1).hold().pictures(6)
	if s := c.Status().Skirmish; s.Groups[3] != 10 {
		t.Fatalf("group 3: %+v", *s)
	}
	c.click(200, 300).pictures(6) // nothing is there
	if n := c.Status().Skirmish.Selected; n != 0 {
		t.Fatalf("%d are still selected", n)
	}
	c.press("Digit3").pictures(6)
	if n := c.Status().Skirmish.Selected; n != 10 {
		t.Errorf("%d are selected", n)
	}
}

// A key selects the keep, and other keys make it train units.
func TestAKeyTrains(t *testing.T) {
	c := skirmishMatch(t).press("KeyK").pictures(4)
	gold := c.Status().Skirmish.Gold
	c.press("KeyQ").pictures(4)
	if now := c.Status().Skirmish.Gold; now >= gold {
		t.Fatalf("%d gold became %d", gold, now)
	}
	if s := c.pictures(60 * 6).Status().Skirmish; s.Units != 11 {
		t.Errorf("after the training: %+v", *s)
	}
}

// A finger draws a box, and a tap sends the units; two fingers move the map instead.
func TestFingersCommand(t *testing.T) {
	c := skirmishMatch(t)
	c.d.Touch = true
	touch := func(points ...draw.Point) {
		c.d.Touches, c.d.Down = points, len(points) > 0
		if len(points) > 0 {
			c.d.Pointer = points[0]
		}
		c.pictures(2)
	}
	touch(draw.Point{X: 400, Y: 100})
	touch(draw.Point{X: 900, Y: 560})
	touch()
	c.pictures(6)
	if n := c.Status().Skirmish.Selected; n != 10 {
		t.Fatalf("%d are selected", n)
	}
	touch(draw.Point{X: 400, Y: 300}, draw.Point{X: 700, Y: 300})
	touch(draw.Point{X: 300, Y: 340}, draw.Point{X: 800, Y: 340})
	touch()
	c.pictures(6)
	if s := c.Status().Skirmish; s.Selected != 10 || s.Idle != 10 {
		t.Fatalf("after two fingers: %+v", *s)
	}
	touch(draw.Point{X: 640, Y: 520})
	touch()
	c.pictures(6)
	if s := c.Status().Skirmish; s.Idle != 0 {
		t.Errorf("after a tap: %+v", *s)
	}
}

// A player who gives up has lost.
func TestGivingUp(t *testing.T) {
	c := skirmishMatch(t).press("Escape", "ArrowDown", "ArrowDown", "Enter").pictures(30)
	if o := c.Status().Outcome; o == nil || !o.Finished || o.Result != 2 {
		t.Fatalf("the outcome is %+v", o)
	}
	c.press("ArrowRight", "Enter").in("title")
}

// The buttons below the menu are not pressed.
func TestTheMenuCoversThePanels(t *testing.T) {
	c := skirmishMatch(t).press("Escape").pictures(3).click(430, 27).pictures(6).press("Escape").pictures(6)
	if s := c.Status().Skirmish; s.Selected != 0 {
		t.Errorf("beneath the menu: %+v", *s)
	}
	if s := c.click(430, 27).pictures(6).Status().Skirmish; s.Selected != 10 {
		t.Errorf("without it: %+v", *s)
	}
}

// The button for idle units selects them.
func TestIdleUnitsAreFound(t *testing.T) {
	c := skirmishMatch(t).click(430, 27).pictures(6)
	if s := c.Status().Skirmish; s.Selected != 10 {
		t.Errorf("%+v", *s)
	}
}

var skirmishScreens = []screen{
	{"skirmish-setup", func(t *testing.T) *client { return start(t, app.Options{Mode: "skirmish"}).pictures(20) }},
	{"skirmish-select", func(t *testing.T) *client {
		c := skirmishMatch(t).drag(400, 100, 900, 560)
		c.hold("ShiftLeft").pictures(1).hold("ShiftLeft", "Digit1").pictures(1).hold()
		return c.right(760, 420).pictures(20)
	}},
	{"skirmish-keep", func(t *testing.T) *client {
		return skirmishMatch(t).press("KeyK", "KeyQ", "KeyQ", "KeyW").right(760, 420).pictures(60)
	}},
	{"skirmish-plan", func(t *testing.T) *client {
		c := skirmishMatch(t).press("KeyB")
		c.d.Pointer = draw.Point{X: 820, Y: 330}
		return c.pictures(10)
	}},
	{"skirmish-battle", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "skirmish", Auto: true}).pictures(60 * 30)
	}},
	{"skirmish-battle-near", func(t *testing.T) *client {
		c := start(t, app.Options{Mode: "skirmish", Auto: true}).pictures(60 * 30)
		c.d.Pointer = draw.Point{X: 640, Y: 360}
		for range 12 {
			c.d.Wheel = 1
			c.pictures(1)
		}
		c.d.Wheel = 0
		return c.pictures(2)
	}},
	{"skirmish-defeat", func(t *testing.T) *client {
		return skirmishMatch(t).press("Escape", "ArrowDown", "ArrowDown", "Enter").pictures(60)
	}},
	{"skirmish-phone", func(t *testing.T) *client {
		c := skirmishMatch(t)
		c.w, c.h, c.d.Touch = 844, 390, true
		c.d.Touches, c.d.Down = []draw.Point{{X: 300, Y: 60}}, true
		c.d.Pointer = c.d.Touches[0]
		c.pictures(2)
		c.d.Touches = []draw.Point{{X: 540, Y: 280}}
		return c.pictures(2)
	}},
}

func TestSkirmishScreens(t *testing.T) { paint(t, skirmishScreens) }
