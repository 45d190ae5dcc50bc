package scaffold

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forms are all there are.
var forms = func() (list []form) {
	for n := range 8 {
		list = append(list, form{server: n&1 > 0, world: n&2 > 0, window: n&4 > 0})
	}
	return list
}()

// Rule: each form has its files alone, complete and formatted, and no mark of the starter is left in them. It imports no
// package of the module that it does not have.
func TestFilesOfForms(t *testing.T) {
	for _, f := range forms {
		files, err := f.files()
		if err != nil {
			t.Fatal(f, err)
		}
		for name, is := range map[string]bool{
			"README.md": true, ".gitignore": true, "main.go": true, "web/index.html": true, "web/boot.js": true, "pack/main.go": true, "page/main.go": true,
			"room/room.go": true, "room/client.go": f.server, "room/peers.go": !f.server, "terminal.go": f.server,
			"rules/rules.go": true, "rules/rules_test.go": true, "rules/state.go": !f.world, "rules/world.go": f.world, "rules/served_test.go": f.server && !f.world,
			"window/main.go": f.window, "window/window.go": f.window,
		} {
			if _, there := files[name]; there != is {
				t.Errorf("%+v: %s is there: %v", f, name, there)
			}
		}
		for name, text := range files {
			if strings.Contains(text, "//starter:") || strings.Contains(text, "<!-- ") || strings.Contains(text, tag) || strings.HasPrefix(text, "\n") {
				t.Errorf("%+v: a mark is left in %s:\n%s", f, name, text)
			}
			if path.Ext(name) != ".go" {
				continue
			}
			if formatted, err := format.Source([]byte(text)); err != nil || !bytes.Equal(formatted, []byte(text)) {
				t.Errorf("%+v: %s is not formatted: %v\n%s", f, name, err, text)
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range file.Imports {
				imported, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				below, ours := strings.CutPrefix(imported, starterPath+"/")
				if ours && !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(n string) bool { return path.Dir(n) == below }) {
					t.Errorf("%+v: %s imports %s", f, name, imported)
				}
			}
		}
	}
}

// Parts belong to the forms that satisfy their conditions, also inside of others; what is not finished or unknown is an
// error.
func TestParts(t *testing.T) {
	const text = "all\n//starter:server\nserver\n\t//starter:!world\nplain server\n\t//starter:end\n//starter:end\n<!-- starter:world || window -->\nmore\n<!-- starter:end -->\n"
	for f, want := range map[form]string{
		{}:                          "all\n",
		{server: true}:              "all\nserver\nplain server\n",
		{world: true}:               "all\nmore\n",
		{server: true, world: true}: "all\nserver\nmore\n",
		{window: true}:              "all\nmore\n",
	} {
		if got, err := f.parts(text); err != nil || got != want {
			t.Errorf("%+v: %q, %v, want %q", f, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"//starter:server\nx\n":                          "does not end",
		"x\n//starter:end\n":                             "has not begun",
		"//starter:sever\nx\n//starter:end\n":            `no form is called "sever"`,
		"//starter:server world\nx\n//starter:end\n":     "unexpected",
		"<!-- starter:worlds -->\n<!-- starter:end -->x": `"worlds"`,
	} {
		if got, err := (form{}).parts(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

// A constraint on forms chooses a whole file, and is left out; other constraints stay.
func TestConstraints(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.go", "//go:build starter_world\n\npackage a\n", "package a\n"},
		{"a.go.txt", "//go:build !starter_server && starter_world\n\npackage a\n", "package a\n"},
		{"a.go", "//go:build !starter_world\n\npackage a\n", ""},
		{"a.go", "//go:build js\n\npackage a\n", "//go:build js\n\npackage a\n"},
		{"a.go", "//starter:server\n\npackage a\n\n//starter:end\n", ""},
		{"a.md", "//go:build starter_server\n", "//go:build starter_server\n"},
	} {
		if got, err := (form{world: true}).of(c.name, c.text); err != nil || got != c.want {
			t.Errorf("%s, %q: %q, %v, want %q", c.name, c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"//go:build starter_wrold\n\npackage a\n", "package a\n\nfunc {\n"} {
		if got, err := (form{}).of("a.go", text); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
}
