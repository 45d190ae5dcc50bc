// Package slim makes Go programs for web pages smaller, without changing what they do: it removes what only traces of
// panics need. [Program] does that to the output of the Go linker.
//
// The runtime has a table of all functions (pclntab: see runtime/symtab.go and internal/abi/symtab.go of Go), which
// it uses to walk stacks, for garbage collection and panics among other things. In it, each function has further
// tables: which line and file an instruction comes from, what was inlined there, where its parameters are, and where
// it may not be interrupted, which never happens in a page. Those are most of the table, contain few repetitions, and
// therefore also are most of its compressed size. Traces still name each function, without the path of its package
// and without type arguments.
//
// The linker also leaves out runs of zeros from a program's memory, by writing the rest in up to 100,000 pieces, each
// with its address. In a compressed file those addresses cost more than zeros, so slim writes fewer pieces.
//
// Without all this the page would be a fifth larger: docs/benchmarks.md has the figures, and what slim costs. With each
// version of Go, compare the constants here with the files named above; until then a program is refused with
// [ErrLayout], and the page is built without slim.
package slim
