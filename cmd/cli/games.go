package cli

import (
	"fmt"
	"strings"
)

// known is a game of which it is known what there is to know without playing it.
type known interface{ info() *gameInfo }

// list is the games that a family of commands has, the usual one first.
type list[G known] []G

// find returns the game with this ID.
func (l list[G]) find(id string) (g G, err error) {
	for _, g := range l {
		if g.info().id == id {
			return g, nil
		}
	}
	return g, fmt.Errorf("no game %q; there are: %s", id, strings.Join(l.ids(), ", "))
}

// classic returns those that RPLK and RBN1 can hold.
func (l list[G]) classic() (some list[G]) {
	for _, g := range l {
		if g.info().classic {
			some = append(some, g)
		}
	}
	return some
}

func (l list[G]) ids() []string {
	ids := make([]string, len(l))
	for i, g := range l {
		ids[i] = g.info().id
	}
	return ids
}
