// Package games is what a family of commands asks of its games: which there are, what is known of
// them without playing, and the parts of a Spec that may be missing.
package games
