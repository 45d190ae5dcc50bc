package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

// A change is a plausible mistake in a protocol, made on purpose: without the rule that it removes, something must
// fail. It is found by its text, so it moves with the source; a text that does not occur exactly once is an error in
// the list.
type change struct {
	name     string // what goes wrong
	file     string // the path of the file from the root
	old, new string
	soak     bool // a short soak must notice it, too
}

// mutant finds the change among the mutants, which are in functions.
func (c *change) mutant(all []*Mutant) (*Mutant, error) {
	for _, m := range all {
		if !sameFile(m.File, c.file) {
			continue
		}
		at := bytes.Index(m.src, []byte(c.old))
		if at < 0 || bytes.Count(m.src, []byte(c.old)) != 1 {
			return nil, fmt.Errorf("%s: %q is there %d times in %s, and not once: look for the rule, and mend the list",
				c.name, c.old, bytes.Count(m.src, []byte(c.old)), c.file)
		}
		if m.body.start <= at && at+len(c.old) <= m.body.end {
			found := *m
			found.Change, found.Start, found.End, found.New = c.name, at, at+len(c.old), c.new
			found.Line = 1 + bytes.Count(m.src[:at], []byte("\n"))
			return &found, nil
		}
	}
	return nil, fmt.Errorf("%s: %q is in no function of %s", c.name, c.old, c.file)
}

func sameFile(absolute, name string) bool {
	return filepath.Base(absolute) == path.Base(name) && path.Base(path.Dir(name)) == filepath.Base(filepath.Dir(absolute))
}

// caught says which stage has noticed a change.
type caught struct {
	change
	m  *Mutant
	by map[string]Verdict // by stage
}

// tryDeliberate makes each of the changes and runs all stages for it: the tests of its package, those of the session,
// and a soak of 96 matches.
func tryDeliberate(ctx context.Context, o options, out io.Writer) error {
	all, err := findChanges(&o, changes)
	if err != nil {
		return err
	}
	r, err := newRunner(o.root)
	if err != nil {
		return err
	}
	defer r.close()
	// All tests first: a soak takes longer.
	for _, s := range []Stage{{}, test("session"), longSoak} {
		for _, p := range o.packages {
			stage := s
			switch {
			case s.Package == "":
				stage = test(p)
			case s.Package == p || o.own:
				continue
			}
			if err := tryChanges(ctx, r, out, p, stage, all); err != nil {
				return err
			}
		}
	}
	return printChanges(out, all, o.own)
}

// findChanges finds all changes in the list, or returns which no longer exist.
func findChanges(o *options, list []change) ([]*caught, error) {
	var err error
	if o.root, err = filepath.Abs(o.root); err != nil {
		return nil, err
	}
	only := o.packages
	o.packages = nil
	list = slices.DeleteFunc(slices.Clone(list), func(c change) bool { return only != nil && !slices.Contains(only, path.Dir(c.file)) })
	for _, c := range list {
		if p := path.Dir(c.file); !slices.Contains(o.packages, p) {
			o.packages = append(o.packages, p)
		}
	}
	mutants, err := load(o.root, o.packages)
	if err != nil {
		return nil, err
	}
	var all []*caught
	for _, c := range list {
		m, err := c.mutant(mutants)
		if err == nil && !m.compiles() {
			err = fmt.Errorf("%s: the change does not compile any more", c.name)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, &caught{c, m, map[string]Verdict{}})
	}
	return all, nil
}

// tryChanges runs a stage for all changes of a package.
func tryChanges(ctx context.Context, r *runner, out io.Writer, p string, s Stage, all []*caught) error {
	var here []*Mutant
	for _, c := range all {
		if c.m.Package == p {
			here = append(here, c.m)
		}
	}
	t := &trial{r: r, out: out, record: func(m *Mutant, v Verdict, by string) {
		for _, c := range all {
			if c.m == m {
				c.by[by] = v
				fmt.Fprintf(out, "%s: %s by %s\n", c.name, v, by)
			}
		}
	}}
	_, err := t.together(ctx, here, s)
	return err
}

// printChanges prints what has caught which change, and returns an error if that is not enough. If there was no soak,
// none was missed by it.
func printChanges(out io.Writer, all []*caught, testsOnly bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nCHANGE\tFILE\tITS PACKAGE\tSESSION\tSOAK")
	tests, soaks, missed := 0, 0, 0
	for _, c := range all {
		p := c.m.Package
		byTests := c.by[p] != "" || c.by["session"] != ""
		if byTests {
			tests++
		}
		if c.by["soak"] != "" {
			soaks++
		}
		if !byTests || !testsOnly && c.soak && c.by["soak"] == "" {
			missed++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.name, c.file, mark(c.by[p]), mark(c.by["session"]), mark(c.by["soak"]))
	}
	w.Flush()
	fmt.Fprintf(out, "%d changes: %d caught by tests, %d by a soak of 96 matches\n", len(all), tests, soaks)
	if missed > 0 {
		return fmt.Errorf("%d deliberate changes are not caught by whom they should be", missed)
	}
	return nil
}

func mark(v Verdict) string {
	if v == "" {
		return "-"
	}
	return string(v)
}
