package cli

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/replay/rplk"
)

// Game is a game as the command line plays it. All fields are required.
type Game struct {
	// ID names the game on the command line and in output: "duel".
	ID string
	// About is a line for help texts.
	About string
	// TickRate is the number of frames in a second of play.
	TickRate int
	// Start returns state 0 of the match with this seed, or why the seed is no
	// good. Recordings never have seed 0.
	Start func(seed uint32) (Match, error)
	// Scripts lists the input scripts of the sim command, the usual one first.
	Scripts []string
	// Script returns a new run of one of them. It is asked for each frame once,
	// in order, from frame 0.
	Script func(name string, seed uint32) (func(frame uint32) rplk.Inputs, error)
}

// Match is a match in progress.
type Match interface {
	// Play advances the match by one frame for each element, and keeps nothing
	// of the slice.
	Play(inputs []rplk.Inputs)
	// Checksum identifies the present state, in the form in which it is shown:
	// "0x" and hexadecimal digits.
	Checksum() string
}

// start is Start, held to what it promises.
func (g Game) start(seed uint32) (Match, error) {
	match, err := g.Start(seed)
	if err != nil {
		return nil, err
	}
	if match == nil {
		return nil, fmt.Errorf("the game %s gave no match and no error", g.ID)
	}
	if _, err := parseChecksum(match.Checksum()); err != nil {
		return nil, fmt.Errorf("the game %s gave the checksum %q, which is not 0x and hexadecimal digits", g.ID, match.Checksum())
	}
	return match, nil
}

// games is what the command line was given, in order.
type games []Game

// check panics on a game that is not complete: a mistake in the program.
func (g games) check() {
	if len(g) == 0 {
		panic("cli: no game was given")
	}
	seen := map[string]bool{}
	for _, game := range g {
		switch {
		case game.ID == "" || game.Start == nil || game.Script == nil || len(game.Scripts) == 0 || game.TickRate <= 0:
			panic(fmt.Sprintf("cli: game %q is not complete: it needs ID, TickRate, Start, Scripts and Script", game.ID))
		case seen[game.ID]:
			panic(fmt.Sprintf("cli: two games have the ID %q", game.ID))
		}
		seen[game.ID] = true
	}
}

// find returns the game with this ID.
func (g games) find(id string) (Game, error) {
	for _, game := range g {
		if game.ID == id {
			return game, nil
		}
	}
	return Game{}, usagef("no game %q; there are: %s", id, strings.Join(g.ids(), ", "))
}

func (g games) ids() []string {
	ids := make([]string, len(g))
	for i, game := range g {
		ids[i] = game.ID
	}
	return ids
}
