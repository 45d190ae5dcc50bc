package cli

import (
	"fmt"
	"strings"
)

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

// find returns the game with this ID.
func (g games) find(id string) (Game, error) {
	for _, game := range g {
		if game.info().id == id {
			return game, nil
		}
	}
	return nil, usagef("no game %q; there are: %s", id, strings.Join(g.ids(), ", "))
}

// classic returns those that RPLK and RBN1 can hold.
func (g games) classic() (list games) {
	for _, game := range g {
		if game.info().classic {
			list = append(list, game)
		}
	}
	return list
}

func (g games) ids() []string {
	ids := make([]string, len(g))
	for i, game := range g {
		ids[i] = game.info().id
	}
	return ids
}
