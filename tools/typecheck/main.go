// Command typecheck checks the types of packages and of their tests, for the target and the tags of the environment
// (GOOS, GOARCH, GOFLAGS), from source: nothing is compiled, neither these packages nor what they import, which takes
// most of the time of "go vet" for another system. The arguments are patterns of packages; other flags of the go
// command go into GOFLAGS.
//
//	GOOS=windows typecheck ./... ./online/...
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	dir, err := os.Getwd()
	if err == nil {
		err = check(dir, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns the errors in the packages that match the patterns, as seen from a folder that has all of them.
func check(dir string, patterns []string) error {
	list, err := packages.Load(&packages.Config{
		Dir:   dir,
		Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
			packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		ParseFile: func(set *token.FileSet, file string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
			if f != nil && !within(dir, file) {
				withoutBodies(f)
			}
			return f, err
		},
	}, patterns...)
	if err != nil {
		return fmt.Errorf("typecheck: %w", err)
	}
	var all []error
	seen := map[string]bool{} // a file is in a package and in its variant for tests
	files := 0
	for _, p := range list {
		if strings.HasSuffix(p.ID, ".test") { // what the go command has written, to run the tests
			continue
		}
		for _, e := range p.Errors {
			if text := e.Error(); !seen[text] {
				seen[text] = true
				all = append(all, errors.New(text))
			}
		}
		files += len(p.Syntax)
	}
	if files == 0 {
		all = append(all, fmt.Errorf("typecheck: no files in %s", strings.Join(patterns, " ")))
	}
	return errors.Join(all...)
}

// within reports whether a file is in a folder, or below.
func within(dir, file string) bool {
	in, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(in)
}

// withoutBodies empties the functions of a file of which only the declarations matter.
func withoutBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
