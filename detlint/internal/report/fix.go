package report

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// Mend applies the edits of findings to files, and returns the resulting files, formatted, with the findings that it
// has fixed. It writes nothing. Of overlapping edits, the first are applied. Files that are not in own, and
// generated ones, are not changed; edits that change the program's behaviour are only applied if changes is set.
// content returns the current content of a file.
func Mend(list []Finding, own map[string]bool, changes bool, content func(name string) ([]byte, error)) (map[string][]byte, []Finding, error) {
	chosen := map[string][]Edit{}
	var mended []Finding
	generated := map[string]bool{}
	for _, f := range list {
		if len(f.Edits) == 0 || f.Caution && !changes {
			continue
		}
		name := f.Edits[0].File
		alone := func(e Edit) bool { return e.File == name && own[name] && !overlaps(chosen[name], e) }
		if !all(f.Edits, alone) {
			continue
		}
		if is, ok := generated[name]; is || !ok && made(name, content, generated) {
			continue
		}
		chosen[name] = append(chosen[name], f.Edits...)
		mended = append(mended, f)
	}
	files := map[string][]byte{}
	for name, edits := range chosen {
		old, err := content(name)
		if err != nil {
			return nil, mended, fmt.Errorf("mending: %w", err)
		}
		if files[name], err = edited(old, edits); err != nil {
			return nil, mended, fmt.Errorf("mending %s: %w", name, err)
		}
	}
	return files, mended, nil
}

func all(list []Edit, ok func(Edit) bool) bool {
	return !slices.ContainsFunc(list, func(e Edit) bool { return !ok(e) })
}

// overlaps reports whether an edit overlaps others.
func overlaps(list []Edit, e Edit) bool {
	return slices.ContainsFunc(list, func(o Edit) bool { return e.Start <= o.End && o.Start <= e.End })
}

// made reports, and caches, whether a file is generated.
func made(name string, content func(string) ([]byte, error), known map[string]bool) bool {
	b, err := content(name)
	if err == nil {
		f, err := parser.ParseFile(token.NewFileSet(), name, b, parser.ParseComments|parser.PackageClauseOnly)
		known[name] = err == nil && ast.IsGenerated(f)
	}
	return known[name]
}

// edited applies edits to a file, and formats it.
func edited(old []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(old) {
			return nil, fmt.Errorf("bytes %d to %d of %d cannot be replaced", e.Start, e.End, len(old))
		}
		out.Write(old[at:e.Start])
		out.WriteString(e.Text)
		at = e.End
	}
	out.Write(old[at:])
	return format.Source(withoutUnused(old, out.Bytes()))
}

// withoutUnused removes the imports that a file used before its edits and no longer uses.
func withoutUnused(old, b []byte) []byte {
	before, err := parser.ParseFile(token.NewFileSet(), "", old, 0)
	if err != nil {
		return b
	}
	fset := token.NewFileSet()
	after, err := parser.ParseFile(fset, "", b, parser.ParseComments)
	if err != nil {
		return b
	}
	used := qualifiers(before)
	for name := range qualifiers(after) {
		delete(used, name)
	}
	gone := false
	for _, i := range slices.Clone(after.Imports) {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || !used[nameOf(i, path)] {
			continue
		}
		name := ""
		if i.Name != nil {
			name = i.Name.Name
		}
		gone = astutil.DeleteNamedImport(fset, after, name, path) || gone
	}
	var out bytes.Buffer
	if !gone || format.Node(&out, fset, after) != nil {
		return b
	}
	return out.Bytes()
}

// nameOf returns the name under which a file uses an import, as far as the file alone shows it.
func nameOf(i *ast.ImportSpec, importPath string) string {
	if i.Name != nil {
		return i.Name.Name
	}
	return path.Base(importPath)
}

// qualifiers returns the names before dots in a file.
func qualifiers(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// Replace gives files other contents, each one as a whole or not at all, and keeps their permissions.
func Replace(files map[string][]byte) error {
	for name, b := range files {
		if err := replace(name, b); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a new file beside the old one, and then renames it.
func replace(name string, b []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = f.Write(b)
	if e := f.Chmod(mode); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the incomplete file
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
