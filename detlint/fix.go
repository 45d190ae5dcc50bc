package detlint

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/tickback/tickback/detlint/internal/report"
)

// passes is the maximum number of rounds in which edits are made: of two edits that overlap, one is made in a later
// round.
const passes = 16

// Fixed is the result of Fix.
type Fixed struct {
	Mended  []Finding // the fixed findings, in the order in which they were fixed
	Refused []Finding // whose edits were left out, since the program does not compile with them
	Files   []string  // the files that were written
	Left    *Result   // the result of an examination afterwards
}

// Fix examines like Run, and fixes what can be fixed safely in the matching packages. With changes, it also makes
// fixes that change the program's behaviour on this machine, such as for a product of two fixed.Num that was wrongly
// computed with *. Only edits with which the program does not compile are left out. Files are written once the whole
// program compiles, each as a whole.
func Fix(o Options, changes bool) (*Fixed, error) {
	x := fixer{Options: o, changes: changes, refused: map[string]bool{}}
	x.overlay = map[string][]byte{}
	done := &Fixed{}
	r, err := Run(x.Options)
	if err != nil {
		return nil, err
	}
	for range passes {
		done.Left = r
		files, mended, err := x.applyEdits(r, r.Findings)
		if err == nil && len(mended) == 0 {
			done.Files = slices.Sorted(maps.Keys(x.overlay))
			return done, report.Replace(x.overlay)
		}
		next, failed := x.with(files)
		if err == nil {
			err = failed
		}
		if err == nil {
			r = next
			done.Mended = append(done.Mended, mended...)
			maps.Copy(x.overlay, files)
			continue
		}
		bad := x.badEdits(r, mended)
		if len(bad) == 0 {
			return nil, fmt.Errorf("nothing was written, since it would not compile: %w", err)
		}
		for _, f := range bad {
			x.refused[x.key(f)] = true
		}
		done.Refused = append(done.Refused, bad...)
	}
	return nil, errors.New("nothing was written: there is always something more to mend")
}

// fixer fixes a program in memory.
type fixer struct {
	Options
	changes bool
	refused map[string]bool // edits with which the program does not compile, by their keys
}

// content returns the current content of a file.
func (x *fixer) content(name string) ([]byte, error) {
	if b, ok := x.overlay[name]; ok {
		return b, nil
	}
	return os.ReadFile(name)
}

// applyEdits returns files with the edits of findings, except for those that were refused.
func (x *fixer) applyEdits(r *Result, list []Finding) (map[string][]byte, []Finding, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(f Finding) bool { return len(f.Edits) > 0 && x.refused[x.key(f)] })
	return report.Mend(list, r.own, x.changes, x.content)
}

// with examines the program with the contents of some files replaced.
func (x *fixer) with(files map[string][]byte) (*Result, error) {
	o := x.Options
	o.overlay = maps.Clone(x.overlay)
	maps.Copy(o.overlay, files)
	return Run(o)
}

// badEdits finds, in a list of edits with which the program does not compile, those that cause it.
func (x *fixer) badEdits(r *Result, list []Finding) (bad []Finding) {
	if len(list) < 2 {
		return list
	}
	half := len(list) / 2
	for _, part := range [][]Finding{list[:half], list[half:]} {
		files, _, err := x.applyEdits(r, part)
		if err == nil {
			_, err = x.with(files)
		}
		if err != nil {
			bad = append(bad, x.badEdits(r, part)...)
		}
	}
	if len(bad) == 0 { // each half compiles without the other one
		bad = list[half:]
	}
	return bad
}

// key identifies the edits of a finding in a way that does not change when lines move: by the text of the source
// line.
func (x *fixer) key(f Finding) string {
	b, _ := x.content(f.Edits[0].File) // a file that cannot be read is not changed
	at := min(f.Edits[0].Start, len(b))
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	line, _, _ := bytes.Cut(b[start:], []byte("\n"))
	return fmt.Sprint(f.Edits[0].File, "\n", f.Rule, "\n", f.Message, "\n", string(line), "\n", at-start)
}
