// Package game is how a game describes itself to the command line: with a [Spec], which package cli takes. That
// package has these types under the same names, so a game's main function only has to import that one.
package game
