package report

import (
	"iter"
	"slices"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Code records what functions have on their lines, reached or not: what a comment can refer to.
type Code struct {
	calls    map[place]bool
	findings map[place][]string // the rules of the findings at a place
}

type place struct {
	file string
	line int
}

// CodeOf reads the summaries of functions.
func CodeOf(functions iter.Seq[*reach.Func]) *Code {
	c := &Code{map[place]bool{}, map[place][]string{}}
	for f := range functions {
		for _, call := range f.Calls {
			if call.Kind == reach.Static && std.Known(reach.PackageOf(call.Target)) {
				continue // a problem in the library is a finding at the call
			}
			c.calls[place{call.At.Filename, call.At.Line}] = true
		}
		for _, x := range f.Findings {
			at := place{x.At.Filename, x.At.Line}
			c.findings[at] = append(c.findings[at], x.Rule)
		}
	}
	return c
}

// Answers reports whether there is something on the lines of a comment that it may suppress: a finding of its rules, or
// a call, which may have one behind it.
func (c *Code) Answers(s Ignore) bool {
	for line := s.Line; line <= max(s.Line, s.Last); line++ {
		at := place{s.At.Filename, line}
		if c.calls[at] || slices.ContainsFunc(c.findings[at], func(rule string) bool { return slices.Contains(s.Rules, rule) }) {
			return true
		}
	}
	return false
}
