package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// use is a text of the source.
type use struct {
	place, function string // of this package: T, K, F or N
	text, one       string
}

// file is a parsed source of play, without tests and the tutorial, which is a separate program.
type file struct {
	name string // from play
	set  *token.FileSet
	tree *ast.File
}

func sources(t *testing.T) (list []file) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "tutorial" || d.Name() == "words"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f := file{name: strings.TrimPrefix(filepath.ToSlash(path), "../"), set: token.NewFileSet()}
		f.tree, err = parser.ParseFile(f.set, path, nil, 0)
		list = append(list, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// parse parses a source text, for controls.
func parse(t *testing.T, source string) file {
	t.Helper()
	f := file{name: "app/x.go", set: token.NewFileSet()}
	var err error
	if f.tree, err = parser.ParseFile(f.set, "x.go", "package x\n"+source, 0); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *file) place(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.name, f.set.Position(n.Pos()).Line)
}

// constant returns the value of a string that consists of literals.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, okX := constant(e.X)
		y, okY := constant(e.Y)
		return x + y, okX && okY
	case *ast.ParenExpr:
		return constant(e.X)
	}
	return "", false
}

// called returns the name of the function that a call calls, with its package or variable if that is a simple name.
func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}

// uses returns the texts of a file, and the calls without a constant where one is needed.
func (f *file) uses() (list []use, bad []string) {
	ast.Inspect(f.tree, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		pkg, name, _ := strings.Cut(called(c), ".")
		if pkg != "words" || !slices.Contains([]string{"T", "K", "F", "N"}, name) {
			return true
		}
		u := use{place: f.place(c), function: name}
		first := 0
		if name == "N" {
			first = 2
			u.one, ok = constant(c.Args[1])
		}
		text, constant := constant(c.Args[first])
		if u.text = text; ok && constant {
			list = append(list, u)
		} else if name != "T" {
			bad = append(bad, u.place+": words."+name+" of what is no constant")
		}
		return true
	})
	return list, bad
}

// verb matches a verb of a format, ignoring its flags.
var verb = regexp.MustCompile(`%[-+# 0-9.]*(\[(\d+)\])?([a-zA-Z%])`)

// verbs returns the verb of each argument of a format.
func verbs(format string) map[int]string {
	found, next := map[int]string{}, 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[3] == "%" {
			continue
		}
		if m[2] != "" {
			next, _ = strconv.Atoi(m[2])
		}
		found[next] += m[3]
		next++
	}
	return found
}

// differs returns what is wrong with a translation, or "".
func differs(english, own string, formatted bool) string {
	edge := func(s string) [2]int {
		return [2]int{len(s) - len(strings.TrimLeft(s, " ")), len(s) - len(strings.TrimRight(s, " "))}
	}
	sentence := func(s string) bool { return strings.HasSuffix(s, ".") }
	switch {
	case own == "":
		return "is empty"
	case formatted && fmt.Sprint(verbs(english)) != fmt.Sprint(verbs(own)):
		return "has other verbs"
	case edge(english) != edge(own):
		return "has other spaces around it"
	case sentence(english) != sentence(own):
		return "ends otherwise"
	}
	return ""
}

// check compares a language with the texts of the sources.
func (l *language) check(uses []use) (bad []string) {
	texts, plurals := map[string]string{}, map[string][2]string{}
	for _, table := range l.texts {
		for k, v := range table {
			if _, ok := texts[k]; ok {
				bad = append(bad, fmt.Sprintf("two texts for %q", k))
			}
			texts[k] = v
		}
	}
	for _, table := range l.plurals {
		for k, v := range table {
			if _, ok := plurals[k]; ok {
				bad = append(bad, fmt.Sprintf("two texts for the plural %q", k))
			}
			plurals[k] = v
		}
	}
	seen, seenPlural := map[string]bool{}, map[string]string{}
	for _, u := range uses {
		if u.function == "N" {
			own, ok := plurals[u.text]
			if before, twice := seenPlural[u.text]; twice && before != u.one {
				bad = append(bad, fmt.Sprintf("%s: two texts for one of %q", u.place, u.text))
			}
			seenPlural[u.text] = u.one
			if !ok {
				bad = append(bad, fmt.Sprintf("%s: no text for the plural %q", u.place, u.text))
				continue
			}
			for i, english := range []string{u.one, u.text} {
				if problem := differs(english, own[i], true); problem != "" {
					bad = append(bad, fmt.Sprintf("%s: the text for %q %s: %q", u.place, english, problem, own[i]))
				}
			}
			continue
		}
		own, ok := texts[u.text]
		seen[u.text] = true
		if !ok {
			bad = append(bad, fmt.Sprintf("%s: no text for %q", u.place, u.text))
		} else if problem := differs(u.text, own, u.function == "F"); problem != "" {
			bad = append(bad, fmt.Sprintf("%s: the text for %q %s: %q", u.place, u.text, problem, own))
		}
	}
	for k := range texts {
		if !seen[k] {
			bad = append(bad, fmt.Sprintf("nothing shows %q", k))
		}
	}
	for k := range plurals {
		if _, ok := seenPlural[k]; !ok {
			bad = append(bad, fmt.Sprintf("nothing shows the plural %q", k))
		}
	}
	slices.Sort(bad)
	return bad
}

// Each text of the sources exists in each language, with the same verbs; and there are no other texts.
func TestEachLanguageIsComplete(t *testing.T) {
	var all []use
	for _, f := range sources(t) {
		uses, bad := f.uses()
		all = append(all, uses...)
		for _, b := range bad {
			t.Error(b)
		}
	}
	if len(all) < 10 {
		t.Fatalf("%d texts: the sources are not read", len(all))
	}
	for _, l := range All()[1:] {
		for _, b := range languages[l].check(all) {
			t.Errorf("%v: %s", l, b)
		}
	}
}

// The comparison finds each mistake.
func TestTheComparisonFindsMistakes(t *testing.T) {
	f := parse(t, `var a = words.K("one"); var b = words.T("two " + "parts"); var c = words.F("%d of %s.", 1, "x"); var d = words.N(1, "%d cat", "%d cats")`)
	uses, bad := f.uses()
	if len(uses) != 4 || len(bad) != 0 {
		t.Fatalf("%v, %v", uses, bad)
	}
	texts := map[string]string{"one": "eins", "two parts": "zwei Teile", "%d of %s.": "von %[2]s %[1]d."}
	cats := map[string][2]string{"%d cats": {"%d Katze", "%d Katzen"}}
	with := func(key, text string) []map[string]string {
		changed := map[string]string{key: text}
		for k, v := range texts {
			if k != key {
				changed[k] = v
			}
		}
		return []map[string]string{changed}
	}
	without := map[string]string{"two parts": "zwei Teile", "%d of %s.": "von %[2]s %[1]d."}
	for name, c := range map[string]struct {
		l   language
		bad int
	}{
		"complete":        {language{texts: with("one", "eins"), plurals: []map[string][2]string{cats}}, 0},
		"one missing":     {language{texts: []map[string]string{without}, plurals: []map[string][2]string{cats}}, 1},
		"plural missing":  {language{texts: with("one", "eins")}, 1},
		"plural's verb":   {language{texts: with("one", "eins"), plurals: []map[string][2]string{{"%d cats": {"eine Katze", "%d Katzen"}}}}, 1},
		"unused":          {language{texts: with("three", "drei"), plurals: []map[string][2]string{cats}}, 1},
		"unused plural":   {language{texts: with("one", "eins"), plurals: []map[string][2]string{cats, {"%d dogs": {"%d Hund", "%d Hunde"}}}}, 1},
		"verbs":           {language{texts: with("%d of %s.", "%s von %d."), plurals: []map[string][2]string{cats}}, 1},
		"empty":           {language{texts: with("one", ""), plurals: []map[string][2]string{cats}}, 1},
		"spaces":          {language{texts: with("one", "eins "), plurals: []map[string][2]string{cats}}, 1},
		"no full stop":    {language{texts: with("%d of %s.", "von %[2]s %[1]d"), plurals: []map[string][2]string{cats}}, 1},
		"in two tables":   {language{texts: append(with("one", "eins"), map[string]string{"one": "eins"}), plurals: []map[string][2]string{cats}}, 1},
		"plural in two":   {language{texts: with("one", "eins"), plurals: []map[string][2]string{cats, cats}}, 1},
		"everything else": {language{}, 4},
	} {
		if got := c.l.check(uses); len(got) != c.bad {
			t.Errorf("%s: %q, want %d", name, got, c.bad)
		}
	}
	f = parse(t, `var a = words.T(x); var b = words.F(x); var c = words.K(x); var d = words.N(1, x, "%d cats")`)
	if uses, bad := f.uses(); len(uses) != 0 || len(bad) != 3 {
		t.Errorf("%v, %q", uses, bad)
	}
}
