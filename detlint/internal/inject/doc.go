// Package inject makes faults on purpose, to measure what finds them. A [Fault] is one of the [Kinds] of
// nondeterminism, in one of the [Shapes], at a place that the step of a game reaches: it changes a variable there by
// a number that differs between machines, or when the frame is resimulated.
//
// A kind is code that computes a number from something that the step must not depend on. A shape is how that code is
// reached from the place: directly, in a function of the package or of another one, in the method of an interface, in
// a function literal. The lines at fault are marked with [Mark].
package inject
