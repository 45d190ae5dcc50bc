package programs

import "slices"

// flaw is code that makes machines diverge. In its code, «a¦b» stands for a in the program with the flaw and b in
// its twin.
type flaw struct {
	name  string
	rules string // rules; one of them must find it
	needs string // "own" if the state must own memory, "plain" if it must not; benign code needs nothing else
	shown string // how a run can demonstrate it (tests use bySync); "" if nothing quick can
	decl  string
	body  string
}

// Ways to demonstrate a flaw.
const (
	bySync  = "sync"      // resimulating a frame yields another result
	byProc  = "processes" // two processes yield different results
	byWidth = "386"       // a 32-bit machine also yields another result
	byArm   = "arm64"     // an architecture that fuses also yields another result
	byJoin  = "join"      // a machine that starts from the encoded state also yields another result
)

// flaws returns all flaws.
func flaws() []flaw { return slices.Concat(kept, ordered, around, numbers) }
