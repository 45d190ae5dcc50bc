package strict

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A part is a package whose files become files of package math. It may import what package math itself imports,
// package math, parts before it, and package runtime for its GOARCH, which becomes "wasm" or nothing there.
type part struct {
	path   string // the path to import it
	prefix string // the prefix of its names in package math
	dir    string
}

// edit replaces a piece of a file.
type edit struct {
	from, to int
	text     string
}

// edited returns a text with these edits applied, which must not overlap.
func edited(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(text[at:])
	return b.Bytes()
}

// sourcesOf returns the names of the Go files in a directory, without tests.
func sourcesOf(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if n := e.Name(); strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") && e.Type().IsRegular() {
			names = append(names, n)
		}
	}
	return names, nil
}

// merged returns the files of these parts as files of package math, by their names.
func merged(parts []part) (map[string][]byte, error) {
	m := merger{fset: token.NewFileSet(), known: packages{}, prefixes: map[*types.Package]string{}, out: map[string][]byte{}}
	for _, p := range parts {
		if err := m.add(p); err != nil {
			return nil, err
		}
	}
	m.out["strict_builtin.go"] = []byte(builtin)
	m.out["strict_target_wasm.go"] = []byte("package math\n\nconst strict_GOARCH = \"wasm\"\n")
	m.out["strict_target.go"] = []byte("//go:build !wasm\n\npackage math\n\nconst strict_GOARCH = \"\"\n")
	return m.out, nil
}

// builtin has replacements for functions that parts call: for the language's min and max, whose names have another
// meaning in package math (the replacements may return either 0 or -0), and for package math's Copysign and
// Float64bits, as they are in plain builds, in which every NaN has its own bits. The results of the parts are the same
// with these, and they do not check for NaN, which would cost time for every number.
const builtin = `package math

import "unsafe"

func strict_Float64bits(f float64) uint64 { return *(*uint64)(unsafe.Pointer(&f)) }

func strict_Copysign(f, sign float64) float64 {
	return Float64frombits(strict_Float64bits(f)&^(1<<63) | strict_Float64bits(sign)&(1<<63))
}

type strict_number interface{ int | int32 | int64 | uint | uint32 | uint64 | float64 }

func strict_min[T strict_number](x, y T) T {
	if x != x || x < y {
		return x
	}
	return y
}

func strict_max[T strict_number](x, y T) T {
	if x != x || x > y {
		return x
	}
	return y
}
`

type merger struct {
	fset     *token.FileSet
	known    packages
	prefixes map[*types.Package]string
	out      map[string][]byte
}

func (m *merger) add(p part) error {
	names, err := sourcesOf(p.dir)
	if err != nil {
		return err
	}
	texts, files := make([][]byte, len(names)), make([]*ast.File, len(names))
	for i, n := range names {
		if texts[i], err = os.ReadFile(filepath.Join(p.dir, n)); err != nil {
			return err
		}
		if files[i], err = parser.ParseFile(m.fset, filepath.Join(p.dir, n), texts[i], parser.SkipObjectResolution); err != nil {
			return err
		}
	}
	// Only the objects that names refer to are needed: the contents of other packages are unknown, and errors about
	// them do not matter.
	info := types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	cfg := types.Config{Importer: m.known, Error: func(error) {}}
	pkg, _ := cfg.Check(p.path, m.fset, files, &info)
	m.known[p.path], m.prefixes[pkg] = pkg, p.prefix
	for i, f := range files {
		edits, err := m.edits(pkg, f, &info)
		if err != nil {
			return err
		}
		m.out["strict_"+p.prefix+"_"+names[i]] = edited(texts[i], edits)
	}
	return nil
}

// edits returns the edits that turn a file into one of package math.
func (m *merger) edits(pkg *types.Package, f *ast.File, info *types.Info) (list []edit, err error) {
	at := func(p token.Pos) int { return m.fset.Position(p).Offset }
	list = append(list, edit{at(f.Name.Pos()), at(f.Name.End()), "math"})
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			i := s.(*ast.ImportSpec)
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return nil, err
			}
			switch _, ours := m.prefixes[m.known[path]]; {
			case path == "math/bits":
			case i.Name != nil || path != "math" && path != "runtime" && !ours:
				return nil, fmt.Errorf("%s imports %s, which package math does not", m.fset.Position(i.Pos()), path)
			case g.Lparen.IsValid():
				list = append(list, edit{at(i.Pos()), at(i.End()), ""})
			default:
				list = append(list, edit{at(g.Pos()), at(g.End()), ""})
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			name, ok := info.Uses[x].(*types.PkgName)
			if !ok || name.Imported().Path() == "math/bits" {
				return true
			}
			text := ""
			if p := m.prefixes[name.Imported()]; p != "" {
				text = p + "_"
			} else if n.Sel.Name == "Float64bits" || n.Sel.Name == "Copysign" || name.Imported().Path() == "runtime" {
				text = "strict_"
			}
			list = append(list, edit{at(x.Pos()), at(n.Sel.Pos()), text})
			return false
		case *ast.Ident:
			o := cmp.Or(info.Uses[n], info.Defs[n])
			switch {
			case o == nil:
			case o.Parent() == pkg.Scope():
				list = append(list, edit{at(n.Pos()), at(n.Pos()), m.prefixes[pkg] + "_"})
			case o.Parent() == types.Universe && (n.Name == "min" || n.Name == "max"):
				list = append(list, edit{at(n.Pos()), at(n.Pos()), "strict_"})
			}
		}
		return true
	})
	return list, nil
}

// packages has the parts, and empty packages for all other imports.
type packages map[string]*types.Package

// Import implements types.Importer.
func (m packages) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	m[path] = p
	return p, nil
}
