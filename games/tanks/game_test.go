package tanks_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// With late inputs the match is the same as with timely ones: it has the same last state, with a player who leaves and
// one who comes back.
func TestLateInputsLeadToTheSameMatch(t *testing.T) {
	const frames, leaves, returns, window, players = 1500, 300, 700, 8, 4
	straight, bot := tanks.New(5), tanks.Bot{Seed: 5, Mood: tanks.Busy}
	var inputs [frames][tanks.MaxPlayers]tanks.Input
	for f := range inputs {
		present := first(players)
		if f >= leaves && f < returns {
			present = first(players - 1)
		}
		inputs[f] = botInputs(bot, &straight, present.Len())
		tanks.Step(&straight, &inputs[f], present, nil)
	}
	e, err := rollback.New(tanks.Game(5), rollback.Config{Players: players, Local: rollback.SetOf(0), Window: window})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	deliver := func(p rollback.Player, until int) {
		t.Helper()
		end := rollback.Frame(max(0, min(until, frames)))
		for f := e.Next(p); f < end; f = e.Next(p) { // Next is NoFrame for a player who is gone
			must(e.AddInput(p, f, inputs[f][p], nil))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for f := range frames {
		switch f {
		case leaves - 20:
			must(e.Disconnect(players-1, leaves))
		case returns - 20:
			must(e.Connect(players-1, returns))
		}
		for p := rollback.Player(1); p < players; p++ {
			deliver(p, f+1-window+r.IntN(window+1))
		}
		must(e.AddLocal(0, inputs[f][0], nil))
		must(e.Tick())
		e.Effects()
		must(e.Agree(e.Confirmed()))
	}
	for p := rollback.Player(1); p < players; p++ {
		deliver(p, frames)
	}
	must(e.Settle())
	same(t, "the last state", &straight, e.State())
	holds(t, "there were rollbacks", e.Stats().Rollbacks > frames/10)
	holds(t, "and fights", straight.Tanks[0].Kills > 1)
}

// The sync test of the engine finds nothing: every frame, simulated again from its snapshot, gives the same state and
// the same effects.
func TestSyncTestPasses(t *testing.T) {
	const depth = 7
	e, err := rollback.New(tanks.Game(1), rollback.Config{Players: everybody, Local: first(everybody), Window: depth, SyncTest: depth})
	if err != nil {
		t.Fatal(err)
	}
	bot := tanks.Bot{Seed: 1, Mood: tanks.Busy, Seen: 3}
	for range 1000 {
		for p := range rollback.Player(everybody) {
			if err := e.AddLocal(p, bot.Input(p, e.Frame(), e.State()), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Tick(); err != nil {
			t.Fatal(err)
		}
	}
}

// The engine reports the result of a match.
func TestAMatchFinishes(t *testing.T) {
	e, err := rollback.New(tanks.Game(1), rollback.Config{Players: 2, Local: first(2)})
	if err != nil {
		t.Fatal(err)
	}
	bot := tanks.Bot{Seed: 1, Mood: tanks.Busy}
	for !e.State().Over() {
		// Player 1 never shoots.
		in := bot.Input(1, e.Frame(), e.State())
		in.Buttons = 0
		for p, in := range []tanks.Input{bot.Input(0, e.Frame(), e.State()), in} {
			if err := e.AddLocal(rollback.Player(p), in, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Tick(); err != nil {
			t.Fatal(err)
		}
		if err := e.Agree(e.Confirmed()); err != nil {
			t.Fatal(err)
		}
	}
	outcome, ok := e.Result()
	want(t, "there is a result", ok, true)
	want(t, "after five minutes", e.Frame(), 5*60*20)
	winner, ok := tanks.WinnerOf(outcome.Result)
	want(t, "with a winner", ok, true)
	want(t, "who shoots", winner, 0)
	over := *e.State()
	next := over
	tanks.Step(&next, &[tanks.MaxPlayers]tanks.Input{ahead, ahead}, first(2), nil)
	same(t, "nothing moves any more", &over, &next)
}

func TestWhoHasMoreKillsHasWon(t *testing.T) {
	for _, c := range []struct {
		kills, deaths [3]uint16
		want          uint64
	}{
		{[3]uint16{}, [3]uint16{}, tanks.Draw},
		{[3]uint16{}, [3]uint16{1, 0, 1}, tanks.Draw},
		{[3]uint16{1, 3, 2}, [3]uint16{0, 9, 0}, 2},
		{[3]uint16{3, 3, 2}, [3]uint16{4, 5, 0}, 1},
		{[3]uint16{3, 3, 2}, [3]uint16{5, 5, 0}, tanks.Draw},
		{[3]uint16{3, 3, 4}, [3]uint16{5, 5, 9}, 3},
	} {
		var s tanks.State
		for p := range c.kills {
			s.Tanks[p].Kills, s.Tanks[p].Deaths = c.kills[p], c.deaths[p]
		}
		want(t, "result", s.Result(), c.want)
		winner, ok := tanks.WinnerOf(c.want)
		want(t, "winner", ok, c.want != tanks.Draw)
		want(t, "number", uint64(winner)+uint64(btoi(ok)), c.want)
	}
	_, ok := tanks.WinnerOf(tanks.MaxPlayers + 1)
	want(t, "nobody", ok, false)
}

func TestAMatchStartsWithItsSeedAndRule(t *testing.T) {
	for data, want := range map[string]tanks.State{"": tanks.New(3), "endless": tanks.New(3).Endless()} {
		start, err := tanks.Start(3, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		var got tanks.State
		if start(&got); got != want {
			t.Errorf("%q: another state 0", data)
		}
	}
	if _, err := tanks.Start(3, []byte("short")); err == nil {
		t.Error("a short match is taken")
	}
	s := tanks.New(3).Endless()
	for range 2 * tanks.MatchTicks {
		tanks.Step(&s, &[tanks.MaxPlayers]tanks.Input{}, first(2), nil)
	}
	want(t, "endless", s.Over(), false)
	want(t, "the time goes on", s.Frame, 2*tanks.MatchTicks)
}

// A search for inputs with which a frame differs when it is simulated again finds none, with all places taken, players
// that come and go, and any inputs.
func TestAHuntFindsNothing(t *testing.T) {
	tickbacktest.SyncTest(t, tanks.Game(1), tickbacktest.Options[tanks.Input]{Players: tanks.MaxPlayers, Longest: 3000})
}
