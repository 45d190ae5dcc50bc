// Package inject makes faults on purpose, to measure what finds them. A [Fault] is one of the
// [Kinds] of nondeterminism, in one of the [Shapes], at a place that the step of a game reaches:
// it changes a variable there by a number that is not the same on every machine, or not when the
// frame is simulated again.
//
// A kind is code that computes a number out of what it must not depend on. A shape is how that code
// is reached from the place: it stands there, in a function of the package or of another one, in
// the method of an interface, in a function literal. The lines that are at fault carry a [Mark].
package inject
