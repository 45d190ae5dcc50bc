package robots

import "github.com/tickback/tickback/rollback"

// lastID is the newest id, in a variable of the process, as in the engine that this game was ported from.
var lastID uint32

// Ported returns the same game with the old code left as it was: ids come from a variable of the process.
// That works, because a global variable can be saved, restored, hashed, compared, encoded and described like
// anything else; here all of that goes through the image, which asks [World] where the id is kept. It has
// disadvantages:
//
//   - There is no New: a second game would count with the same variable. So there is one engine or sandbox at a
//     time in a process, and the next one's Init takes the variable over. Nothing enforces that; but otherwise
//     hashes differ from other machines', and sync tests fail.
//   - Nothing that walks a World can see the variable. Without Hash, states that differ in nothing else have
//     the same hash; without Describe, no report can name it.
//
// [Cured] has neither problem.
func Ported(seed uint64) rollback.OwnMemory[World, Snapshot, Action] {
	g := Game(seed)
	g.New = nil
	g.Init = func(w *World) {
		w.ported = true
		w.reset(seed)
	}
	return g
}

// Cured returns the ported game with the old code left as it was, but without the variable in the state: Step
// puts the world's own value into the variable, runs the old code, and takes the value out again. Between
// steps nothing depends on the variable, so that the game can have a New, and any number of matches can run,
// as long as they take turns on one goroutine.
func Cured(seed uint64) rollback.OwnMemory[World, Snapshot, Action] {
	g := Game(seed)
	g.Step = func(w *World, t *rollback.Tick[Action]) {
		w.ported, lastID = true, w.LastID //detlint:ignore globals the step puts the value of the world into it, and takes it out again
		w.step(t)
		w.ported, w.LastID = false, lastID
	}
	return g
}
