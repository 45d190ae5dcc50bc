package app_test

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// shown returns which of the texts are in the next picture.
func (c *client) shown(texts []string) (list []string) {
	c.Helper()
	c.c.Marks = new(draw.Marks)
	defer func() { c.c.Marks = nil }()
	c.pictures(1)
	for _, m := range c.c.Marks.List {
		if slices.Contains(texts, m.Text) && !slices.Contains(list, m.Text) {
			list = append(list, m.Text)
		}
	}
	slices.Sort(list)
	return list
}

// Rule: each game shows a single player which keys to press, until each was pressed once; bots are shown nothing.
func TestWhatToPressIsShownUntilItWasPressed(t *testing.T) {
	play := func(mode string, auto bool) *client {
		o := app.Options{Mode: mode, Auto: auto}
		if mode != tanks.ID {
			return start(t, o)
		}
		c := start(t, app.Options{Auto: auto})
		c.Add(app.Mode{ID: tanks.ID, Open: func(a *app.App) app.Scene {
			return app.NewTanks(a, app.TanksSetup{People: 1, Players: 4, Mood: tanks.Calm})
		}}, true)
		return c
	}
	for mode, keys := range map[string]map[string]controls.Key{
		"versus-bot": {"run": "KeyA", "jump": "KeyW", "hit": "KeyJ"},
		"arena":      {"run": "KeyA", "shoot": "KeyJ", "dash": "KeyK", "shield": "KeyL"},
		tanks.ID:     {"turn": "KeyA", "drive": "KeyS", "fire": "KeyJ"},
	} {
		t.Run(mode, func(t *testing.T) {
			var left []string
			for text := range keys {
				left = append(left, text)
			}
			slices.Sort(left)
			begin := func(auto bool) *client {
				c := play(mode, auto)
				if mode == "arena" && !auto {
					c.pictures(20).press("ArrowUp", "ArrowUp", "Enter").in("arena")
				}
				return c.pictures(10)
			}
			c := begin(false)
			for _, text := range slices.Clone(left) {
				if got := c.shown(left); !slices.Equal(got, left) {
					t.Fatalf("%q are shown, want %q", got, left)
				}
				c.press(keys[text])
				left = slices.DeleteFunc(left, func(s string) bool { return s == text })
			}
			all := []string{"run", "jump", "hit", "shoot", "dash", "shield", "turn", "drive", "fire"}
			if got := c.shown(all); len(got) > 0 {
				t.Errorf("%q are still shown", got)
			}
			if got := begin(true).shown(all); len(got) > 0 {
				t.Errorf("%q are shown to a bot", got)
			}
		})
	}
}
