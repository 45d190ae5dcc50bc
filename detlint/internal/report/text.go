package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Relative returns a path below a directory as seen from there, with slashes; others stay as
// they are.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return path
}

// Text writes findings for people. Positions are shown as seen from dir.
func Text(w io.Writer, dir string, list []Finding) error {
	for _, f := range list {
		at := func(s Step) string {
			return fmt.Sprintf("%s:%d", Relative(dir, s.Position.Filename), s.Position.Line)
		}
		_, err := fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", Relative(dir, f.Position.Filename), f.Position.Line, f.Position.Column, f.Rule, f.Message)
		if err == nil && f.Fix != "" {
			_, err = fmt.Fprintf(w, "\tfix: %s\n", f.Fix)
		}
		for i, s := range f.Chain {
			if err != nil {
				break
			}
			if i == 0 {
				_, err = fmt.Fprintf(w, "\t%s of %s: %s, at %s\n", f.Role, f.Game, s.Func, at(s))
			} else {
				_, err = fmt.Fprintf(w, "\t%scalls %s, at %s\n", strings.Repeat("  ", i), s.Func, at(s))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
