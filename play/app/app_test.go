package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/settings"
)

// Every mode of the title can be entered and left with the keyboard.
func TestTheTitleLeadsEverywhereAndBack(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays for minutes")
	}
	for i, scene := range []string{"duel", "duel", "arena setup", "skirmish setup", "lab", "theatre", "settings"} {
		c := start(t, app.Options{}).pictures(2)
		for range i {
			c.press("ArrowDown")
		}
		c.press("Enter").in(scene)
		c.pictures(5)
		c.press("Escape")
		if scene == "duel" {
			c.press("ArrowUp", "Enter") // of the pause
		}
		c.in("title")
	}
}

func TestTheMouseChoosesToo(t *testing.T) {
	start(t, app.Options{}).pictures(2).click(250, 260).in("duel")
}

// Two bots play a match to its end, and a rematch follows.
func TestABestOfThreeIsPlayed(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays for minutes")
	}
	c := start(t, app.Options{Mode: "versus-bot", Auto: true})
	rounds, most := 0, 0
	for i := 0; i < 60*180 && !(most >= 2 && rounds == 0); i++ {
		c.pictures(1)
		s := c.Status()
		rounds, most = s.Rounds, max(most, s.Wins[0], s.Wins[1])
	}
	if most < 2 || rounds != 0 {
		t.Errorf("%d wins at most, and %d rounds at the end", most, rounds)
	}
}

// A game stops while it is paused, and while its page is hidden.
func TestAPauseStopsTime(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot"}).pictures(100)
	c.press("Escape")
	at := c.Status().Frame
	if at < 60 {
		t.Fatalf("frame %d after 100 pictures", at)
	}
	if c.pictures(60); c.Status().Frame != at {
		t.Errorf("frame %d became %d in the pause", at, c.Status().Frame)
	}
	c.press("Escape")
	at = c.Status().Frame
	c.Picture(c.c, &c.d, c.w, c.h, 3600) // an hour
	if now := c.Status().Frame; now > at+1 {
		t.Errorf("frame %d became %d while the page was hidden", at, now)
	}
}

// A machine that shows two pictures per second plays as many frames as one that shows sixty.
func TestSlowPicturesMakeNoSlowGame(t *testing.T) {
	for _, mode := range []string{"versus-bot", "arena", "lab"} {
		c := start(t, app.Options{Mode: mode, Auto: true}).pictures(10)
		at := c.Status().Frames
		for range 10 {
			c.Picture(c.c, &c.d, c.w, c.h, 0.5)
		}
		if n := c.Status().Frames - at; n < 295 || n > 305 {
			t.Errorf("%s: %d frames in five seconds", mode, n)
		}
	}
}

// A local game waits for a player who has gone to another window, or has lost the gamepad; bots go on.
func TestAGameWaitsForWhoCannotGoOn(t *testing.T) {
	for _, auto := range []bool{false, true} {
		c := start(t, app.Options{Mode: "versus-bot", Auto: auto}).pictures(100)
		c.d.Lost = true
		c.pictures(1)
		c.d.Lost = false
		at := c.Status().Frame
		if still := c.pictures(60).Status().Frame == at; still == auto {
			t.Errorf("auto %v: stands still %v", auto, still)
		}
		if !auto {
			c.press("Enter") // go on
		}
		if c.pictures(60).Status().Frame == at {
			t.Errorf("auto %v: it does not go on", auto)
		}
	}
}

// A problem is reported once.
func TestNotes(t *testing.T) {
	a := app.New(app.Options{Seed: 1})
	for range 3 {
		a.Note(errors.New("no sound"))
	}
	a.Note(errors.New("no disk"))
	if e := strings.Join(a.Status().Errors, "; "); e != "no sound; no disk" {
		t.Errorf("errors: %q", e)
	}
}

// If the system asks for less motion, there is less, unless the settings say otherwise.
func TestTheSystemAsksForLessMotion(t *testing.T) {
	store := &settings.Memory{}
	for _, calm := range []bool{false, true} {
		if a := app.New(app.Options{Store: store, Calm: calm}); a.Settings.ReducedMotion != calm {
			t.Errorf("the system says %v, and the setting is %v", calm, a.Settings.ReducedMotion)
		}
	}
	chosen := settings.Default()
	if err := chosen.Save(store); err != nil {
		t.Fatal(err)
	}
	if a := app.New(app.Options{Store: store, Calm: true}); a.Settings.ReducedMotion {
		t.Error("what the player has chosen does not count")
	}
}

// Held keys reach the fighter, with the configured bindings.
func TestKeysMoveTheFighter(t *testing.T) {
	store := &settings.Memory{}
	c := start(t, app.Options{Mode: "settings", Store: store}).pictures(3).click(200, 542).in("keys")
	c.click(400, 190) // player 1, left
	c.press("KeyX")
	c.in("keys")
	saved, err := settings.Load(store, settings.Default(), 3)
	if err != nil || saved.Keys[0][0] != (controls.Binding{"KeyX"}) {
		t.Fatalf("saved: %v, %v", saved.Keys[0][0], err)
	}
	play := func(key controls.Key) string {
		return start(t, app.Options{Mode: "versus", Store: store}).hold(key).pictures(180).Status().Checksum
	}
	none := play("KeyQ")
	if play("KeyX") == none {
		t.Error("the key that was chosen does nothing")
	}
	if play("KeyA") != none {
		t.Error("the key that it had still does something")
	}
}

func TestInputsAreTheGames(t *testing.T) {
	if got := app.DuelInput(controls.Left | controls.Up | controls.A | controls.Down); got != duel.Left|duel.Jump|duel.Attack {
		t.Errorf("duel: %b", got)
	}
	want := arena.Input{X: 127, Y: -127, Buttons: arena.Shoot | arena.Shield}
	if got := app.ArenaInput(controls.Right | controls.Up | controls.A | controls.C); got != want {
		t.Errorf("arena: %+v", got)
	}
	if got := app.ArenaInput(controls.Right | controls.Left); got != (arena.Input{}) {
		t.Errorf("both ways: %+v", got)
	}
}

// Touching a button on the screen works, on a phone held either way.
func TestFingersPlay(t *testing.T) {
	for _, size := range [][2]float32{{844, 390}, {390, 844}} {
		play := func(fingers bool) string {
			c := start(t, app.Options{Mode: "versus"})
			c.w, c.h = size[0], size[1]
			c.d.Touch = true
			if fingers {
				area, beside := draw.Box{W: c.w, H: c.h}, (c.w-c.h*16/9)/2
				if c.h > c.w {
					top := (c.h-c.w*9/16)*0.25 + c.w*9/16
					area = draw.Box{Y: top, W: c.w, H: c.h - top}
					beside = 0
				}
				pad := controls.NewTouchPad(area, beside, 1, map[controls.Action]string{controls.A: "HIT"})
				c.d.Touches = []draw.Point{pad.Buttons[0].At}
			}
			return c.pictures(200).Status().Checksum
		}
		if play(true) == play(false) {
			t.Errorf("%v: a finger on the button does nothing", size)
		}
	}
}

// Fingers have no key for the pause, so there is a button.
func TestAFingerPauses(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot"})
	c.d.Touch = true
	c.pictures(100).click(640, 110).pictures(10)
	at := c.Status().Frame
	if c.pictures(30); c.Status().Frame != at || at == 0 {
		t.Errorf("frame %d became %d", at, c.Status().Frame)
	}
}

// The lab's sliders change the figures.
func TestTheLabHasSliders(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays for minutes")
	}
	again := func(key controls.Key) uint64 {
		c := start(t, app.Options{Mode: "lab", Auto: true}).pictures(2)
		for range 12 {
			c.press(key) // the delay, 5 ms each
		}
		before := c.pictures(120).Status().Resimulated
		return c.pictures(600).Status().Resimulated - before
	}
	near, far := again("ArrowLeft"), again("ArrowRight")
	if 3*near >= far || far < 40 {
		t.Errorf("%d frames are simulated again without a delay, %d with a long one", near, far)
	}
}

// broken is a store that does not work.
type broken struct{}

func (broken) Load() ([]byte, bool, error) { return nil, false, errors.New("no disk") }
func (broken) Save([]byte) error           { return errors.New("no disk") }

// Settings that cannot be read or stored are reported, and have no other effect.
func TestABrokenStoreIsNoEnd(t *testing.T) {
	a := app.New(app.Options{Store: broken{}, Now: time.Unix(1_700_000_000, 0)})
	c := draw.NewCanvas(draw.NewAtlas())
	a.Picture(c, &controls.Devices{}, app.Width, app.Height, 1.0/60)
	if e := strings.Join(a.Status().Errors, "; "); e != "no disk" {
		t.Errorf("errors: %q", e)
	}
	if a.Status().Mode != "title" {
		t.Errorf("mode %q", a.Status().Mode)
	}
}

// An added mode has a button, and the app can begin with it.
func TestModesCanBeAdded(t *testing.T) {
	c := start(t, app.Options{})
	c.Add(app.Mode{ID: "online", Label: "Online", Open: func(*app.App) app.Scene { return scene{} }}, false)
	c.pictures(2)
	for range 4 {
		c.press("ArrowDown")
	}
	c.press("Enter").in("mine")
}

type scene struct{}

func (scene) Name() string                     { return "mine" }
func (s scene) Picture(*app.Picture) app.Scene { return s }
