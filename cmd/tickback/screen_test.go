package main

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// fits fails unless a picture fits on a small terminal, with some lines to spare.
func fits(t *testing.T, lines []string) string {
	t.Helper()
	if len(lines) > 24 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if len(l) > 80 {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}
	return strings.Join(lines, "\n")
}

// Every state of a long fight can be drawn, and shows both fighters.
func TestPictureOfTheDuel(t *testing.T) {
	s, _ := duel.New(1)
	script, _ := duel.Scripted("random", 1)
	for f := range uint32(2000) {
		duel.Step(&s, script(f))
		if text := fits(t, viewDuel(&s, 2)); f == 0 && (!strings.Contains(text, "1>") || !strings.Contains(text, "<2") || !strings.Contains(text, "100")) {
			t.Errorf("the beginning:\n%s", text)
		}
	}
}

func TestPictureOfTheArena(t *testing.T) {
	s := arena.New(1)
	for f := range rollback.Frame(2000) {
		var in [arena.MaxPlayers]arena.Input
		for p := range in {
			in[p] = arena.Bot{Skill: arena.Hard}.Input(rollback.Player(p), f, &s)
		}
		arena.Step(&s, &in, 0xFF, nil)
		text := fits(t, viewArena(&s, arena.MaxPlayers))
		if f == 200 && (!strings.Contains(text, "8: 100 hp") || strings.Count(text, "O") != 4) {
			t.Errorf("the fight:\n%s", text)
		}
	}
}

// Keys that contradict each other both count as held; the rules decide what that means.
func TestKeysOfTheGames(t *testing.T) {
	held := func(keys ...string) func(string) bool {
		return func(key string) bool {
			for _, k := range keys {
				if k == key {
					return true
				}
			}
			return false
		}
	}
	if got := duelKeys(held("a", "up", "space")); got != duel.Left|duel.Jump|duel.Attack {
		t.Errorf("%v", got)
	}
	if got, want := arenaKeys(held("right", "s", "j", "k")), (arena.Input{X: arena.StickEnd, Y: arena.StickEnd, Buttons: arena.Dash | arena.Shield}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := arenaKeys(held("a", "d", "up", "space")), (arena.Input{Y: -arena.StickEnd, Buttons: arena.Shoot}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
