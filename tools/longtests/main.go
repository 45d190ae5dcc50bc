// Command longtests finds the tests that "go test -short" shortens, so that "make test-long" does not run the others
// again. The arguments are folders with packages; it prints a pattern for "go test -run".
//
//	go test -run "$(longtests ./session ./fleet)" ./session ./fleet
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var all []string
	for _, folder := range os.Args[1:] {
		names, err := long(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, "longtests:", err)
			os.Exit(1)
		}
		all = append(all, names...)
	}
	if len(all) == 0 {
		fmt.Fprintln(os.Stderr, "longtests: none of these folders has such a test")
		os.Exit(1)
	}
	slices.Sort(all)
	fmt.Printf("^(%s)$\n", strings.Join(slices.Compact(all), "|"))
}

// asks are the functions of other packages that check -short, by package.
var asks = map[string][]string{
	"testing":      {"Short"},
	"clitest":      {"Slow"},
	"browsertest":  {"Find", "Look", "Shared", "Start", "Rarely"},
	"firefox":      {"Start"},
	"tickbacktest": {"Builds", "Check", "Match", "Prediction", "Purity", "Served", "SyncTest", "Twins"},
}

// long returns the tests of a folder that check -short themselves, or use something that does, ascending. It only
// compares names, so it returns too many rather than too few: a name stands for all functions, types and variables
// with it, or, after a dot, for all methods.
func long(folder string) (tests []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	uses := map[string]map[string]bool{} // the names that the declarations of a name contain
	asking := map[string]bool{}
	note := func(name string, n ast.Node) {
		if uses[name] == nil {
			uses[name] = map[string]bool{}
		}
		var visit func(ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				uses[name]["."+n.Sel.Name] = true
				if x, ok := n.X.(*ast.Ident); ok {
					asking[name] = asking[name] || slices.Contains(asks[x.Name], n.Sel.Name)
				}
				ast.Inspect(n.X, visit)
				return false
			case *ast.Ident:
				uses[name][n.Name] = true
			}
			return true
		}
		ast.Inspect(n, visit)
	}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = "." + name
				}
				if d.Body != nil {
					note(name, d.Body)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							note(n.Name, s)
						}
					case *ast.TypeSpec:
						note(s.Name.Name, s)
					}
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for name, used := range uses {
			for u := range used {
				if !asking[name] && asking[u] {
					asking[name], changed = true, true
				}
			}
		}
	}
	for name := range uses {
		if isTest(name) && asking[name] {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests, nil
}

// isTest reports whether "go test -run" may run a function of this name.
func isTest(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		if strings.HasPrefix(name, prefix) && name != "TestMain" {
			return true
		}
	}
	return false
}
