// Package games has what all families of commands need from games: the list of them, what is known about each without
// playing it, and defaults for the optional parts of a Spec.
package games
