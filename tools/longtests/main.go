// Command longtests finds the tests that "go test -short" shortens, so that "make test-long" does not run the others
// again, or, with -goroutines, those that start a goroutine, without which the race detector has nothing to see. The
// arguments are folders with packages; it prints a pattern for "go test -run".
//
//	go test -run "$(longtests ./session ./fleet)" ./session ./fleet
package main

import (
	"flag"
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
	goroutines := flag.Bool("goroutines", false, "find the tests that start a goroutine")
	flag.Parse()
	asks := checksShort
	if *goroutines {
		asks = startsGoroutine
	}
	var all []string
	for _, folder := range flag.Args() {
		names, err := find(folder, asks)
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

// short are the functions of other packages that check -short, by package.
var short = map[string][]string{
	"testing":      {"Short"},
	"clitest":      {"Slow"},
	"browsertest":  {"Find", "Look", "Shared", "Start", "Rarely"},
	"firefox":      {"Start"},
	"tickbacktest": {"Builds", "Check", "Match", "Prediction", "Purity", "Served", "SyncTest", "Twins"},
}

// checksShort reports whether a node is a use of a function that checks -short.
func checksShort(n ast.Node) bool {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && slices.Contains(short[x.Name], s.Sel.Name)
}

// startsGoroutine reports whether a node starts a goroutine: a go statement, or a method of sync.WaitGroup or of
// package testing that does.
func startsGoroutine(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Go", "Parallel", "RunParallel"}, n.Sel.Name)
	}
	return false
}

// find returns the tests of a folder that do themselves what asks reports, or use something that does, ascending. It only
// compares names, so it returns too many rather than too few: a name stands for all functions, types and variables
// with it, or, after a dot, for all methods.
func find(folder string, asks func(ast.Node) bool) (tests []string, err error) {
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
			asking[name] = asking[name] || asks(n)
			switch n := n.(type) {
			case *ast.SelectorExpr:
				uses[name]["."+n.Sel.Name] = true
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
