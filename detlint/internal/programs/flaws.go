package programs

import "slices"

// flaw is code by which machines diverge. In its code, «a¦b» is a in the program with the flaw and b in its twin.
type flaw struct {
	name  string
	rules string // one of which has to find it
	needs string // "own" if the state has to own memory, "plain" if it must not; benign code needs no more
	shown string // by what a run can show it, of which tests run bySync; "" by nothing that is quick
	decl  string
	body  string
}

// What shows a flaw.
const (
	bySync  = "sync"      // a frame that is simulated again comes to something else
	byProc  = "processes" // two processes come to something else
	byWidth = "386"       // so does one for a machine of 32 bits
	byArm   = "arm64"     // so does one for an architecture that fuses
	byJoin  = "join"      // so does who has the encoded state
)

// flaws are all.
func flaws() []flaw { return slices.Concat(kept, ordered, around, numbers) }
