// Package detlint finds code that can make the machines of a match diverge, before the game runs. It starts from the
// functions that are passed to a game, and examines everything that they reach.
//
//   - run it: command detlint (cmd/detlint), or [Run]
//   - what it finds: detlint rules, and detlint explain RULE
//   - suppress a finding, with a reason: //detlint:ignore RULE reason
//   - make a function a root: //tickback:deterministic in its comment, or -root package.Func
//
// # How it works
//
// Package internal/load lists the packages, and reads the source of those from which something of Tickback can be
// reached, and of what these import; nothing has to be compiled for it. Package internal/rules has the rules: each
// examines one function in SSA form. Package internal/flow determines what a function does to memory. Package
// internal/reach makes a summary of each function, finds the roots by the types of the fields to which they are
// assigned, and links what they reach by rapid type analysis. The summaries can be stored, so that a package need not
// be read again for those that import it.
//
// The source of the standard library is not read. Package internal/std has two tables of it, one made by people and
// one that the analyzer makes from the source of the library (cmd/stdtable); a function in neither is a finding.
//
// What a root reaches and cannot be followed is reported as well: a root without such calls is proved.
//
// # Limitations
//
//   - A game that is made by reflection, or in a type that is not listed in internal/reach, has
//     no roots.
//   - Memory is distinguished by parameter, captured variable and package variable, and by field
//     only in structs that a function has made itself.
//   - A name such as ID or Key of a field counts as unique in a comparison.
package detlint
