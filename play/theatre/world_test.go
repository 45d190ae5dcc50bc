package theatre_test

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/rollback"
)

// record records a match between bots of so many frames, or to its end.
func record[S any, I comparable](
	t testing.TB, game rollback.Game[S, I], id string, players, frames int, o tickback.RecordOptions, bot func(tickback.Player, tickback.Frame, *S) I,
) []byte {
	t.Helper()
	var out bytes.Buffer
	now := time.Unix(1e9, 0)
	var m *tickback.Match[S, I]
	m, err := tickback.Local(game, tickback.Options[S, I]{
		Players: players, GameID: id, Match: tickback.Parameters{Seed: 1}, Record: &out, Recording: o,
		Sample: func(p tickback.Player) I {
			v := m.View()
			return bot(p, v.Frame, v.Current)
		},
		Advanced: tickback.Advanced{Now: func() time.Time { return now }},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range frames {
		now = now.Add(time.Second / 60)
		if _, err := m.Update(); err != nil {
			t.Fatal(err)
		}
		if _, over := m.Outcome(); over {
			break
		}
	}
	if err := m.Close(); err != nil && !errors.Is(err, tickback.ErrClosed) {
		t.Fatal(err)
	}
	return out.Bytes()
}

func duelFile(t testing.TB, frames int, o tickback.RecordOptions) []byte {
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	return record(t, game, duel.ID, 2, frames, o, duel.Bot{Seed: 1}.Input)
}

func arenaFile(t testing.TB, frames int, o tickback.RecordOptions) []byte {
	return record(t, arena.Game(1), arena.ID, 4, frames, o, arena.Bot{Seed: 1, Skill: arena.Hard}.Input)
}

// open opens a file to the end.
func open(t testing.TB, b []byte) *theatre.File {
	t.Helper()
	o := theatre.Open("test.tbr", b)
	finish(t, o.Task)
	f, err := o.File()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// finish works a task to its end.
func finish(t testing.TB, task *theatre.Task) {
	t.Helper()
	for range 1_000_000 {
		if task.Work(time.Second) {
			return
		}
	}
	t.Fatal("the task does not end")
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile("../../testdata/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
