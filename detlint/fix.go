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

// passes bounds how often edits are looked for again: an edit within another one has to wait.
const passes = 16

// Fixed is what Fix has done.
type Fixed struct {
	Mended  []Finding // in the order in which they were mended
	Refused []Finding // whose edits were left out, since the program does not compile with them
	Files   []string  // that were written
	Left    *Result   // what an examination finds now
}

// Fix examines as Run does, and mends what can be mended safely in the packages that match. With
// changes, it also mends what changes the program on this machine, such as a product of fixed.Num
// by *, which was wrong. An edit with which the program does not compile is left out, and no other one. Files are written once all of
// the program compiles, each as a whole.
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

// fixer mends a program in memory.
type fixer struct {
	Options
	changes bool
	refused map[string]bool // edits with which the program does not compile, by their keys
}

// content is what a file has now.
func (x *fixer) content(name string) ([]byte, error) {
	if b, ok := x.overlay[name]; ok {
		return b, nil
	}
	return os.ReadFile(name)
}

// applyEdits returns what files are with the edits of findings, but for those that were refused.
func (x *fixer) applyEdits(r *Result, list []Finding) (map[string][]byte, []Finding, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(f Finding) bool { return len(f.Edits) > 0 && x.refused[x.key(f)] })
	return report.Mend(list, r.own, x.changes, x.content)
}

// with examines the program with other contents of files.
func (x *fixer) with(files map[string][]byte) (*Result, error) {
	o := x.Options
	o.overlay = maps.Clone(x.overlay)
	maps.Copy(o.overlay, files)
	return Run(o)
}

// badEdits finds, of edits with which together the program does not compile, those that are to blame.
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

// key names the edits of a finding so that it stays the same when lines move: by the line of the source.
func (x *fixer) key(f Finding) string {
	b, _ := x.content(f.Edits[0].File) // what cannot be read is mended nowhere
	at := min(f.Edits[0].Start, len(b))
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	line, _, _ := bytes.Cut(b[start:], []byte("\n"))
	return fmt.Sprint(f.Edits[0].File, "\n", f.Rule, "\n", f.Message, "\n", string(line), "\n", at-start)
}
