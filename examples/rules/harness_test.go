package rules

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// frames is how many the tests here play.
const frames = 40

// subject is a game, whatever its state is.
type subject interface {
	noticed(t *testing.T) string
	diverges(t *testing.T, between func()) bool
}

type game[S any] struct {
	rules  rollback.Definition[S, Input]
	orders int // bytes that a player may give in a frame
}

// script is what the players do: nothing random, so that a test here is quick, and finds
// each time what it finds.
var script = tickbacktest.Options[Input]{
	Frames: frames, Longest: frames,
	Inputs: func(p rollback.Player, f rollback.Frame) Input {
		return Input{Fire: (f+rollback.Frame(p))%3 != 0, Move: int8(f % 5)}
	},
}

// noticed returns who finds something wrong with a game, as the page calls them.
func (g game[S]) noticed(t *testing.T) string {
	t.Helper()
	var by []string
	options := script
	if g.orders > 0 {
		options = tickbacktest.Options[Input]{Frames: 8, Longest: 8, MaxOrders: g.orders} // in a script there are none
	}
	for range 3 { // once in some thousands of times, a map comes in the same order whenever it is walked
		if _, err := rollback.New(g.rules, rollback.Config{Players: 2, Local: 3, SyncTest: 4}); err != nil {
			return "construction"
		}
	}
	for _, check := range []struct {
		name string
		run  func(t testing.TB)
	}{
		{"SyncTest", func(t testing.TB) { tickbacktest.SyncTest(t, g.rules, options) }},
		{"Twins", func(t testing.TB) { tickbacktest.Twins(t, g.rules, options) }},
		{"Purity", func(t testing.TB) { tickbacktest.Purity(t, g.rules, options) }},
	} {
		if text := tickbacktest.Failure(t, check.run); text != "" {
			t.Log(text)
			by = append(by, check.name)
		}
	}
	if len(by) == 0 {
		return "nothing"
	}
	return strings.Join(by, ", ")
}

// diverges simulates each frame twice from the same state and the same inputs, and reports
// whether it ever comes out differently. In between something happens that is in neither.
func (g game[S]) diverges(t *testing.T, between func()) bool {
	t.Helper()
	box, err := rollback.NewSandbox(g.rules, 2, 1)
	must(t, err)
	for f := range rollback.Frame(frames) {
		frame := rollback.SandboxFrame[Input]{Frame: f, Inputs: []Input{script.Inputs(0, f), script.Inputs(1, f)}}
		var hashes [2]uint64
		must(t, box.Save(0))
		for i := range hashes {
			if i == 1 {
				must(t, box.Restore(0))
				between()
			}
			_, err := box.Step(frame)
			must(t, err)
			hashes[i], err = box.Hash()
			must(t, err)
		}
		if hashes[0] != hashes[1] {
			return true
		}
	}
	return false
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
