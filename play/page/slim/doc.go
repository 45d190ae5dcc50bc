// Package slim makes programs of Go for web pages smaller, without changing what they do: it takes out what
// only traces of panics need. [Program] does that to the file that the Go linker has written.
//
// The runtime keeps a table of all functions (pclntab: see runtime/symtab.go and internal/abi/symtab.go of Go), by which it
// walks stacks, for garbage collection and panics among other things. In it, each function has further tables: which line
// and file an instruction comes from, what was inlined there, where its parameters are, and where it may not be
// interrupted, which a page never does. Those are most of it, hardly repeat themselves, and so cost most of what they have
// after compression, too. Traces still name each function, without the path of its package and without type
// arguments.
//
// And the linker leaves out runs of zeros from a program's memory, by writing the rest in up to 100,000 pieces, each with its place.
// Those places cost more than zeros in a file that is compressed, so that slim writes few pieces.
package slim
