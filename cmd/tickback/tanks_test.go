package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

func TestPictureOfTheTanks(t *testing.T) {
	const players = tanks.MaxPlayers
	s, bot := tanks.New(1), tanks.Bot{Seed: 1, Mood: tanks.Busy}
	var present rollback.PlayerSet
	for p := range rollback.Player(players) {
		present |= rollback.SetOf(p)
	}
	for f := range rollback.Frame(1000) {
		var in [tanks.MaxPlayers]tanks.Input
		for p := range rollback.Player(players) {
			in[p] = bot.Input(p, f, &s)
		}
		tanks.Step(&s, &in, present, nil)
		text := fits(t, viewTanks(&s, tanks.MaxPlayers))
		if f == 0 && (!strings.Contains(text, "8:100 hp") || !strings.Contains(text, "1 >") || !strings.Contains(text, "< 2") || strings.Count(text, "#") < 30) {
			t.Errorf("the beginning:\n%s", text)
		}
	}
}

func TestKeysOfTheTanks(t *testing.T) {
	for _, c := range []struct {
		keys string
		want tanks.Input
	}{
		{"", tanks.Input{}},
		{"up right space", tanks.Input{Turn: tanks.StickEnd, Throttle: tanks.StickEnd, Buttons: tanks.Fire}},
		{"a s", tanks.Input{Turn: -tanks.StickEnd, Throttle: -tanks.StickEnd}},
		{"left d w down", tanks.Input{}},
	} {
		held := func(key string) bool { return strings.Contains(" "+c.keys+" ", " "+key+" ") }
		if got := tanksKeys(held); got != c.want {
			t.Errorf("%q: %v, want %v", c.keys, got, c.want)
		}
	}
}

func TestResultsOfTheTanks(t *testing.T) {
	if got := tanksResult(3); got != "player 3 has won" {
		t.Error(got)
	}
	if got := tanksResult(tanks.Draw); got != "a draw" {
		t.Error(got)
	}
}

// A match of tanks that sim records is accepted by verify.
func TestSimOfTheTanks(t *testing.T) {
	for _, script := range []string{"random", "busy", "calm"} {
		file := filepath.Join(t.TempDir(), "match.tbr")
		players := fmt.Sprint(tanks.MaxPlayers)
		stdout, stderr, code := run(t, "sim", "--game", "tanks", "--players", players, "--seed", "1", "--frames", "600", "--script", script, "--record", file, "--json")
		if code != 0 {
			t.Fatal(stderr)
		}
		sum := objects(t, stdout)[0]["checksum"].(string)
		if _, stderr, code := run(t, "replay", "verify", file, "--expect", sum); code != 0 {
			t.Error(stderr)
		}
	}
}

// Two peers play tanks without a server.
func TestTanksOfTwo(t *testing.T) {
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 2)
	outs := make([]string, 2)
	var wg sync.WaitGroup
	for p := range at {
		wg.Go(func() {
			stdout, stderr, code := run(t, "match", "--game", "tanks", "--json", "--players", "2", "--player", fmt.Sprint(p+1),
				"--listen", at[p], "--peer", at[1-p], "--frames", "40", "--net", "wifi", "--bot", "busy")
			if outs[p] = stdout; code != 0 {
				t.Errorf("player %d: exit code %d\n%s", p+1, code, stderr)
			}
		})
	}
	wg.Wait()
	one, two := objects(t, outs[0])[0], objects(t, outs[1])[0]
	if one["checksum"] != two["checksum"] || one["health"] != "healthy" || two["health"] != "healthy" || one["frames"] != 40.0 {
		t.Errorf("player 1: %v\nplayer 2: %v", one, two)
	}
}
