package cli

import "github.com/tickback/tickback/cmd/cli/game"

// The types with which a game describes itself, so that it only has to import this package.
type (
	// Spec describes a game for the command line: S is its state, I what a player does in one frame. [game.Spec]
	// lists its fields.
	Spec[S any, I comparable] = game.Spec[S, I]
	// Setting is a number that can be chosen for a match; see [game.Setting].
	Setting = game.Setting
	// Bot plays instead of a person; see [game.Bot].
	Bot[S any, I comparable] = game.Bot[S, I]
	// Script plays without looking at the state; see [game.Script].
	Script[I comparable] = game.Script[I]
	// Classic has what recordings of RPLK v1 and the protocol RBN1 need from a game; see [game.Classic].
	Classic[S any, I comparable] = game.Classic[S, I]
	// Served describes a game whose matches a server can own; see [game.Served].
	Served[S any, I comparable] = game.Served[S, I]
	// Screen lets people play a game in a terminal; see [game.Screen].
	Screen[S any, I comparable] = game.Screen[S, I]
)
