package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// compiles reports whether a mutant passes the type checker: most mutants that do not compile are discarded here,
// and do not count.
func (m *Mutant) compiles() bool {
	fset := m.pkg.Fset
	changed, err := parser.ParseFile(fset, m.File, m.apply(), parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	files := make([]*ast.File, len(m.pkg.Syntax))
	for i, f := range m.pkg.Syntax {
		if files[i] = f; m.pkg.CompiledGoFiles[i] == m.File {
			files[i] = changed
		}
	}
	c := types.Config{
		Importer: imported{m.pkg}, Sizes: m.pkg.TypesSizes,
		GoVersion: "go" + m.pkg.Module.GoVersion,
	}
	_, err = c.Check(m.pkg.PkgPath, fset, files, nil)
	return err == nil
}

// imported provides the package's imports to the type checker.
type imported struct{ p *packages.Package }

// Import returns an import that the package was compiled with.
func (i imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i.p.Imports[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("%s is not imported by %s", path, i.p.PkgPath)
}
