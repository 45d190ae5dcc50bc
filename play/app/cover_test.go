package app_test

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/play/app"
)

// covered is a scene that others wait for, over which the settings can be opened.
type covered struct {
	pictures, ticks int
	opens, surfaces bool
	next            app.Scene
}

func (s *covered) Picture(p *app.Picture) app.Scene {
	if s.pictures++; s.opens {
		s.opens = false
		p.App.OpenSettings()
	}
	return s
}

func (s *covered) Tick(a *app.App) app.Scene {
	if s.ticks++; s.surfaces {
		s.surfaces = false
		a.Uncover()
	}
	if s.next != nil {
		return s.next
	}
	return s
}

func (s *covered) Name() string { return "covered" }

func coveredBySettings(t *testing.T) (*client, *covered) {
	t.Helper()
	c, s := start(t, app.Options{}), &covered{opens: true}
	c.Add(app.Mode{ID: "covered", Open: func(*app.App) app.Scene { return s }}, true)
	c.pictures(1)
	if s.pictures != 1 || s.ticks != 0 || !c.SettingsOpen() {
		t.Fatalf("%d pictures, %d ticks, settings %v", s.pictures, s.ticks, c.SettingsOpen())
	}
	return c, s
}

// Rule: below the settings a scene that others wait for continues, and is not drawn; the app still is in it. When
// they are left, it is drawn again.
func TestASceneContinuesBelowTheSettings(t *testing.T) {
	c, s := coveredBySettings(t)
	c.pictures(3).in("covered")
	if s.pictures != 1 || s.ticks != 3 {
		t.Errorf("below the settings: %d pictures, %d ticks", s.pictures, s.ticks)
	}
	c.press("Enter").press("Escape").in("covered")
	if at := s.pictures; at == 1 || c.SettingsOpen() {
		t.Errorf("%d pictures after the settings, which are open: %v", at, c.SettingsOpen())
	}
}

// Rule: the keys are below the settings' screen, and lead back to it, not to the scene.
func TestTheKeysAreAboveTheSettings(t *testing.T) {
	c, s := coveredBySettings(t)
	for _, m := range c.marks() {
		if m.Text == "Keys and buttons" {
			c.click(m.Box.Centre().X, m.Box.Centre().Y)
		}
	}
	if !slices.Contains(c.texts(), "Player 1") {
		t.Fatalf("the keys are not shown, but %q", c.texts())
	}
	if c.press("Escape"); !c.SettingsOpen() {
		t.Fatal("the keys lead back to the scene")
	}
	if c.press("Escape"); c.SettingsOpen() || s.pictures == 1 {
		t.Errorf("the settings do not lead back: %d pictures", s.pictures)
	}
}

// Rule: a scene with something to show comes to the surface, and one that ends takes the settings with it.
func TestASceneSurfaces(t *testing.T) {
	c, s := coveredBySettings(t)
	s.surfaces = true
	if c.pictures(1); c.SettingsOpen() || s.pictures != 2 {
		t.Errorf("it surfaces: %d pictures, settings %v", s.pictures, c.SettingsOpen())
	}
	c, s = coveredBySettings(t)
	s.next = c.Title()
	if c.pictures(1).in("title"); c.SettingsOpen() {
		t.Error("the settings are over the title")
	}
}
