package house

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

// Every exported function, type, and method of such a type of all modules has a doc comment.
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
	const source = "package p\n\n// A is one.\ntype A[T any] int\n\ntype B int\n\nfunc (*A[T]) C() {}\n\nfunc D() {}\n\nfunc e() {}\n\nfunc (f) G() {}\n"
	if got := strings.Join(undocumented(t, "p.go", []byte(source)), " "); got != "p.go:6:6: B p.go:8:1: C p.go:10:1: D" {
		t.Error(got)
	}
}

// go doc . NAME shows only what stands at the name itself, and a name from another package
// has no fields there: so each one of the main package has a sentence of its own, which begins
// with the name.
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
			spec := s.(*ast.TypeSpec)
			doc := spec.Doc
			if len(g.Specs) == 1 {
				doc = g.Doc
			}
			if checked++; !explains(spec.Name.Name, doc.Text()) {
				t.Errorf("%s is not explained by %q", spec.Name, doc.Text())
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d names", checked)
	}
}

// explains reports whether a comment says in a sentence what a name stands for. A list of fields may follow.
func explains(name, comment string) bool {
	sentence, _, lists := strings.Cut(comment, "\n\n\t")
	words := strings.Fields(sentence)
	end := strings.TrimSuffix(sentence, "\n")
	return len(words) > 4 && words[0] == name && (strings.HasSuffix(end, ".") || lists && strings.HasSuffix(end, ":"))
}

// Negative control.
func TestWhatDoesNotExplainANameIsFound(t *testing.T) {
	for comment, want := range map[string]bool{
		"":         false,
		"Event.\n": false,
		"The names that a game needs to import only this.\n": false,
		"Event is something that has happened\n":             false,
		"Event is something that has happened; see there.\n": true,
		"Event is something that has happened:\n":            false,
		"Event is something that has happened:\n\n\tA int\n": true,
		"Event:\n\n\tA int of more than four words\n":        false,
	} {
		if explains("Event", comment) != want {
			t.Errorf("%q: %v", comment, !want)
		}
	}
}

// undocumented returns the places of exported functions and types without a comment.
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
			if d.Recv == nil || ast.IsExported(receiver(d)) {
				note(d.Name, d.Pos(), d.Doc)
			}
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

// receiver returns the name of the type of which a function is a method.
func receiver(d *ast.FuncDecl) string {
	return typeName(d.Recv.List[0].Type)
}

// typeName returns the name of a type of this package, of one of its instances, or of a pointer to it; "" for others.
func typeName(e ast.Expr) string {
	if p, is := e.(*ast.StarExpr); is {
		e = p.X
	}
	switch g := e.(type) {
	case *ast.IndexExpr:
		e = g.X
	case *ast.IndexListExpr:
		e = g.X
	}
	if name, is := e.(*ast.Ident); is {
		return name.Name
	}
	return ""
}
