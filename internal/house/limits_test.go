package house

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// limit is a line of limits.txt.
type limit struct {
	numbers []int
	why     string
}

//go:embed limits.txt
var limitsText string

// limitsOf reads limits.txt, or an earlier version of it.
func limitsOf(text string) (map[string]limit, error) {
	list := map[string]limit{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, "\t")
		numbers, why, _ := strings.Cut(rest, "\t")
		l := limit{why: why}
		for _, word := range strings.Fields(numbers) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			l.numbers = append(l.numbers, n)
		}
		if _, twice := list[name]; twice || name == "" || why == "" || len(l.numbers) == 0 {
			return nil, fmt.Errorf("%q is there twice, or lacks a name, numbers or a reason", line)
		}
		list[name] = l
	}
	return list, nil
}

// limits returns those of limits.txt.
func limits(t *testing.T) map[string]limit {
	t.Helper()
	list, err := limitsOf(limitsText)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// raised returns the limits that are higher than in the version before, and have the same reason.
func raised(before, now map[string]limit) (names []string) {
	for name, l := range now {
		was, ok := before[name]
		for i, n := range l.numbers {
			if ok && l.why == was.why && (i >= len(was.numbers) || n > was.numbers[i]) {
				names = append(names, name)
				break
			}
		}
	}
	slices.Sort(names)
	return names
}

// Rule: no limit rises without another reason than before: in no commit, and not in what is not committed yet.
func TestALimitThatRisesSaysWhy(t *testing.T) {
	const file = "internal/house/limits.txt"
	log, err := exec.Command("git", "log", "--format=%H %P", "-n", "100", "--", file).Output()
	if err != nil {
		t.Skipf("git log: %v: earlier limits are unknown here", err)
	}
	// at returns the limits of a commit; none if it has no such file.
	at := func(commit string) map[string]limit {
		text, err := exec.Command("git", "show", commit+":"+file).Output()
		if err != nil {
			return nil
		}
		list, err := limitsOf(string(text))
		if err != nil {
			t.Fatalf("%s: %v", commit, err)
		}
		return list
	}
	for _, name := range raised(at("HEAD"), limits(t)) {
		t.Errorf("%s is raised, and has the same reason", name)
	}
	for line := range strings.Lines(string(log)) {
		words := strings.Fields(line)
		now := at(words[0])
		up := map[string]int{}
		for _, parent := range words[1:] {
			for _, name := range raised(at(parent), now) {
				up[name]++
			}
		}
		for name, n := range up {
			if n == len(words)-1 { // of a merge, one side may have been lowered
				t.Errorf("%s is raised in %.12s, and has the same reason", name, words[0])
			}
		}
	}
}

// The negative control of the test above.
func TestRaisedLimitsAreFound(t *testing.T) {
	before, err := limitsOf("a\t41 3\told\nb\t41 3\told\nc\t41 3\told\nd\t41 3\told\n")
	if err != nil {
		t.Fatal(err)
	}
	now, err := limitsOf("a\t41 4\told\nb\t42 3\tnew\nc\t40 3\told\nnew\t50 1\tnew\n# a comment\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := raised(before, now); !slices.Equal(got, []string{"a"}) {
		t.Errorf("raised without a reason are %v, want a", got)
	}
	for _, bad := range []string{"a\t41 3\t\n", "a\t\twhy\n", "a\tx\twhy\n", "\t1\twhy\n", "a\t1\twhy\na\t1\twhy\n"} {
		if _, err := limitsOf(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
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

// Rule: a type has at most 40 methods and 20 fields, but for those in limits.txt, which are exactly as large as they
// are there.
func TestTypesAreNotLarge(t *testing.T) {
	large := limits(t)
	delete(large, "steady")
	seen := map[string]bool{}
	for _, p := range goList(t, nil, everything) {
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
			if why := tooLarge(large, name, s); why != "" {
				t.Error(why)
			}
		}
	}
	for name := range large {
		if !seen[name] {
			t.Errorf("%s is listed as large, and is not there: take it out of limits.txt", name)
		}
	}
}

// tooLarge says what is wrong with the size of a type, or nothing.
func tooLarge(large map[string]limit, name string, s size) string {
	l, ok := large[name]
	var listed size
	if ok && len(l.numbers) == 2 {
		listed = size{l.numbers[0], l.numbers[1]}
	}
	switch within := s.methods <= maxMethods && s.fields <= maxFields; {
	case within && ok:
		return fmt.Sprintf("%s is small enough: take it out of limits.txt", name)
	case !within && !ok:
		return fmt.Sprintf("%s has %d methods and %d fields, more than %d or %d: compose it of parts that do not know it", name, s.methods, s.fields, maxMethods, maxFields)
	case !within && (s.methods > listed.methods || s.fields > listed.fields):
		return fmt.Sprintf("%s has %d methods and %d fields, more than it may have by limits.txt (%d, %d)", name, s.methods, s.fields, listed.methods, listed.fields)
	case !within && s != listed:
		return fmt.Sprintf("%s has only %d methods and %d fields by now: say so in limits.txt", name, s.methods, s.fields)
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
		if found := tooLarge(nil, "p."+name, got[name]) != ""; found != (want.methods > maxMethods || want.fields > maxFields) {
			t.Errorf("%s is found: %v", name, found)
		}
	}
}
