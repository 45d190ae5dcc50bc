package games

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// Known is a game with its Info.
type Known interface{ Info() *Info }

// List is the games of a family of commands. The first one is the default.
type List[G Known] []G

// Find returns the game with this ID.
func (l List[G]) Find(id string) (g G, err error) {
	for _, g := range l {
		if g.Info().ID == id {
			return g, nil
		}
	}
	if near := console.Nearest(id, l.IDs()); near != "" {
		return g, fmt.Errorf("no game %q; did you mean %s?", id, near)
	}
	return g, fmt.Errorf("no game %q; there are: %s", id, strings.Join(l.IDs(), ", "))
}

// Classic returns the games that RPLK and RBN1 support.
func (l List[G]) Classic() (some List[G]) {
	for _, g := range l {
		if g.Info().Classic {
			some = append(some, g)
		}
	}
	return some
}

// IDs returns the IDs of the games, in order.
func (l List[G]) IDs() []string {
	ids := make([]string, len(l))
	for i, g := range l {
		ids[i] = g.Info().ID
	}
	return ids
}
