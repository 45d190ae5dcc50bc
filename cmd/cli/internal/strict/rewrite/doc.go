// Package rewrite stands between the go command and the compiler in a strict build (go build -toolexec), and gives the compiler
// the sources of each package with those conversions changed that are the processor's otherwise: of floats that the integer cannot
// hold or that are no numbers, of wide integers to float32, and the sign of a NaN in math.Copysign. No flag of the compiler
// does that on all processors. Lines stay as they are, so errors, stacks and debuggers name the same ones.
package rewrite
