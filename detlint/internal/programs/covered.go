package programs

import (
	"slices"
	"strings"
)

// Covered returns the names of the flaws that programs are made with and that a rule has to find, in the order of the
// tables.
func Covered(rule string) (names []string) {
	all := flaws()
	for _, f := range roles {
		all = append(all, f.flaw)
	}
	for _, f := range all {
		if slices.Contains(strings.Fields(f.rules), rule) {
			names = append(names, f.name)
		}
	}
	return names
}

// Ways returns the names of the ways in which code calls other code, and of the ways in which a game is made.
func Ways() (code, games []string) {
	for _, h := range hops {
		code = append(code, h.name)
	}
	for _, r := range roots {
		games = append(games, r.name)
	}
	return code, games
}
