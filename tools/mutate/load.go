package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// load returns all mutants of the packages, which are paths from the root.
func load(root string, paths []string) ([]*Mutant, error) {
	fset := token.NewFileSet()
	cfg := &packages.Config{
		Dir:  root,
		Fset: fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedImports |
			packages.NeedExportFile | packages.NeedCompiledGoFiles | packages.NeedModule,
	}
	patterns := make([]string, len(paths))
	for i, p := range paths {
		patterns[i] = "./" + p
	}
	loaded, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	var all []*Mutant
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s does not build: %w", p.PkgPath, p.Errors[0])
		}
		if len(p.GoFiles) == 0 {
			return nil, fmt.Errorf("%s has no Go files", p.PkgPath)
		}
		path, err := filepath.Rel(root, filepath.Dir(p.GoFiles[0]))
		if err != nil || strings.HasPrefix(path, "..") {
			return nil, errors.Join(fmt.Errorf("%s is outside of %s", p.PkgPath, root), err)
		}
		found, err := find(fset, filepath.ToSlash(path), p, os.ReadFile)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	// The order is part of what a seed means.
	slices.SortStableFunc(all, func(a, b *Mutant) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start), strings.Compare(a.New, b.New))
	})
	return all, nil
}
