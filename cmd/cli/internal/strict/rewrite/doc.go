// Package rewrite runs between the go command and the compiler in a strict build (go build -toolexec). It passes the
// compiler the sources of each package, with changes to conversions whose result depends on the processor: of floats
// that the integer cannot hold or that are not numbers, of wide integers to float32, and the sign of a NaN in
// math.Copysign. No compiler flag does that for all processors. Line numbers are preserved, so errors, stack traces
// and debuggers show the same ones.
package rewrite
