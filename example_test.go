package tickback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/tickbacktest"
)

// State is a small game: two balls, each steered by a player.
type State struct {
	Ball  [2]fixed.Vec2
	Speed [2]fixed.Vec2
	Rng   rng.Xorshift128Plus
}

// Input is what one player does in one frame.
type Input struct {
	Turn fixed.Num // by so many radians
}

// Bump is the sound of two balls that touch. It comes from where they touch.
var Bump = effects.OneShot[fixed.Vec2](1, "bump")

func initialise(s *State) {
	s.Rng = rng.New(42)
	s.Speed = [2]fixed.Vec2{{X: fixed.One}, {Y: fixed.One}}
	s.Ball[1].X = rng.Must(s.Rng.Fixed(fixed.FromInt(4), fixed.FromInt(8)))
}

// step drives the state of one frame to the next. Nothing else may influence it.
func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		s.Speed[p] = s.Speed[p].Rotate(t.Input(p).Turn)
		s.Ball[p] = s.Ball[p].Add(s.Speed[p])
	}
	if s.Ball[0].Distance(s.Ball[1]) < fixed.One {
		Bump.Emit(t.Effects(), 0, s.Ball[0])
	}
}

var game = rollback.Game[State, Input]{
	Init: initialise, Step: step, Effects: []effects.Declaration{Bump},
}

// Player 0 is local; player 1's inputs arrive three frames late. The match ends as if everything had arrived in time.
// Twenty seconds are longer than the engine's memory, so it has to be told which frames the others have.
func Example() {
	e, err := rollback.New(game, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	mine := Input{Turn: fixed.FromRatio(1, 4)}
	theirs := func(f rollback.Frame) Input { return Input{Turn: fixed.FromRatio(int64(f%7), 14)} }
	for f := rollback.Frame(0); f < 1200; f++ {
		if f >= 3 {
			err = e.AddInput(1, f-3, theirs(f-3), nil) // when it comes, in any order
		}
		if err == nil {
			err = e.AddLocal(0, mine, nil) // once a frame
		}
		if err == nil {
			err = e.Tick() // goes back and simulates again if it has to
		}
		if err == nil {
			err = e.Agree(e.Confirmed()) // what the others have, too; the engine forgets what lies before it
		}
		for _, sound := range e.Effects() {
			if sound.Frame > 100 {
				break // the rest is as at the beginning
			}
			fmt.Println(sound.What, Bump.Name(), "in frame", sound.Frame)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(e.Stats().Rollbacks, "rollbacks,", e.Stats().Resimulated, "frames simulated again")
	// Output:
	// started bump in frame 6
	// started bump in frame 7
	// confirmed bump in frame 6
	// cancelled bump in frame 7
	// 1196 rollbacks, 3588 frames simulated again
}

// Simulating every frame twice, with random matches and a second instance under load, takes one line.
func TestDeterminism(t *testing.T) {
	tickbacktest.Check(t, game, tickbacktest.Options[Input]{Players: 2})
}

// Playing between two machines over bad networks takes one line.
func TestMatch(t *testing.T) { tickbacktest.Match(t, game, 2, "all") }

// Two copies that are given the same inputs stay equal; canon says whether they do, and what differs if not.
func Example_compare() {
	plan, err := canon.PlanFor[State]()
	if err != nil {
		fmt.Println(err) // names every field that could differ between machines
		return
	}
	var mine, theirs State
	initialise(&mine)
	initialise(&theirs)
	fmt.Println(plan.Hash(&mine) == plan.Hash(&theirs))

	theirs.Speed[1].X = fixed.Half
	fmt.Println(plan.Hash(&mine) == plan.Hash(&theirs))
	fmt.Println(plan.Diff(&mine, &theirs, 10))
	// Output:
	// true
	// false
	// Speed[1].X: 0 != 0.5
}

// The reference game: replay inputs, compare the checksum of the last state.
func Example_duel() {
	script, err := duel.Scripted("golden", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := duel.New(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for frame := range uint32(1000) {
		duel.Step(&state, script(frame))
	}
	fmt.Printf("0x%08X\n", duel.Checksum(&state))
	// Output: 0x41B73DB7
}
