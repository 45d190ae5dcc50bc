// Package variants finds declarations of a package that differ between machines: constants, functions, variables and
// types that are declared in files built for some machines only, and variables that such files set at the start of
// the program.
package variants

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// targets has one machine for each system that Go supports, and one for each processor.
var targets = [][2]string{
	{"linux", "amd64"},
	{"linux", "386"},
	{"linux", "arm"},
	{"linux", "arm64"},
	{"linux", "loong64"},
	{"linux", "mips"},
	{"linux", "mips64"},
	{"linux", "mips64le"},
	{"linux", "mipsle"},
	{"linux", "ppc64"},
	{"linux", "ppc64le"},
	{"linux", "riscv64"},
	{"linux", "s390x"},
	{"windows", "amd64"},
	{"windows", "386"},
	{"windows", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"ios", "arm64"},
	{"android", "arm64"},
	{"android", "arm"},
	{"js", "wasm"},
	{"wasip1", "wasm"},
	{"freebsd", "amd64"},
	{"netbsd", "amd64"},
	{"openbsd", "amd64"},
	{"dragonfly", "amd64"},
	{"illumos", "amd64"},
	{"solaris", "amd64"},
	{"plan9", "amd64"},
	{"aix", "ppc64"},
}

// Package is a package as it is built for this machine.
type Package struct {
	Fset    *token.FileSet
	Files   []*ast.File // the files that are built here
	Ignored []string    // paths of the files that are not
	Types   *types.Package
	Info    *types.Info
	Tags    []string // for the build
}

// Find returns the declarations that differ on other machines, with the name of the file that declares them.
func Find(p Package) map[types.Object]string {
	found := map[types.Object]string{}
	var here map[string]declared
	for _, path := range p.Ignored {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || p.built(path) == nowhere {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil || f.Name.Name != p.Types.Name() {
			continue
		}
		if here == nil {
			here = map[string]declared{}
			for _, f := range p.Files {
				collect(f, here)
			}
		}
		there := map[string]declared{}
		collect(f, there)
		for name, d := range there {
			if own, ok := here[name]; ok && own.text != d.text {
				p.note(found, own.name, path)
			}
		}
		p.set(found, f, path)
	}
	for _, f := range p.Files {
		if path := p.Fset.Position(f.Package).Filename; hasInit(f) && p.built(path) == somewhere {
			p.set(found, f, path)
		}
	}
	return found
}

// hasInit reports whether a file has a function init. If it has none, it is not necessary to determine which machines
// it is for.
func hasInit(f *ast.File) bool { return slices.ContainsFunc(f.Decls, isInit) }

func isInit(d ast.Decl) bool {
	fn, ok := d.(*ast.FuncDecl)
	return ok && fn.Recv == nil && fn.Name.Name == "init" && fn.Body != nil
}

// note records what an identifier declares.
func (p Package) note(found map[types.Object]string, name *ast.Ident, path string) {
	if obj := p.Info.Defs[name]; obj != nil && found[obj] == "" {
		found[obj] = filepath.Base(path)
	}
}

// set records the package variables that a file's functions init set, or parts of them.
func (p Package) set(found map[types.Object]string, f *ast.File, path string) {
	for _, d := range f.Decls {
		if !isInit(d) {
			continue
		}
		ast.Inspect(d.(*ast.FuncDecl).Body, func(n ast.Node) bool {
			var to []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					to = n.Lhs
				}
			case *ast.IncDecStmt:
				to = []ast.Expr{n.X}
			}
			for _, e := range to {
				if id := root(e); id != nil {
					if v, ok := p.Types.Scope().Lookup(id.Name).(*types.Var); ok && found[v] == "" {
						found[v] = filepath.Base(path)
					}
				}
			}
			return true
		})
	}
}

// root returns the name of the variable that an expression is a part of, or nil.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

type where int

const (
	nowhere where = iota
	somewhere
	everywhere
)

// built returns for which of the targets a file is built by this version of Go.
func (p Package) built(path string) where {
	matched, missed := 0, 0
	for _, t := range targets {
		for _, cgo := range []bool{true, false} {
			c := build.Default
			c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags = t[0], t[1], cgo, p.Tags
			ok, err := c.MatchFile(filepath.Dir(path), filepath.Base(path))
			switch {
			case err != nil:
				return nowhere
			case ok:
				matched++
			default:
				missed++
			}
		}
	}
	switch {
	case matched == 0:
		return nowhere
	case missed > 0:
		return somewhere
	}
	return everywhere
}

// declared is a declaration in a file: the name that it declares, and everything that it says about it.
type declared struct {
	name *ast.Ident
	text string
}

// collect adds the declarations of a file, by their names; methods with those of their types.
func collect(f *ast.File, to map[string]declared) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			plain := *d
			plain.Doc = nil
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = types.ExprString(d.Recv.List[0].Type) + "." + name
			}
			if name != "init" && name != "_" {
				to[name] = declared{d.Name, text(&plain)}
			}
		case *ast.GenDecl:
			var repeated *ast.ValueSpec
			for i, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					plain := *s
					plain.Doc, plain.Comment = nil, nil
					to[s.Name.Name] = declared{s.Name, text(&plain)}
				case *ast.ValueSpec:
					plain := *s
					if d.Tok == token.CONST && len(s.Values) > 0 {
						repeated = s
					} else if d.Tok == token.CONST && repeated != nil {
						plain.Type, plain.Values = repeated.Type, repeated.Values
					}
					said := value(plain, i)
					for _, name := range s.Names {
						to[name.Name] = declared{name, said}
					}
				}
			}
		}
	}
}

// value returns what a specification says about its names; i is its index in a group, the value of iota.
func value(s ast.ValueSpec, i int) string {
	said := ""
	for _, v := range s.Values {
		said += ", " + text(v)
	}
	if s.Type != nil {
		said = text(s.Type) + said
	}
	if strings.Contains(said, "iota") {
		said += " " + string(rune('0'+i%10)) + string(rune('0'+i/10))
	}
	return said
}

// text returns the source of a part of a file, without spaces and comments.
func text(n ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), n); err != nil {
		return ""
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
