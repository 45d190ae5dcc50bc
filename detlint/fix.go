package detlint

import (
	"errors"
	"fmt"
	"maps"
	"os"

	"github.com/tickback/tickback/detlint/internal/report"
)

// passes bounds how often edits are looked for again: an edit within another one has to wait.
const passes = 16

// Fixed is what Fix has done.
type Fixed struct {
	Mended []Finding // in the order in which they were mended
	Files  []string  // that were written
	Left   *Result   // what an examination finds now
}

// Fix examines as Run does, and mends what can be mended safely in the packages that match. With
// changes, it also mends what changes the program on this machine, such as a product of fixed.Num
// by *, which was wrong. Files are written once all of the program compiles with the edits, each
// as a whole; an error of the edits leaves all files as they were.
func Fix(o Options, changes bool) (*Fixed, error) {
	o.overlay = map[string][]byte{}
	content := func(name string) ([]byte, error) {
		if b, ok := o.overlay[name]; ok {
			return b, nil
		}
		return os.ReadFile(name)
	}
	done := &Fixed{}
	for range passes {
		r, err := Run(o)
		if err != nil && len(o.overlay) > 0 {
			return nil, fmt.Errorf("nothing was written, since it would not compile: %w", err)
		}
		if err != nil {
			return nil, err
		}
		done.Left = r
		files, mended, err := report.Mend(r.Findings, r.own, changes, content)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			for name := range o.overlay {
				done.Files = append(done.Files, name)
			}
			return done, report.Replace(o.overlay)
		}
		done.Mended = append(done.Mended, mended...)
		maps.Copy(o.overlay, files)
	}
	return nil, errors.New("nothing was written: there is always something more to mend")
}
