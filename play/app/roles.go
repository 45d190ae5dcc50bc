package app

import (
	"slices"

	"github.com/tickback/tickback/play/words"
)

// Nobody is the name of an empty place in recordings; it is marked for translation.
var Nobody = words.K("nobody")

// Names that the client itself assigns, marked for translation. Recordings contain them untranslated, since they may
// be watched in another language.
var (
	roleYou     = words.K("YOU")
	roleBot     = words.K("BOT")
	rolePlayers = [2]string{words.K("PLAYER 1"), words.K("PLAYER 2")}
	roleBots    = [2]string{words.K("BOT ADA"), words.K("BOT BO")}
)

// called returns a name in the current language if the client has assigned it, otherwise unchanged.
func called(name string) string {
	if name == Nobody || name == roleYou || name == roleBot || slices.Contains(rolePlayers[:], name) || slices.Contains(roleBots[:], name) {
		return words.T(name)
	}
	return name
}

// callAll stores the names in shown, translated to the current language: see called.
func callAll(shown, names []string) {
	for i, name := range names {
		shown[i] = called(name)
	}
}
