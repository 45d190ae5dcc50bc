// Package words has the texts that a player reads, in each language.
//
// English is the source, and is written where a text is used, so that the code is easy to read; the other languages
// are tables by the English text:
//
//	words.T("Play again")
//	words.F("Waiting for %s", name)
//	words.N(rounds, "%d round", "%d rounds")
//
// A text in a table of the code is marked there by [K], and translated where it is shown, by [T]:
//
//	var skills = []string{words.K("easy"), words.K("hard")}
//	... words.T(skills[i])
//
// A test reads the sources of play: each text has a translation in every language, with the same verbs, and no
// translation is unused. Texts of errors of the library stay English.
//
// To add a language, add it to the list in language.go, with tables in files of its own.
package words
