package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Relative returns a path below a directory relative to it, with slashes; others are unchanged.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return path
}

// Text writes findings for people. Positions are relative to dir.
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
			_, err = fmt.Fprintf(w, "\t%s%s, at %s\n", strings.Repeat("  ", i), f.Call(i), at(s))
		}
		if err == nil && f.Within.Line > 0 {
			_, err = fmt.Fprintf(w, "\t%sfound at %s\n", strings.Repeat("  ", len(f.Chain)), at(Step{Position: f.Within}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
