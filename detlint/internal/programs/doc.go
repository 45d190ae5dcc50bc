// Package programs makes whole programs in the shapes in which people write games, at random: each
// in two halves that differ by an expression or a statement. One half has a flaw by which machines
// diverge, at the end of a random way from the step of its game; the other one has none. So they
// measure what an analyzer finds, what it misses, and what it accuses. The same seed makes the same
// program.
//
// A flaw is code from a table by the rules; a hop is one of the ways in which code leads to other
// code; a root is one of the ways in which a game is made. Code that is right, and looks as if it
// might not be, stands between them. The tables are written from what people write, not from what
// the analyzer finds.
package programs
