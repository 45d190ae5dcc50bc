package rules

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// frozen is the digest of a minute, on every machine.
const frozen = 0xc052c4febd64d61a

// minute is what that minute is.
var minute = tickbacktest.Options[Input]{Players: Seats, Frames: 3600, Inputs: script}

// Rule: a minute of play comes to the same states on every machine.
func TestFrozenMinute(t *testing.T) {
	strictly(t)
	tickbacktest.Frozen(t, Game, minute, frozen)
}

// Negative control: the same game, built otherwise, does not, where the compiler fuses products.
func TestAPlainBuildComesToOtherFloats(t *testing.T) {
	if _, err := strict.Proof(); err == nil || !fused() {
		t.Skip("products are not fused here")
	}
	plain := Game
	plain.Floats = 0
	if tickbacktest.Failure(t, func(t testing.TB) { tickbacktest.Frozen(t, plain, minute, frozen) }) == "" {
		t.Error("a build that fuses products comes to the states of one that does not: the minute shows nothing")
	}
}

// Rule: a program that was not built for it is refused, and told how to build.
func TestAPlainBuildIsRefused(t *testing.T) {
	if _, err := strict.Proof(); err == nil {
		t.Skip("this is a strict build")
	}
	if _, err := rollback.New(Game, rollback.Config{Players: 2, Local: 1}); !errors.Is(err, strict.ErrNot) {
		t.Errorf("%v", err)
	}
}

// Rule: the step comes to the same states when it goes back and simulates again, and in a second instance.
func TestDeterminism(t *testing.T) {
	strictly(t)
	opts := tickbacktest.Options[Input]{Players: Seats, Frames: 30, Longest: 90}
	if testing.Short() {
		opts = tickbacktest.Options[Input]{Players: Seats, Frames: 120, Inputs: script}
	}
	tickbacktest.Check(t, Game, opts)
}

// Rule: whole matches between machines, on a bad network, with those who come late, agree.
func TestMatchesOnABadNetwork(t *testing.T) {
	strictly(t)
	tickbacktest.Match(t, Game, 3, "awful")
}

// Rule: a machine that goes back whenever it has predicted wrongly comes to the states of one that knew all inputs.
func TestRollbacksComeToTheSame(t *testing.T) {
	strictly(t)
	const frames, late = 600, 7
	known := engine(t, everybody, 0)
	guessed := engine(t, 1, late+1)
	var want, got []uint64
	for f := range rollback.Frame(frames) {
		for p := range rollback.Player(Seats) {
			must(t, known.AddLocal(p, script(p, f), nil))
		}
		must(t, guessed.AddLocal(0, script(0, f), nil))
		for p := rollback.Player(1); p < Seats && f >= late; p++ {
			must(t, guessed.AddInput(p, f-late, script(p, f-late), nil))
		}
		must(t, known.Tick())
		must(t, guessed.Tick())
		want, got = agreed(t, known, want), agreed(t, guessed, got)
	}
	if n := guessed.Stats().Rollbacks; n < 50 {
		t.Errorf("it went back %d times in %d frames", n, frames)
	}
	if len(got) < frames-late || !slices.Equal(got, want[:len(got)]) {
		t.Errorf("%d and %d hashes, which differ", len(want), len(got))
	}
}

const everybody rollback.PlayerSet = 1<<Seats - 1

func engine(t *testing.T, local rollback.PlayerSet, window int) *rollback.Engine[State, Input] {
	t.Helper()
	e, err := rollback.New(Game, rollback.Config{Players: Seats, Local: local, Window: window, Stream: true, HashEvery: 1})
	must(t, err)
	return e
}

// agreed agrees on what can be agreed, and appends the hashes of it.
func agreed(t *testing.T, e *rollback.Engine[State, Input], hashes []uint64) []uint64 {
	t.Helper()
	must(t, e.Agree(e.Confirmed()))
	for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
		hashes = append(hashes, a.Hash)
	}
	return hashes
}

// Rule: bots come to a winner, in time.
func TestBotsFinish(t *testing.T) {
	strictly(t)
	for _, players := range []rollback.Player{2, 3, 4} {
		if n, result := length(t, players, Seek); result >= uint64(players) || n == Limit {
			t.Errorf("%d players: %d frames, and result %d", players, n, result)
		}
	}
}

// Rule: nobody who does nothing wins, and the match ends all the same.
func TestWhoStandsStillComesToADraw(t *testing.T) {
	strictly(t)
	if n, result := length(t, 2, func(rollback.Player, *State) Input { return Input{} }); n != Limit || result != Draw {
		t.Errorf("%d frames, and result %d", n, result)
	}
}

// length plays a match in which all do the same, to its end.
func length(t *testing.T, players rollback.Player, play func(rollback.Player, *State) Input) (frames int, result uint64) {
	t.Helper()
	match, err := rollback.NewStepper(Game, int(players), 0)
	must(t, err)
	inputs := make([]Input, players)
	for match.Frame() <= Limit {
		for p := range players {
			inputs[p] = play(p, match.State())
		}
		must(t, match.Run(inputs, 0))
		if end, over := match.Result(); over {
			return int(end.Frame) + 1, end.Result
		}
	}
	t.Fatal("the match does not end")
	return
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// strictly skips a test in a program whose floats may differ from those of other machines.
func strictly(t *testing.T) {
	t.Helper()
	if _, err := strict.Proof(); err != nil {
		t.Skip("this is not a strict build: in the folder of this module, it is go run . test --strict ./...")
	}
}

// fused reports whether the compiler has fused a product with a sum.
func fused() bool {
	x := 1 + float64(len(os.Args))*0x1p-30
	return rounded(x, x, -float64(x*x)) != 0
}

//go:noinline
func rounded(x, y, z float64) float64 { return x*y + z }

// script is what a player does in a frame: something for a third of a second, and then something else.
func script(p rollback.Player, f rollback.Frame) Input {
	n := ((uint64(f)+5*uint64(p))/20*Seats + uint64(p) + 1) * 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n ^= n >> 27
	return Input{Left: n&3 == 1, Right: n&3 == 2, Jump: n>>2&3 == 0, Dash: n>>4&1 == 0}
}
