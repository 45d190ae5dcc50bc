package cli

import "fmt"

// Game is a game as the command line knows it; [NewGame] makes one. Each family of
// commands has its own view of it.
type Game struct {
	info      *gameInfo
	match     matchGame
	spectate  spectateGame
	sim       simGame
	soak      soakGame
	recording recordingsGame
	report    reportsGame
}

// NewGame returns the game that a Spec describes. One that is not complete is a
// mistake in the program, and a panic that names what is missing.
func NewGame[S any, I comparable](spec Spec[S, I]) Game {
	g := newTyped(spec)
	return Game{
		info: g.info(), match: newMatchGame(g), spectate: newSpectateGame(g), sim: newSimGame(g), soak: newSoakGame(g),
		recording: newRecordingsGame(g), report: newReportsGame(g),
	}
}

// games is what the command line was given, in order.
type games []Game

// check panics on what cannot be: a mistake in the program.
func (g games) check() {
	if len(g) == 0 {
		panic("cli: no game was given")
	}
	seen := map[string]bool{}
	for _, id := range g.ids() {
		if seen[id] {
			panic(fmt.Sprintf("cli: two games have the ID %q", id))
		}
		seen[id] = true
	}
}

func (g games) ids() []string {
	ids := make([]string, len(g))
	for i, game := range g {
		ids[i] = game.info.id
	}
	return ids
}

// views are what one family of commands sees of the games.
func views[G any](all games, view func(g *Game) G) []G {
	list := make([]G, len(all))
	for i := range all {
		list[i] = view(&all[i])
	}
	return list
}
