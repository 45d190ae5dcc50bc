// Package programs makes whole programs at random, in the shapes in which people write games: each in two halves that
// differ by an expression or a statement. One half has a flaw that makes machines diverge, at the end of a random
// path from the step of its game; the other one has none. So they measure what an analyzer finds, what it misses, and
// what it reports by mistake. The same seed makes the same program.
//
// A flaw is code from a table, sorted by rules; a hop is one of the ways in which code leads to other code; a root is
// one of the ways in which a game is made. Correct code that looks suspicious is put between them. The tables are
// written from what people write, not from what the analyzer finds.
package programs
