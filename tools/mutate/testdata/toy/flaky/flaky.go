// Package flaky has a test that fails now and then.
package flaky

// Limit is a constant, whose mutants are tried one at a time.
const Limit = 3

// Double is a function, whose mutants are tried together.
func Double(n int) int { return 2 * n }
