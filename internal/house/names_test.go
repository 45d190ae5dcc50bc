package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostShown is how many fields of a struct its name in package tickback has to show. Those of longer ones are found at the
// type itself, which the comment names.
const mostShown = 12

// declarations has what package house needs of a package's source.
type declarations struct {
	types   map[string]*ast.TypeSpec
	docs    map[string]string
	imports map[string]string // of the file that declares a type, by its name and that of the import
}

func declared(t *testing.T, dir string) declarations {
	t.Helper()
	d := declarations{map[string]*ast.TypeSpec{}, map[string]string{}, map[string]string{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, files, err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.TypeSpec)
				d.types[s.Name.Name] = s
				d.docs[s.Name.Name] = s.Doc.Text() + g.Doc.Text()
				for _, i := range f.Imports {
					path := strings.Trim(i.Path.Value, `"`)
					name := path[strings.LastIndexByte(path, '/')+1:]
					if i.Name != nil {
						name = i.Name.Name
					}
					d.imports[s.Name.Name+" "+name] = path
				}
			}
		}
	}
	return d
}

// followed returns the struct that a name stands for in the end, with the package that declares it, or nil.
func followed(t *testing.T, all map[string]declarations, dir, name string) (*ast.StructType, string) {
	t.Helper()
	if _, known := all[dir]; !known {
		all[dir] = declared(t, dir)
	}
	spec := all[dir].types[name]
	if spec == nil {
		t.Fatalf("%s has no type %s", dir, name)
	}
	switch x := spec.Type.(type) {
	case *ast.StructType:
		return x, dir
	case *ast.SelectorExpr:
		path, ours := strings.CutPrefix(all[dir].imports[name+" "+x.X.(*ast.Ident).Name], "github.com/tickback/tickback/")
		if spec.Assign.IsValid() && ours {
			return followed(t, all, path, x.Sel.Name)
		}
	}
	return nil, dir
}

// exported returns the names of the exported fields of a struct, with those of structs that are embedded.
func exported(t *testing.T, all map[string]declarations, dir string, s *ast.StructType) (list []string) {
	t.Helper()
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			if n.IsExported() {
				list = append(list, n.Name)
			}
		}
		if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 {
			if inner, at := followed(t, all, dir, id.Name); inner != nil && id.Name == "Summary" {
				list = append(list, exported(t, all, at, inner)...)
				continue
			}
			list = append(list, id.Name)
		}
	}
	return list
}

// unshown returns the fields of a struct that its comment does not show, if it has to show them.
func unshown(doc string, fields []string) (missing []string) {
	if len(fields) > mostShown {
		return nil
	}
	shown := map[string]bool{}
	for line := range strings.Lines(doc) {
		if words := strings.Fields(line); strings.HasPrefix(line, "\t") && len(words) > 1 {
			shown[words[0]] = true
		}
	}
	for _, f := range fields {
		if !shown[f] {
			missing = append(missing, f)
		}
	}
	return missing
}

// Who asks go doc for a name of package tickback that stands for a struct of another package sees the fields at once, and
// need not follow one name after the other.
func TestNamesOfTickbackShowTheirFields(t *testing.T) {
	all := map[string]declarations{}
	root := declared(t, ".")
	all["."] = root
	seen := 0
	for name, spec := range root.types {
		if !spec.Assign.IsValid() || !spec.Name.IsExported() {
			continue
		}
		s, dir := followed(t, all, ".", name)
		if s == nil || dir == "." {
			continue
		}
		seen++
		fields := exported(t, all, dir, s)
		if missing := unshown(root.docs[name], fields); len(missing) > 0 {
			t.Errorf("the comment of tickback.%s, which is a struct of %s, does not show %s: have a line for each, with a tab, the name, the type and what it is", name, dir, strings.Join(missing, ", "))
		}
		if len(fields) > mostShown && !strings.Contains(root.docs[name], "The type itself") {
			t.Errorf("the comment of tickback.%s does not say where its %d fields are described", name, len(fields))
		}
	}
	if seen < 25 {
		t.Errorf("only %d names of structs were found", seen)
	}
	if got := unshown("T has two.\n\n\tA int first\n", []string{"A", "B"}); len(got) != 1 || got[0] != "B" {
		t.Errorf("of A and B, %v are not shown, want B", got)
	}
}
