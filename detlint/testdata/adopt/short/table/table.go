// Package table has the name of a type of another package.
package table

// Turn computes something.
func Turn(n int) int { return n + 1 }
