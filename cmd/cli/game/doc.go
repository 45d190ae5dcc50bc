// Package game is how a game describes itself to the command line: [Spec], which package cli
// takes. That package has these types under the same names, so a game's main function imports
// it alone.
package game
