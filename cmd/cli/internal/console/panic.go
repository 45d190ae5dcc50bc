package console

import "github.com/tickback/tickback/replay"

// CatchPanic turns a panic of the game into an error that says where it occurred.
func CatchPanic(work func() error) error { return replay.Survive(work) }
