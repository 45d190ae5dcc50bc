// Package reach determines what a game's step reaches. Each function has a summary: the findings of the rules in it,
// its calls, and the functions that it passes on to be called. Summaries can be stored, so that a package need not be
// read again for those that import it. From the summaries the functions that the roots reach are linked, as in rapid
// type analysis: a call through an interface leads to the methods of all types that something reached has converted
// to an interface, and a call of a function value to all functions of its type that something reached has used as a
// value. If something reached loads such a value from memory that was filled before, it also leads to those that are
// stored in that place: see places.go.
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
	Loads    []Load   // callable values in memory that others have filled
	Fields   Fields   // the fields of structs that it reads and writes
	Traits   flow.Traits
}

// Finding is something that a rule has found in a function; see rules.Finding.
type Finding struct {
	Rule, Message string
	At            token.Position
	Edits         []Edit
	Caution       bool
	Global        string
	Through       string
	Parent        string
	Value         string
	Roles         []string
	Plain         bool
	Own           bool
	Build         bool   // strict floats eliminate it
	Fix           string // what to do instead, if it differs from the rule's text
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
	Needs  []string // for Invoke: all methods of the interface
	Yields bool     // for Dynamic: an iterator yields, to a loop that is reached or to the library

	Library bool // it may lead to the library's own code
	At      token.Position
}

// Taken is a function that is used as a value.
type Taken struct {
	ID, Signature string
	By            string // for a package: its repository
	Place         string // for a package: where the function is stored
}

// Load is the signature of function values, or a method of interfaces, that a function loads from a place in memory.
type Load struct{ What, Place string }

// Move says that function values are loaded from one place, and stored in another.
type Move struct{ Signature, From, To string }

// Method is a method of a type.
type Method struct{ Key, ID string }

// Root is a step, or another function of a game, as a starting point.
type Root struct {
	Group string // the game: each is linked separately
	Role  string // the field to which the function is assigned: Step, Save, ...
	Game  string // the type, for people
	State string // the full name of the type of the state, if it is a named struct
	Call  Call

	Types  []string // the type arguments of the game
	Floats Floats   // what the game says about its floats
}

// Struct is a struct type with its fields.
type Struct struct {
	Name   string // for people
	Fields []string
}

// Package is what is stored about a package.
type Package struct {
	Path    string
	Funcs   map[string]*Func
	Types   map[string][]Method
	Structs map[string]Struct
	Roots   []Root
	Writes  map[string]token.Position // package variables that may be changed by more than the initialisation
	Makes   []string                  // everything that any function makes and takes
	Takes   []Taken
	Moves   []Move
	Lent    []string        // signatures of functions that the package gets as results from the library
	Foreign map[string]bool // functions without a body in Go
	Outside []Finding       // findings of the rules that examine every function
}
