// Command cabi is the C interface of Tickback: a library for C, and for whatever calls C. It is not run. Build it with
// cgo as a shared or a static library:
//
//	go build -buildmode=c-shared -o libtickback.so .
//	go build -buildmode=c-archive -o libtickback.a .
//
// The Makefile beside it does that with versioned symbols, and installs it with a file for pkg-config. Its functions
// are in include/tickback.h, with their documentation; docs/c.md is the guide.
//
// # How it is made
//
// The C half (glue.c) looks at every argument, handle and thread before Go is entered, since Go would end the process
// for some of them. The Go half gives the engine the state of the game as a block of memory: a game that owns its memory,
// of which the library saves, compares, hashes and sends the bytes. The inputs are arrays of bytes, in two sizes, so
// that a small one costs little on the wire.
//
// With TB_PULL each call runs in a coroutine, which stops wherever the game has to do something.
package main

// main is never called: a library has no main, but a package that makes one does.
func main() {}
