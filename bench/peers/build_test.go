package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Rule: what the machine lacks is said in words, and is no mistake of a program; all else is.
func TestReasons(t *testing.T) {
	failed := errors.New("exit status 101")
	for _, c := range []struct {
		out, want string
		broken    bool
	}{
		{"    Updating index\nerror: failed to get `ggrs` as a dependency\n", "does not reach the registry", false},
		{"warning: spurious\nerror: failed to download from somewhere\n", "does not reach the registry", false},
		{"error: failed to run custom build command\n  error occurred in cc-rs: failed to find tool \"c++\": No such file\n", "g++", false},
		{"error: rustc 1.63.0 is not supported\n ggrs@0.13.0 requires rustc 1.87\n", "too old", false},
		{"error[E0277]: no\nerror: could not compile\n", "error[E0277]: no", true},
		{"", "exit status 101", true},
	} {
		why, broken := reason(c.out, failed)
		if !strings.Contains(why, c.want) || broken != c.broken {
			t.Errorf("%q: %q, %v", c.out, why, broken)
		}
	}
}

// Rule: a state that is different is an error, and so is one that is missing, unless the library has too few players.
func TestStatesAreCompared(t *testing.T) {
	l := &library{name: "other", players: 4}
	state := func(name, hash string) value { return value{name: name, hash: hash} }
	want := []value{state("bare/tiny/8", "aa"), state("agreed/tiny/4", "bb"), state("agreed/tiny/8", "cc")}
	for _, c := range []struct {
		got   []value
		wrong string
	}{
		{[]value{want[0], want[1]}, ""},
		{[]value{want[0], want[1], want[2]}, ""},
		{[]value{want[0], state("agreed/tiny/4", "xx")}, "agreed/tiny/4"},
		{[]value{want[0], want[1], state("agreed/tiny/8", "xx")}, "agreed/tiny/8"},
		{[]value{want[0]}, "agreed/tiny/4"},
		{[]value{want[1]}, "bare/tiny/8"},
	} {
		err := compare(l, want, c.got)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%v: %v, want %q", c.got, err, c.wrong)
		}
	}
	if compare(l, nil, nil) == nil {
		t.Error("nothing is compared, and that is no error")
	}
}

// Rule: a short run fails if a library that was built lacks a figure, or if a program is broken; not if a library has no
// such thing, or could not be built here.
func TestAShortRunIsComplete(t *testing.T) {
	all := libraries()
	built, absent := all[1], all[2]
	built.program, absent.missing = "somewhere", "there is no cargo"
	m := &meter{libraries: all, say: io.Discard}
	missing := func(l *library, why string) *results {
		return &results{libraries: all, missing: map[string]map[*library]string{"frame/2/0": {l: why}}}
	}
	for _, c := range []struct {
		r     *results
		fails bool
	}{
		{missing(built, errLacks.Error()+": it has at most 4 players"), false},
		{missing(absent, absent.missing), false},
		{missing(built, "exit status 1"), true},
	} {
		if err := m.complete(c.r); (err != nil) != c.fails {
			t.Errorf("%v: %v", c.r.missing, err)
		}
	}
	absent.broken = true
	if m.complete(&results{libraries: all}) == nil {
		t.Error("a broken program is no error")
	}
}
