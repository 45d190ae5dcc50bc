package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint/internal/std"
)

// exported lists the functions that a package's source exports.
func exported(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no source: %v", dir, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.IsExported() {
				names = append(names, d.Name.Name)
			}
		}
	}
	return names
}

// Rule: hints name only functions that package portable has, and they cover every function of package math that a step
// may not call and portable has.
func TestHintsNameFunctionsOfPortable(t *testing.T) {
	has := exported(t, "../../../portable")
	for _, name := range inPortable {
		if !slices.Contains(has, name) {
			t.Errorf("portable has no %s", name)
		}
	}
	others := []string{"Int", "Int32", "Int64", "Uint32", "Uint64", "MulComplex", "QuoComplex"} // that package math does not have
	for _, name := range has {
		if slices.Contains(others, name) {
			continue
		}
		if v := std.Lookup("math", name); v.Kind == std.Refused && !slices.Contains(inPortable, name) {
			t.Errorf("portable has %s, and no hint names it", name)
		}
	}
	for _, name := range append(others, "Float64bits", "Signbit", "Copysign") {
		if !slices.Contains(has, name) {
			t.Errorf("portable has no %s", name)
		}
	}
	narrow := exported(t, "../../../portable/math32")
	for _, name := range []string{"Float32bits", "FromInt64", "FromUint64", "MulComplex", "QuoComplex"} {
		if !slices.Contains(narrow, name) {
			t.Errorf("math32 has no %s", name)
		}
	}
	for _, name := range []string{"Sin", "Gamma", "Pow", "Erf"} {
		if !strings.Contains(Instead("math", name), "portable") {
			t.Errorf("the hint for %s is %q", name, Instead("math", name))
		}
	}
}
