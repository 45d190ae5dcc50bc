// Package game has the types with which a game describes itself to the command line, above all [Spec]. Package cli has
// the same types under the same names, so a game's main function only has to import that one.
package game
