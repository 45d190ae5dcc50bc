package main

import (
	"io"
	"strings"
	"testing"
)

// Rule: each deliberate change is still about something, and compiles. Whoever changes
// the rule's place learns it here.
func TestTheDeliberateChangesAreUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the session")
	}
	t.Setenv("GOWORK", "off")
	o := options{root: "../.."}
	all, err := findChanges(&o, changes)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range all {
		if names[c.name] || !c.m.woven() {
			t.Errorf("%s: there twice, or not in a function without labels", c.name)
		}
		names[c.name] = true
	}
}

// Rule: the list of equivalent mutants of the root module has none that are gone.
func TestTheEquivalentsAreUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the session")
	}
	t.Setenv("GOWORK", "off")
	o := options{root: "../..", equivalent: "tools/mutate/equivalent.txt", list: true}
	for _, p := range targetNames() {
		if !strings.HasPrefix(p, "online/") { // another module
			o.packages = append(o.packages, p)
		}
	}
	if _, _, err := choose(&o); err != nil {
		t.Error(err)
	}
}

// toyChanges are two that the tests of the toy notice, and one that they do not.
var toyChanges = []change{
	{name: "counts twice", file: "strong/strong.go", old: "sum += v", new: "sum += 2 * v"},
	{name: "a higher bound", file: "weak/weak.go", old: "if n > 1000 {", new: "if n > 1001 {"},
}

// Rule: a text that is gone, is there twice, or is outside of functions is an error, and
// so is a change that nobody catches.
func TestChangesThatAreGone(t *testing.T) {
	root, _ := toy(t, "strong")
	o := options{root: root, packages: []string{"strong", "weak"}}
	all, err := findChanges(&o, toyChanges)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change
		want string
	}{
		{change{name: "x", file: "strong/strong.go", old: "nothing of the sort"}, "0 times"},
		{change{name: "x", file: "strong/strong.go", old: "return"}, "times"},
		{change{name: "x", file: "strong/strong.go", old: "type Counter"}, "in no function"},
		{change{name: "x", file: "strong/strong.go", old: "sum += v", new: "sum += nobody"}, "does not compile"},
	} {
		o.packages = nil
		if _, err := findChanges(&o, []change{c.change}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.old, err)
		}
	}
	all[0].by["strong"] = Killed
	if err := printChanges(io.Discard, all, false); err == nil {
		t.Error("one is caught by nobody, and that is no error")
	}
	all[1].by["session"] = Killed
	if err := printChanges(io.Discard, all, false); err != nil {
		t.Error(err)
	}
	all[1].soak = true
	if err := printChanges(io.Discard, all, false); err == nil {
		t.Error("the soak should notice it, does not, and that is no error")
	}
	if err := printChanges(io.Discard, all, true); err != nil {
		t.Errorf("there was no soak: %v", err)
	}
	all[1].by["soak"] = Killed
	if err := printChanges(io.Discard, all, false); err != nil {
		t.Error(err)
	}
}
