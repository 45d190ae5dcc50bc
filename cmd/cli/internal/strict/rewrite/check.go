package rewrite

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

// rewritten writes new versions of the files of a package that have to be replaced, in the folder of the compiler's
// output, and returns the list of all files for the compiler.
func (c *compilation) rewritten() ([]string, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	var texts [][]byte
	names := make([]string, len(c.files))
	for i, name := range c.files {
		var err error
		if names[i], err = filepath.Abs(name); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(cmp.Or(c.instead[names[i]], name))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files, texts = append(files, f), append(texts, text)
	}
	at, err := packages(c.imports)
	if err != nil {
		return nil, err
	}
	var failed error
	conf := types.Config{
		GoVersion: c.lang,
		Sizes:     types.SizesFor("gc", arch()),
		Importer:  importer.ForCompiler(fset, "gc", at.open),
		Error: func(err error) {
			// An unused import is not a type error: the compiler reports it.
			var e types.Error
			if !errors.As(err, &e) || !e.Soft {
				failed = cmp.Or(failed, err)
			}
		},
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	pkg, _ := conf.Check(c.path, fset, files, info)
	if failed != nil {
		return nil, fmt.Errorf("%w\n(this command was built by %s: it can read what this version of Go compiles, and \"go tool tickback\" is built by the Go of the module)", failed, runtime.Version())
	}
	out := append([]string(nil), c.files...)
	generic, pairs := false, false
	for i, f := range files {
		e := editor{fset: fset, info: info, text: texts[i], narrow: narrow(arch()), products: c.products, runtime: isRuntime(c.path)}
		ast.Inspect(f, e.visit)
		if e.refused != nil {
			return nil, e.refused
		}
		name := names[i]
		if _, other := c.instead[name]; len(e.edits) == 0 && !other {
			continue
		}
		c.helped, generic, pairs = c.helped || len(e.edits) > 0, generic || e.generic, pairs || e.pairs
		text := append([]byte("//line "+name+":1:1\n"), edited(e.text, e.edits)...)
		var err error
		if out[i], err = c.write(fmt.Sprintf("strict%d_%s", i, filepath.Base(name)), text); err != nil {
			return nil, err
		}
	}
	if !c.helped {
		return out, nil
	}
	text := "package " + pkg.Name() + "\n\nimport tickback_unsafe \"unsafe\"\n\nvar _ tickback_unsafe.Pointer\n" + helpers
	if generic {
		text += genericHelper
	}
	if pairs {
		text += pairHelper
	}
	if c.products {
		text += productHelpers
	}
	if o := hidden(pkg.Scope(), text); o != nil {
		return nil, fmt.Errorf("%v: the package has its own %s, where conversions are replaced by functions that need the language's: rename it", fset.Position(o.Pos()), o.Name())
	}
	own, err := c.write("strict_helpers.go", []byte(text))
	return append(out, own), err
}

// hidden returns an object of a package that hides a type or a function of the language that a text uses, or nil.
func hidden(scope *types.Scope, text string) types.Object {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if o := scope.Lookup(word); o != nil && types.Universe.Lookup(word) != nil {
			return o
		}
	}
	return nil
}

// isRuntime reports whether a package is a part of Go's own runtime. Its conversions affect no program, and its stacks
// have no room.
func isRuntime(path string) bool {
	return path == "runtime" || strings.HasPrefix(path, "runtime/internal/") || strings.HasPrefix(path, "internal/runtime/")
}

// arch returns the target architecture, which the go command passes to its tools.
func arch() string { return os.Getenv("GOARCH") }

// narrow reports whether an architecture has 32-bit registers, and rounds 64-bit integers twice.
func narrow(arch string) bool {
	s := types.SizesFor("gc", arch)
	return s != nil && s.Sizeof(types.Typ[types.Uintptr]) == 4
}

// write writes a file beside the compiler's output, in a folder that the go command removes, and whose name does not
// appear in programs.
func (c *compilation) write(name string, text []byte) (string, error) {
	path := filepath.Join(filepath.Dir(c.out), name)
	return path, os.WriteFile(path, text, 0o600)
}

// index has the files of the compiled packages that are imported.
type index struct{ files, names map[string]string }

// packages reads the import configuration that the go command passes to the compiler.
func packages(file string) (x index, err error) {
	x = index{map[string]string{}, map[string]string{}}
	if file == "" {
		return x, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return x, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		verb, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		name, value, _ := strings.Cut(strings.TrimSpace(rest), "=")
		switch verb {
		case "packagefile":
			x.files[name] = value
		case "importmap":
			x.names[name] = value
		}
	}
	return x, lines.Err()
}

func (x index) open(path string) (io.ReadCloser, error) {
	file, ok := x.files[cmp.Or(x.names[path], path)]
	if !ok {
		return nil, fmt.Errorf("%s is not among the packages that the go command has compiled", path)
	}
	return os.Open(file)
}
