// Package strict has the commands build, test and run of the go command, for floats that are the same everywhere:
// with --strict no product is fused with a sum, and package math is replaced by package portable, in everything that
// is linked.
//
// The go command does the work. It is also given an overlay, which replaces the sources of package math in the build,
// a compiler flag for every package, and a text for the linker that tells the program how it was built.
package strict
