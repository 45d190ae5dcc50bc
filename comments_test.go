package tickback_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every exported function, method and type of all modules has a doc comment.
func TestWhatIsExportedIsDocumented(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "bin" || name == "node_modules" || strings.HasPrefix(name, ".") && path != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		source, err := os.ReadFile(path)
		if err == nil {
			for _, missing := range undocumented(t, path, source) {
				t.Errorf("%s has no doc comment", missing)
			}
		}
		return err
	})
	if err != nil || files < 300 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// Negative control.
func TestWhatIsNotDocumentedIsFound(t *testing.T) {
	const source = "package p\n\n// A is one.\ntype A int\n\ntype B int\n\nfunc (A) C() {}\n\nfunc D() {}\n\nfunc e() {}\n"
	if got := strings.Join(undocumented(t, "p.go", []byte(source)), " "); got != "p.go:6:6: B p.go:8:1: C p.go:10:1: D" {
		t.Error(got)
	}
}

// undocumented returns the places of exported functions and types without a comment.
// go doc . NAME shows only what stands at the name itself, and a name from another package
// has no fields there: so each one of the main package says what it is, and where to read on.
func TestNamesOfTheFrontDoorAreExplained(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "names.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			if checked++; s.(*ast.TypeSpec).Doc == nil && s.(*ast.TypeSpec).Comment == nil && len(g.Specs) > 1 {
				t.Errorf("%s is not explained", s.(*ast.TypeSpec).Name)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d names", checked)
	}
}

func undocumented(t *testing.T, path string, source []byte) (list []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	note := func(name *ast.Ident, at token.Pos, docs ...*ast.CommentGroup) {
		for _, d := range docs {
			if d != nil {
				return
			}
		}
		if name.IsExported() {
			list = append(list, files.Position(at).String()+": "+name.Name)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			note(d.Name, d.Pos(), d.Doc)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, is := s.(*ast.TypeSpec); is {
					note(s.Name, s.Pos(), d.Doc, s.Doc, s.Comment)
				}
			}
		}
	}
	return list
}
