package cli

import "github.com/tickback/tickback/replay"

// survive turns a panic of the game into an error that says where it was.
func survive(work func() error) error { return replay.Survive(work) }
