// Package games has what all families of commands need to know about games: the list of games, what is known about
// each without playing it, and defaults for the optional parts of a Spec.
package games
