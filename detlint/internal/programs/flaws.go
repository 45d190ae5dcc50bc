package programs

import "slices"

// flaw is code by which machines diverge. In its code, «a¦b» stands for a in the program with the flaw and b in its
// twin.
type flaw struct {
	name  string
	rules string // the rules, one of which must find it
	needs string // "own" if the state must own memory, "plain" if it must not; benign code needs nothing else
	shown string // how a run can demonstrate it, of which tests use bySync; "" if nothing quick can
	decl  string
	body  string
}

// Ways to demonstrate a flaw.
const (
	bySync  = "sync"      // resimulating a frame yields another result
	byProc  = "processes" // two processes yield different results
	byWidth = "386"       // so does a 32-bit machine
	byArm   = "arm64"     // so does an architecture that fuses
	byJoin  = "join"      // so does a machine that starts from the encoded state
)

// flaws returns all flaws.
func flaws() []flaw { return slices.Concat(kept, ordered, around, numbers) }
