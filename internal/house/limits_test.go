package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A type with more methods or fields than these has no inside: it wants to be composed of parts
// that do not know it.
const (
	maxMethods = 40
	maxFields  = 20
)

// size is how large a type is.
type size struct {
	methods, fields int
}

// large are the types that are larger, how large they are, and why. The test compares these numbers
// with the source, and does not know what they were before: one that is raised by hand passes. So it
// does not keep types small; it has whoever makes one larger, or adds one, write it down here.
var large = map[string]struct {
	size
	why string
}{
	"classic.Match":                      {size{44, 21}, "the handshake wants to be a part"},
	"cmd/cli/internal/match.flags":       {size{9, 24}, "one field for each flag"},
	"cmd/cli/internal/match.matchResult": {size{7, 27}, "one field for each line of the result"},
	"cmd/cli/internal/match.matchSetup":  {size{21, 35}, "one place of a match, with all that may be asked of it"},
	"fleet.Plan":                         {size{57, 0}, "what a plan allows wants to be a reader of it"},
	"fleet.director":                     {size{3, 23}, "the means of drawing a plan, in the order in which they are drawn"},
	"fleet.spectatorState":               {size{7, 26}, "what a checker has seen of a spectator"},
	"fleet.run":                          {size{54, 14}, "faults want to be a part"},
	"fleet.watched":                      {size{5, 27}, "what a checker has seen of a machine"},
	"online/dtls.Transport":              {size{33, 23}, "handshakes want to be a part"},
	"online/dtls.peer":                   {size{8, 23}, "the handshake wants to be a part"},
	"play/app.App":                       {size{32, 28}, "screens want to be a stack of their own"},
	"play/cmd/tickback-play.arguments":   {size{5, 30}, "one field for each flag"},
	"play/netplay.stay":                  {size{77, 30}, "the match and the words about it want to be parts"},
	"replay/tbr.Writer":                  {size{20, 23}, "chunks want to be a part"},
	"rollback.Engine":                    {size{102, 56}, "what every frame needs lies side by side; the journal, input queues and the ring are parts already"},
	"session.Machine":                    {size{46, 1}, "33 are what its users call, most of them in a line; the rest is in the layers below: see docs/architecture.md"},
	"session.Spectator":                  {size{49, 21}, "reading the stream wants to be a part"},
	"session/membership.Core":            {size{78, 18}, "a vote and what is told of it want to be parts"},
	"session/spectate.Host":              {size{61, 25}, "what is sent to whom, and how fast, wants to be parts"},
	"session/spectate.Follower":          {size{53, 25}, "the search for a host is a part; the way to it wants to be one"},
}

// sizes counts the methods and the fields of the types of a package. A field that is embedded
// is one, and so is each name of several in a line.
func sizes(files []*ast.File) map[string]size {
	list := map[string]size{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					s := list[receiver(d)]
					s.methods++
					list[receiver(d)] = s
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						s := list[t.Name.Name]
						s.fields = fieldsOf(t.Type)
						if i, ok := t.Type.(*ast.InterfaceType); ok {
							s.methods = i.Methods.NumFields()
						}
						list[t.Name.Name] = s
					}
				}
			}
		}
	}
	return list
}

// fieldsOf counts the fields of a struct. A record, all of whose fields are exported, has none
// that count: its users fill it in or read it, and it has no inside to be composed.
func fieldsOf(t ast.Expr) int {
	s, ok := t.(*ast.StructType)
	if !ok {
		return 0
	}
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			if !name.IsExported() {
				return s.Fields.NumFields()
			}
		}
		if len(f.Names) == 0 {
			return s.Fields.NumFields()
		}
	}
	return 0
}

// Rule: a type has at most 40 methods and 20 fields, but for those that are listed with a
// reason, none of which is larger than it is listed, or smaller.
func TestTypesAreNotLarge(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range goList(t, nil, everything...) {
		path, _ := ours(p.ImportPath)
		var files []*ast.File
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		for name, s := range sizes(files) {
			name = strings.TrimPrefix(path+".", "..") + name
			seen[name] = true
			if why := tooLarge(name, s); why != "" {
				t.Error(why)
			}
		}
	}
	for name, l := range large {
		if l.why == "" {
			t.Errorf("%s is listed as large without a reason", name)
		}
		if !seen[name] {
			t.Errorf("%s is listed as large, and is not there: take it off the list", name)
		}
	}
}

// tooLarge says what is wrong with the size of a type, or nothing.
func tooLarge(name string, s size) string {
	listed, ok := large[name]
	switch within := s.methods <= maxMethods && s.fields <= maxFields; {
	case within && ok:
		return fmt.Sprintf("%s is small enough: take it off the list", name)
	case !within && !ok:
		return fmt.Sprintf("%s has %d methods and %d fields, more than %d or %d: compose it of parts that do not know it", name, s.methods, s.fields, maxMethods, maxFields)
	case !within && (s.methods > listed.methods || s.fields > listed.fields):
		return fmt.Sprintf("%s has %d methods and %d fields, more than it may have by the list (%d, %d)", name, s.methods, s.fields, listed.methods, listed.fields)
	case !within && s != listed.size:
		return fmt.Sprintf("%s has only %d methods and %d fields by now: say so in the list", name, s.methods, s.fields)
	}
	return ""
}

// The negative control of the test above.
func TestLargeTypesAreFound(t *testing.T) {
	source := "package p\ntype Small[T any] struct { a, b int; T }\nfunc (*Small[T]) M() {}\nfunc (Small[T]) N() {}\nfunc F() {}\ntype Face interface { A(); B(); C() }\n" +
		"type Wide struct { " + strings.Repeat("a, b, c int; ", 7) + "}\ntype Record struct { " + strings.Repeat("A, B, C int; ", 7) + "}\ntype Tall int\n" + strings.Repeat("func (Tall) M() {}\n", 41)
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := sizes([]*ast.File{f})
	for name, want := range map[string]size{"Small": {2, 3}, "Face": {3, 0}, "Wide": {0, 21}, "Record": {0, 0}, "Tall": {41, 0}} {
		if got[name] != want {
			t.Errorf("%s: %+v, want %+v", name, got[name], want)
		}
		if found := tooLarge("p."+name, got[name]) != ""; found != (want.methods > maxMethods || want.fields > maxFields) {
			t.Errorf("%s is found: %v", name, found)
		}
	}
}
