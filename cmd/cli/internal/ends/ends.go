// Package ends is for tests of what commands print when a session ends.
package ends

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// End is one situation in which a certain error ends a session.
type End struct {
	Err  error
	Log  string // the text about it in the log
	Says string // the text that the command prints about it
	// Never says why a session of this kind never ends with this error; the other fields are empty then.
	Never string
}

// Table lists how sessions of one kind end, by the names of the errors in package tickback.
type Table map[string][]End

// Check compares what a command prints about each way to end with a table. The table must have a row for each error
// that package tickback names, so that new ones are not forgotten.
func Check(t *testing.T, table Table, says func(error) string) {
	t.Helper()
	named := namedErrors(t)
	for name := range named {
		if len(table[name]) == 0 {
			t.Errorf("%s has no row: say how it reads here, or why it never ends such a session", name)
		}
	}
	for name, rows := range table {
		if !named[name] {
			t.Errorf("package tickback names no %s", name)
		}
		for _, r := range rows {
			switch {
			case r.Never != "" && r.Err == nil:
			case r.Err == nil:
				t.Errorf("%s: no error", name)
			case r.Err.Error() != r.Log || says(r.Err) != r.Says:
				t.Errorf("%s:\nLog: %q, Says: %q, want\nLog: %q, Says: %q", name, r.Err, says(r.Err), r.Log, r.Says)
			}
		}
	}
}

// namedErrors returns the errors that names.go of package tickback names. A test runs in its package's folder, three
// levels below cmd, like all families of commands.
func namedErrors(t *testing.T) map[string]bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash("../../../../names.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if strings.HasSuffix(n.Name.Name, "Error") {
				list[n.Name.Name] = true
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				if strings.HasPrefix(name.Name, "Err") {
					list[name.Name] = true
				}
			}
		}
		return true
	})
	if len(list) < 15 {
		t.Fatalf("names.go has only these errors: %v", list)
	}
	return list
}
