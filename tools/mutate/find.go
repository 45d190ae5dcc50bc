package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A finder collects the mutants of one file.
type finder struct {
	path  string // the path of the package
	pkg   *packages.Package
	name  string // the name of the file
	src   []byte
	file  *token.File
	info  *types.Info
	fn    string
	body  body
	seen  map[Key]int
	found []*Mutant
	// skipped are expressions that no operator may touch.
	skipped map[ast.Node]bool
}

// find returns all mutants of the files of a package, in the order of the source.
func find(fset *token.FileSet, path string, p *packages.Package, read func(string) ([]byte, error)) ([]*Mutant, error) {
	var all []*Mutant
	for _, syntax := range p.Syntax {
		if ast.IsGenerated(syntax) {
			continue
		}
		file := fset.File(syntax.Pos())
		src, err := read(file.Name())
		if err != nil {
			return nil, err
		}
		f := &finder{
			path: path, pkg: p, name: file.Name(), src: src, file: file, info: p.TypesInfo,
			seen: map[Key]int{}, skipped: map[ast.Node]bool{},
		}
		for _, d := range syntax.Decls {
			f.declaration(d)
		}
		all = append(all, f.found...)
	}
	return all, nil
}

func (f *finder) declaration(d ast.Decl) {
	f.fn, f.body = "-", body{}
	if fn, ok := d.(*ast.FuncDecl); ok {
		if fn.Body != nil {
			f.body = body{
				start: f.file.Offset(fn.Body.Lbrace + 1), end: f.file.Offset(fn.Body.Rbrace),
				void: fn.Type.Results == nil, labels: hasLabels(fn.Body),
			}
		}
		f.fn = fn.Name.Name
		if fn.Recv != nil {
			f.fn = "(" + f.text(fn.Recv.List[0].Type) + ")." + f.fn
		}
		f.emptyFunction(fn)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil || f.skipped[n] {
			return false
		}
		f.operators(n)
		return true
	})
}

// change adds a mutant: the bytes of the node are replaced by text.
func (f *finder) change(from, to token.Pos, text, what string) {
	start, end := f.file.Offset(from), f.file.Offset(to)
	k := Key{Package: f.path, Func: f.fn, Source: f.line(start), Change: what}
	f.seen[k]++
	if n := f.seen[k]; n > 1 {
		k.Change = fmt.Sprintf("%s #%d", what, n)
	}
	f.found = append(f.found, &Mutant{
		Key: k, File: f.name, Line: f.file.Line(from), Start: start, End: end, New: text, src: f.src, pkg: f.pkg, body: f.body,
	})
}

// line returns the line around an offset, without surrounding white space.
func (f *finder) line(offset int) string {
	from := bytes.LastIndexByte(f.src[:offset], '\n') + 1
	rest, _, _ := bytes.Cut(f.src[from:], []byte("\n"))
	return string(bytes.TrimSpace(rest))
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.file.Offset(n.Pos()):f.file.Offset(n.End())])
}

// short returns the node's text, to name it in a change.
func (f *finder) short(n ast.Node) string {
	first, _, more := strings.Cut(f.text(n), "\n")
	if more {
		first += " ..."
	}
	return strings.TrimSpace(first)
}

// isNumber reports whether + and - are operations on numbers there, not on strings.
func (f *finder) isNumber(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return true
	}
	return ok && b.Info()&types.IsNumeric != 0
}

// isError reports whether the type of e is an error type.
func (f *finder) isError(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	return t != nil && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

func hasLabels(b *ast.BlockStmt) (has bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		_, label := n.(*ast.LabeledStmt)
		has = has || label
		return !has
	})
	return has
}
