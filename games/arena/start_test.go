package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
)

func TestAMatchStartsWithItsSeedAndBots(t *testing.T) {
	for data, want := range map[string]arena.State{
		"": arena.New(3), "easy": arena.New(3).WithBots(arena.Easy), "normal": arena.New(3).WithBots(arena.Normal), "hard": arena.New(3).WithBots(arena.Hard),
	} {
		start, err := arena.Start(3, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		var got arena.State
		if start(&got); got != want {
			t.Errorf("%q: another state 0", data)
		}
	}
	if _, err := arena.Start(3, []byte("clever")); err == nil {
		t.Error("clever bots are taken")
	}
}
