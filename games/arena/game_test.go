package arena_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// recording is a match that bots have played without delays.
type recording struct {
	inputs [][arena.MaxPlayers]arena.Input
	last   arena.State
}

// record makes four bots play for the given number of frames. Player 3 is away in some of them.
func record(frames, leaves, returns int) recording {
	r := recording{last: arena.New(5)}
	bot := arena.Bot{Seed: 5, Skill: arena.Normal}
	for f := range frames {
		present := first(4)
		if f >= leaves && f < returns {
			present = first(3)
		}
		var in [arena.MaxPlayers]arena.Input
		for p := range present.All() {
			in[p] = bot.Input(p, rollback.Frame(f), &r.last)
		}
		arena.Step(&r.last, &in, present, nil)
		r.inputs = append(r.inputs, in)
	}
	return r
}

// late runs a recording through an engine whose remote inputs are late by a random number of frames, up to the window.
type late struct {
	testing.TB
	*rollback.Engine[arena.State, arena.Input]
	recording
	rand *rand.Rand
}

const lateWindow = 8

func newLate(t testing.TB, r recording) *late {
	t.Helper()
	e, err := rollback.New(arena.Game(5), rollback.Config{Players: 4, Local: rollback.SetOf(0), Window: lateWindow})
	if err != nil {
		t.Fatal(err)
	}
	return &late{t, e, r, rand.New(rand.NewPCG(1, 2))}
}

// deliver adds the inputs of player p for the frames below until.
func (l *late) deliver(p rollback.Player, until int) {
	l.Helper()
	end := rollback.Frame(max(0, min(until, len(l.inputs))))
	for f := l.Next(p); f < end; f++ { // Next is NoFrame for a player who is gone
		l.must(l.AddInput(p, f, l.inputs[f][p], nil))
	}
}

func (l *late) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// tick runs frame f. Half of the time, a remote player's inputs are as late as possible.
func (l *late) tick(f int) {
	l.Helper()
	for p := rollback.Player(1); p < 4; p++ {
		until := f + 1 - lateWindow
		if l.rand.IntN(2) == 0 {
			until += l.rand.IntN(lateWindow + 1)
		}
		l.deliver(p, until)
	}
	l.must(l.AddLocal(0, l.inputs[f][0], nil))
	l.must(l.Tick())
	l.Effects()
	l.must(l.Agree(l.Confirmed()))
}

// With late inputs the match is the same as with timely ones: it has the same last state, with a player who leaves and
// one who comes back.
func TestLateInputsLeadToTheSameMatch(t *testing.T) {
	const frames, leaves, returns = 3000, 700, 1500
	l := newLate(t, record(frames, leaves, returns))
	for f := range frames {
		switch f {
		case leaves - 20:
			l.must(l.Disconnect(3, leaves))
		case returns - 20:
			l.must(l.Connect(3, returns))
		}
		l.tick(f)
	}
	for p := rollback.Player(1); p < 4; p++ {
		l.deliver(p, frames)
	}
	l.must(l.Settle())
	if report := plan(t).Diff(&l.last, l.State(), 10); report.Total > 0 {
		t.Error(report)
	}
	holds(t, "there were rollbacks", l.Stats().Rollbacks > frames/10)
	holds(t, "and fights", l.last.Round > 1)
}

// The sync test of the engine finds nothing: every frame, simulated again from its snapshot, gives the same state and
// the same effects.
func TestSyncTestPasses(t *testing.T) {
	const players, depth = 8, 7
	e, err := rollback.New(arena.Game(1), rollback.Config{Players: players, Local: first(players), Window: depth, SyncTest: depth})
	if err != nil {
		t.Fatal(err)
	}
	bot := arena.Bot{Seed: 1, Skill: arena.Hard}
	for range 1500 {
		for p := range rollback.Player(players) {
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
	e, err := rollback.New(arena.Game(1), rollback.Config{Players: 2, Local: first(2)})
	if err != nil {
		t.Fatal(err)
	}
	bots := [2]arena.Bot{{Skill: arena.Easy}, {Skill: arena.Hard}}
	for e.State().Phase != arena.MatchOver {
		for p := range rollback.Player(2) {
			if err := e.AddLocal(p, bots[p].Input(p, e.Frame(), e.State()), nil); err != nil {
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
	winner, ok := arena.WinnerOf(outcome.Result)
	want(t, "with a winner", ok, true)
	want(t, "the better bot", winner, 1)
}
