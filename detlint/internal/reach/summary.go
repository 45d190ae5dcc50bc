// Package reach says what a game's step reaches. Each function has a summary: what the rules
// have found in it, what it calls, and what it hands to others to be called. Summaries can be
// stored, so that a package need not be read again by those that import it; from them the
// functions that the roots reach are linked, in the manner of rapid type analysis: a call
// through an interface leads to the methods of all types that something reached has put into
// an interface, and a call of a function value to all functions of its type that something
// reached has used as a value. If something reached loads such a value from memory that was
// filled before, it leads to those, too, that are kept in that place: see places.go.
package reach

import (
	"go/token"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// Func is the summary of a function.
type Func struct {
	ID   string // its full name, unique in a program
	Name string // for people
	At   token.Position

	Findings []Finding
	Calls    []Call
	Makes    []string // types that it puts into interfaces, or for which it makes instances
	Takes    []Taken  // functions that it uses as values
	Loads    []Load   // values in memory that others have filled, and may be called
	Fields   Fields   // of structs that it reads and writes
	Traits   flow.Traits
}

// Finding is what a rule has found in a function; see rules.Finding.
type Finding struct {
	Rule, Message string
	At            token.Position
	Edits         []Edit
	Caution       bool
	Global        string
	Through       string
	Parent        string
	Roles         []string
	Plain         bool
	Build         bool   // strict floats do away with it
	Fix           string // what to do instead, if that is not what the rule says
}

// Edit replaces a part of a file.
type Edit struct {
	File       string
	Start, End int // offsets in bytes
	Text       string
}

// Kind says how the callee of a call is known.
type Kind uint8

// The kinds of calls.
const (
	Static  Kind = iota // Target is a function
	Invoke              // Target is a method and its signature, of any type that has all Needs
	Dynamic             // Target is the signature of a function value
)

// Call is a call, or what counts as one: a use of a package variable calls its initialisation.
type Call struct {
	Kind   Kind
	Target string
	Needs  []string // of an Invoke: all methods of the interface
	Yields bool     // of a Dynamic: an iterator yields, to a loop that is reached or to the library

	Library bool // the library may have what it leads to
	At      token.Position
}

// Taken is a function that is used as a value.
type Taken struct {
	ID, Signature string
	By            string // in what a package takes: the repository of the package
	Place         string // in what a package takes: where it is kept
}

// Load is the signature of function values, or a method of interfaces, that a function gets from a place in memory.
type Load struct{ What, Place string }

// Move says that function values are loaded from one place, and kept in another one.
type Move struct{ Signature, From, To string }

// Method is a method of a type.
type Method struct{ Key, ID string }

// Root is where a step, or another function of a game, begins.
type Root struct {
	Group string // the game, so that each is linked apart
	Role  string // the field that the function is given to: Step, Save, ...
	Game  string // the type, for people
	State string // the full name of the type of the state, if it is a named struct
	Call  Call

	Types  []string // the type arguments of the game
	Floats Floats   // what the game says of its floats
}

// Struct is a struct type with its fields.
type Struct struct {
	Name   string // for people
	Fields []string
}

// Package is what is stored of a package.
type Package struct {
	Path    string
	Funcs   map[string]*Func
	Types   map[string][]Method
	Structs map[string]Struct
	Roots   []Root
	Writes  map[string]token.Position // package variables that more than the initialisation may change
	Makes   []string                  // everything that any function makes and takes
	Takes   []Taken
	Moves   []Move
	Lent    []string        // signatures of functions that functions of the library return to it
	Foreign map[string]bool // functions without a body in Go
	Outside []Finding       // of the rules that look at every function
}
