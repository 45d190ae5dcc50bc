package app_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
)

// screen is a screen of the client, and how to get there.
type screen struct {
	name string
	play func(t *testing.T) *client
}

var screens = []screen{
	{"title", func(t *testing.T) *client { return start(t, app.Options{}).pictures(260).in("title") }},
	{"duel-round", func(t *testing.T) *client { return start(t, app.Options{Mode: "versus-bot"}).pictures(50).in("duel") }},
	{"duel-fight", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "versus-bot", Auto: true}).pictures(190).press("F1").pictures(90)
	}},
	{"duel-pause", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "versus-bot"}).pictures(150).press("Escape").pictures(5)
	}},
	{"arena-setup", func(t *testing.T) *client { return start(t, app.Options{Mode: "arena"}).pictures(20).in("arena setup") }},
	{"arena-countdown", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "arena", Auto: true}).pictures(60).in("arena")
	}},
	{"arena-fight", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "arena", Auto: true}).pictures(430)
	}},
	{"lab", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "lab", Auto: true}).pictures(400).in("lab")
	}},
	{"lab-tour", func(t *testing.T) *client {
		return theLab(t, "seed.9-players.2", app.LabOptions{}).press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight").pictures(300)
	}},
	{"lab-timeline", func(t *testing.T) *client {
		return theLab(t, "delay.60-jitter.20-seed.9-players.2", app.LabOptions{}).pictures(300).press("KeyP", "F1")
	}},
	{"lab-compare", func(t *testing.T) *client {
		return theLab(t, "delay.75-jitter.15-input.1-seed.9-players.2-compare.1", app.LabOptions{}).pictures(300).press("Minus").pictures(60)
	}},
	{"lab-projector", func(t *testing.T) *client {
		c := theLab(t, "seed.9-players.2", app.LabOptions{}).press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "F3")
		return c.pictures(300)
	}},
	{"replays", func(t *testing.T) *client {
		c := start(t, app.Options{Mode: "versus-bot", Auto: true}).until(2).pictures(60)
		return c.press("Escape", "ArrowUp", "Enter").in("title").press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter").pictures(20).in("theatre")
	}},
	{"replays-none", func(t *testing.T) *client {
		c := start(t, app.Options{Mode: "theatre"}).pictures(5)
		c.Receive("holiday.jpg", []byte("JFIF"), nil)
		return c.pictures(20).in("theatre")
	}},
	{"replay-duel", func(t *testing.T) *client {
		return watch(t, "duel.tbr", recorded(t, duelTape)).pictures(260).press("F1").pictures(5)
	}},
	{"replay-knock-out", func(t *testing.T) *client {
		return watch(t, "duel.tbr", recorded(t, duelTape)).press("End").pictures(90)
	}},
	{"replay-verified", func(t *testing.T) *client {
		c := watch(t, "arena.tbr", recorded(t, arenaTape)).press("End").pictures(200).press("ArrowDown", "ArrowDown", "Space")
		c.verdict()
		return c.pictures(40)
	}},
	{"replay-damaged", func(t *testing.T) *client {
		b := recorded(t, arenaTape)
		c := watch(t, "cut.tbr", b[:len(b)/2]).pictures(600)
		c.w, c.h = 844, 390
		return c.pictures(2)
	}},
	{"replay-skirmish", func(t *testing.T) *client {
		c := start(t, app.Options{Mode: "skirmish", Auto: true}).pictures(60 * 20)
		b := c.press("Escape", "ArrowUp", "Enter").until(1).Recordings()[0].Bytes
		return watch(t, "skirmish.tbr", b).press("ArrowUp", "ArrowUp").pictures(60)
	}},
	{"replay-tanks", func(t *testing.T) *client {
		c := tanksMatch(t, 16).pictures(60*30).press("Escape", "ArrowUp", "Enter").until(1)
		return watch(t, "tanks.tbr", c.Recordings()[0].Bytes).press("ArrowUp", "ArrowUp", "ArrowUp").pictures(120)
	}},
	{"lesson", func(t *testing.T) *client { return learner(t) }},
	{"settings", func(t *testing.T) *client { return start(t, app.Options{Mode: "settings"}).pictures(20).in("settings") }},
	{"keys", func(t *testing.T) *client {
		return start(t, app.Options{Mode: "settings"}).pictures(3).click(200, 542).pictures(20).in("keys")
	}},
	{"phone", func(t *testing.T) *client {
		c := start(t, app.Options{Mode: "versus-bot"})
		c.w, c.h = 844, 390
		c.d.Touch, c.d.Touches = true, []draw.Point{{X: 800, Y: 350}}
		return c.pictures(200)
	}},
	{"phone-upright", func(t *testing.T) *client {
		c := start(t, app.Options{Mode: "arena", Auto: true})
		c.w, c.h = 390, 844
		c.d.Touch = true
		return c.pictures(400)
	}},
}

// Every screen is more than a plain colour. The pictures are stored as artifacts for inspection.
func TestScreens(t *testing.T) { paint(t, screens) }

func paint(t *testing.T, screens []screen) {
	t.Helper()
	if testing.Short() {
		t.Skip("painting in memory takes seconds")
	}
	for _, c := range screens {
		t.Run(c.name, func(t *testing.T) {
			at := c.play(t)
			if n := at.shot(c.name); n < 60 {
				t.Errorf("the screen has %d colours", n)
			}
			for _, size := range sizes {
				if kept() && size.w != at.w {
					at.on(size).pictures(2).shot(fmt.Sprintf("%s-%.0fx%.0f", c.name, size.w, size.h))
				}
			}
		})
	}
}
