// Package rules has the rules for the functions that a step reaches. A [Rule] examines one function at a time;
// whether a step reaches the function is determined elsewhere.
package rules

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// Scope says which functions a rule examines.
type Scope uint8

// The scopes of rules.
const (
	Reached  Scope = iota // what a step reaches
	Encoding              // what Save, Hash, Equal, Marshal and similar functions reach
	Anywhere              // every function of the packages that are examined
)

// Rule is one cause of divergence between machines.
type Rule struct {
	Name  string
	Short string // what it finds, in a few words
	Fix   string // what to do instead, as a sentence of a finding
	Scope Scope
	Duty  string // the section of docs/rules-of-determinism.md that explains it, if one does

	examine func(c *Context)
	option  bool // it is off by default
	build   bool // strict floats eliminate everything that it finds
}

// Finding is something that a rule has found in a function.
type Finding struct {
	Rule     string
	Pos, End token.Pos
	Message  string // what was found, and why it diverges
	Edits    []Edit // edits that fix it, if that is safe
	Caution  bool   // the edits change the program's behaviour on this machine

	// Global is a package variable by its full name: the finding counts only if something besides the initialisation
	// of its package may change it.
	Global string
	// Through is a field, by the full name of its struct and its own: the finding counts only if something that is
	// reached writes to memory to which the field leads.
	Through string
	// Parent is a function: the finding counts only if the function is not reached as well.
	Parent string
	// Value is the function value that the finding is about, by its full name, if that is not the function that has the
	// finding, such as a method with its receiver.
	Value string
	// Own restricts the finding to games with memory of their own (rollback.OwnMemory).
	Own bool
	// Roles restricts the finding to code that is reached from these roles of a game; empty means any.
	Roles []string
	// Plain restricts the finding to games whose state is plain (rollback.Game).
	Plain bool
	// Build restricts the finding to games whose floats depend on the build; strict floats eliminate it
	// (docs/floats.md).
	Build bool
	// Fix says what to do instead, if it differs from the rule's text.
	Fix string
}

// Edit replaces the text of a range.
type Edit struct {
	Pos, End token.Pos
	Text     string
}

// Options are the options of an examination.
type Options struct {
	NoFloats bool // any float in a step is a finding
}

// Context is a function to be examined, with what is known about the program around it.
type Context struct {
	Fn        *ssa.Function
	Fset      *token.FileSet
	Files     []*ast.File // the files of the package with the function's source
	Info      *types.Info // information about the package with the function's source; nil if there is none
	Flow      *flow.Analysis
	Options   Options
	Constants Constants                          // the constants that describe the machine
	Calls     func(fn *ssa.Function) []*ssa.Call // returns the calls of a function that is called in no other way; nil if they are not known
	Variants  map[types.Object]string            // declarations that differ on other machines, with the file that declares them
	Syntax    ast.Node                           // the syntax of the part of a package's initialisation that is examined; otherwise nil

	rule    *Rule
	indexed *index // the index that source returns
	found   []Finding
	keys    types.Type // of a list that has exactly the keys of a map, while its sorts are examined
	depth   int        // the number of functions that are being examined as part of another one
}

// all is the list of rules, in the order of the documentation.
var all = []*Rule{
	maporder, clock, random, environment, machine, address, maphash, collector, foreign, output,
	concurrency, fixedops, fixedwrap, saturate, globals, closure, retain, readonly, excluded, view,
	fusedfloat, mathfunc, floatint, intfloat, nankey, nanbits, anyfloat, intwidth, sorttie, capacity, status, encoding,
	copies, alias, unlisted, unproved, ignore,
}

// All returns the rules, in the order of the documentation.
func All() []*Rule { return slices.Clone(all) }

// Get returns a rule by its name, or nil.
func Get(name string) *Rule {
	for _, r := range all {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Optional reports whether a rule is off by default.
func (r *Rule) Optional() bool { return r.option }

// Build reports whether strict floats eliminate everything that the rule finds.
func (r *Rule) Build() bool { return r.build }

// Examine runs all rules on a function. If anywhere is set, it runs only the rules of scope Anywhere, and otherwise
// only the others.
func Examine(c Context, anywhere bool) []Finding {
	if len(c.Fn.Blocks) == 0 {
		return nil
	}
	var found []Finding
	for _, r := range all {
		if r.examine == nil || (r.Scope == Anywhere) != anywhere {
			continue
		}
		c.rule, c.found = r, nil
		r.examine(&c)
		found = append(found, c.found...)
	}
	return found
}

// report adds a finding at a position.
func (c *Context) report(pos token.Pos, format string, args ...any) *Finding {
	if !pos.IsValid() {
		pos = c.Fn.Pos()
	}
	f := Finding{Rule: c.rule.Name, Pos: pos, Message: fmt.Sprintf(format, args...), Build: c.rule.build}
	c.found = append(c.found, f)
	return &c.found[len(c.found)-1]
}

// instructions visits all instructions of the function.
func (c *Context) instructions(visit func(in ssa.Instruction)) {
	instructionsOf(c.Fn, visit)
}

// instructionsOf visits all instructions of a function.
func instructionsOf(fn *ssa.Function, visit func(in ssa.Instruction)) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			visit(in)
		}
	}
}

// pos returns the position of an instruction in the source, or of an operand, or of the nearest instruction before it
// that has a position, or else of the nearest one after it.
func (c *Context) pos(in ssa.Instruction) token.Pos {
	if p := in.Pos(); p.IsValid() {
		return p
	}
	if v, ok := in.(ssa.Value); ok {
		for _, o := range v.(ssa.Instruction).Operands(nil) {
			if _, declared := (*o).(*ssa.Alloc); declared || *o == nil {
				continue
			}
			if made, ok := (*o).(ssa.Instruction); ok && made.Pos().IsValid() {
				return made.Pos()
			}
		}
	}
	b := in.Block()
	i := slices.Index(b.Instrs, in)
	for j := i; j >= 0; j-- {
		if p := b.Instrs[j].Pos(); p.IsValid() {
			return p
		}
	}
	for _, next := range b.Instrs[i+1:] {
		if p := next.Pos(); p.IsValid() {
			return p
		}
	}
	return c.Fn.Pos()
}

// source returns the index of the function's syntax, which is made once.
func (c *Context) source() *index {
	if c.indexed == nil {
		c.indexed = indexOf(c.syntax())
	}
	return c.indexed
}

// syntax returns the source of what is examined, or nil.
func (c *Context) syntax() ast.Node {
	if c.Syntax != nil {
		return c.Syntax
	}
	return c.Fn.Syntax()
}
