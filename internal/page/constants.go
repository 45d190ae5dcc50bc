package page

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// Constant is a constant of the source: its value as Go writes it (a duration in nanoseconds), and the file that
// declares it.
type Constant struct{ Value, File string }

// Constants reads the constants of the package in a folder, exported or not, from its source. Of other packages it
// only knows the constants of package time, and those in imported, by names such as "rbn1.MaxInputs". A constant that
// depends on any other one is left out.
func Constants(t Reporter, folder string, imported map[string]int64) map[string]Constant {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no Go files in %s: %v", folder, err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v", err)
		}
		files = append(files, f)
	}
	// The imported packages are not available, so expressions that need them are not constants.
	check := types.Config{IgnoreFuncBodies: true, Importer: given(imported), Error: func(error) {}}
	pkg, _ := check.Check(folder, set, files, nil)
	found := map[string]Constant{}
	for _, name := range pkg.Scope().Names() {
		if c, is := pkg.Scope().Lookup(name).(*types.Const); is && c.Val().Kind() != constant.Unknown {
			found[name] = Constant{c.Val().ExactString(), filepath.Base(set.Position(c.Pos()).Filename)}
		}
	}
	return found
}

// given makes packages that only have constants.
type given map[string]int64

// Import makes the package of this path.
func (g given) Import(path string) (*types.Package, error) {
	name := path[strings.LastIndex(path, "/")+1:]
	pkg := types.NewPackage(path, name)
	if name == "time" {
		declared := types.NewTypeName(token.NoPos, pkg, "Duration", nil)
		duration := types.NewNamed(declared, types.Typ[types.Int64], nil)
		pkg.Scope().Insert(declared)
		for unit, n := range map[string]int64{"Millisecond": 1e6, "Second": 1e9, "Minute": 60e9} {
			pkg.Scope().Insert(types.NewConst(token.NoPos, pkg, unit, duration, constant.MakeInt64(n)))
		}
	}
	for of, value := range g {
		if owner, constantName, _ := strings.Cut(of, "."); owner == name {
			pkg.Scope().Insert(types.NewConst(token.NoPos, pkg, constantName, types.Typ[types.UntypedInt], constant.MakeInt64(value)))
		}
	}
	pkg.MarkComplete()
	return pkg, nil
}
