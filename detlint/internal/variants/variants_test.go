package variants

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Rule: a declaration that differs in a file for other machines is found, with the name of that file; one that differs only in
// wording, files that no machine or no version of Go builds, and test files are ignored.
func TestWhatOtherMachinesHave(t *testing.T) {
	const common = "package p\n\n// both are set below.\nvar limit, other, list, count = 1, 2, []int{1}, 0\n\nconst (\n\tzero = iota\n\tone\n)\n"
	for name, c := range map[string]struct {
		files map[string]string // by name; those that begin with ! are not built here
		want  string
	}{
		"a constant":               {map[string]string{"a_linux.go": "const most = 1", "!a_windows.go": "const most = 2"}, "most a_windows.go"},
		"the same constant":        {map[string]string{"a_linux.go": "const most = 1", "!a_windows.go": "const most   = 1 // as many"}, ""},
		"one of a group":           {map[string]string{"a_linux.go": "const (\n\ta = iota\n\tb\n)", "!a_js.go": "const (\n\tb = iota\n\ta\n)"}, "a a_js.go, b a_js.go"},
		"a body":                   {map[string]string{"a_linux.go": "func f() int { return 1 }", "!a_others.go": "//go:build !linux\n\npackage p\n\nfunc f() int { return 2 }"}, "f a_others.go"},
		"a body in other lines":    {map[string]string{"a_linux.go": "func f() int { return 1 }", "!a_darwin.go": "// f says one.\nfunc f() int {\n\treturn 1\n}"}, ""},
		"a method":                 {map[string]string{"a_linux.go": "type t int\n\nfunc (t) m() int { return 1 }", "!a_arm64.go": "type t int\n\nfunc (t) m() int { return 2 }"}, "m a_arm64.go"},
		"a method of another type": {map[string]string{"a_linux.go": "type t int\n\nfunc (t) m() int { return 1 }", "!a_arm64.go": "type u int\n\nfunc (u) m() int { return 2 }"}, ""},
		"a type":                   {map[string]string{"a_amd64.go": "type word = int64", "!a_386.go": "type word = int32"}, "word a_386.go"},
		"set at the start":         {map[string]string{"!a_ios.go": "func init() { limit = 3; list[0]++; count := 1; _ = count }"}, "limit a_ios.go, list a_ios.go"},
		"set here alone":           {map[string]string{"a_linux.go": "func init() { other = 3 }"}, "other a_linux.go"},
		"set everywhere":           {map[string]string{"a.go": "func init() { other = 3 }"}, ""},
		"no machine":               {map[string]string{"a_linux.go": "const most = 1", "!a.go": "//go:build ignore\n\npackage p\n\nconst most = 2"}, ""},
		"no version of Go":         {map[string]string{"a_linux.go": "const most = 1", "!a.go": "//go:build !go1.18\n\npackage p\n\nconst most = 2"}, ""},
		"a test":                   {map[string]string{"a_linux.go": "const most = 1", "!a_windows_test.go": "const most = 2"}, ""},
		"another package":          {map[string]string{"a_linux.go": "const most = 1", "!b_windows.go": "package other\n\nconst most = 2"}, ""},
		"not Go":                   {map[string]string{"a_linux.go": "const most = 1", "!b_windows.go": "package p\n\nconst ="}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, p := t.TempDir(), Package{Fset: token.NewFileSet(), Info: &types.Info{Defs: map[*ast.Ident]types.Object{}}}
			c.files["common.go"] = common
			for name, text := range c.files {
				if !strings.Contains(text, "package ") {
					text = "package p\n\n" + text
				}
				path := filepath.Join(dir, strings.TrimPrefix(name, "!"))
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(name, "!") {
					p.Ignored = append(p.Ignored, path)
					continue
				}
				f, err := parser.ParseFile(p.Fset, path, nil, parser.ParseComments)
				if err != nil {
					t.Fatal(err)
				}
				p.Files = append(p.Files, f)
			}
			var err error
			if p.Types, err = (&types.Config{Importer: importer.Default()}).Check("p", p.Fset, p.Files, p.Info); err != nil {
				t.Fatal(err)
			}
			var list []string
			for obj, file := range Find(p) {
				list = append(list, obj.Name()+" "+file)
			}
			slices.Sort(list)
			if got := strings.Join(list, ", "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
