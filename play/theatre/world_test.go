package theatre_test

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/rollback"
)

// record records a match between bots with the given number of frames, or to its end.
func record[S any, I comparable](
	t testing.TB, game rollback.Definition[S, I], id string, players, frames int, o tickback.RecordOptions, bot func(tickback.Player, tickback.Frame, *S) I,
) []byte {
	t.Helper()
	return recordWith(t, game, id, players, frames, o, func(view func() tickback.View[S], o *tickback.Options[S, I]) {
		o.Sample = func(p tickback.Player) I {
			v := view()
			return bot(p, v.Frame, v.Current)
		}
	})
}

// rates are the frame rates of games whose rate is not 60 frames per second.
var rates = map[string]int{tanks.ID: tanks.TicksPerSecond, skirmish.ID: skirmish.TicksPerSecond}

// recordWith is like record, with additional options from set; view returns the view of the match.
func recordWith[S any, I comparable](
	t testing.TB, game rollback.Definition[S, I], id string, players, frames int, o tickback.RecordOptions,
	set func(view func() tickback.View[S], o *tickback.Options[S, I]),
) []byte {
	t.Helper()
	var out bytes.Buffer
	now := time.Unix(1e9, 0)
	var m *tickback.Match[S, I]
	options := tickback.Options[S, I]{
		Players: players, GameID: id, TickRate: cmp.Or(rates[id], 60), Match: tickback.Parameters{Seed: 1}, Record: &out, Recording: o,
		Advanced: tickback.Advanced{Now: func() time.Time { return now }},
	}
	set(func() tickback.View[S] { return m.View() }, &options)
	m, err := tickback.Local(game, options)
	if err != nil {
		t.Fatal(err)
	}
	for range frames {
		now = now.Add(time.Second / time.Duration(options.TickRate))
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

func tanksFile(t testing.TB, frames int, o tickback.RecordOptions) []byte {
	return record(t, tanks.Game(1), tanks.ID, 12, frames, o, tanks.Bot{Seed: 1, Mood: tanks.Busy}.Input)
}

// skirmishFile records a skirmish of three bots, in which one resigns.
func skirmishFile(t testing.TB, frames int, o tickback.RecordOptions) []byte {
	setup := skirmish.Setup{Seed: 1, Size: 64, Players: 3, Units: 12}
	game, err := skirmish.New(setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	return recordWith(t, game, skirmish.ID, 3, frames, o, func(view func() tickback.View[skirmish.World], o *tickback.Options[skirmish.World, skirmish.Input]) {
		o.MaxOrders, o.Match.Data = skirmish.MaxOrderBytes, setup.Data()
		o.Sample = func(tickback.Player) (in skirmish.Input) { return in }
		o.Orders = func(p tickback.Player) []byte {
			if v := view(); p != 1 || v.Frame != 200 {
				return skirmish.Bot{Seed: uint64(p)}.Orders(nil, p, v.Current)
			}
			resign := skirmish.Order{Verb: skirmish.Resign}
			return resign.Append(nil)
		}
	})
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

// finish runs a task to its end.
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
