package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rule: errors in types are found in packages and in their tests, in files for the target alone, and in what a missing package leads to; what is
// right, and files for other targets, give none.
func TestErrorsInTypesAreFound(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOOS", "windows")
	t.Setenv("GOARCH", "amd64")
	t.Setenv("CGO_ENABLED", "0")
	right := map[string]string{
		"go.mod":         "module m\n\ngo 1.26.0\n",
		"a.go":           "package m\n\nimport \"os\"\n\nfunc A() int { return os.Getpid() + b() }\n",
		"b_windows.go":   "package m\n\nfunc b() int { return 1 }\n",
		"b_other.go":     "//go:build !windows\n\npackage m\n\nfunc b() int { return \"not for this target\" }\n",
		"a_test.go":      "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n",
		"outer_test.go":  "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"m\"\n)\n\nfunc TestB(t *testing.T) { m.A() }\n",
		"inner/inner.go": "package inner\n\nimport \"m\"\n\nvar X int = m.A()\n",
	}
	for _, c := range []struct{ name, file, text, want string }{
		{name: "right"},
		{"a package", "a.go", "package m\n\nfunc A() int { return b() + \"\" }\n", "a.go:3:23: "},
		{"for the target", "b_windows.go", "package m\n\nfunc b() string { return \"\" }\n", "a.go:5:23: "},
		{"a test", "a_test.go", "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A(1) }\n", "a_test.go:5:30: "},
		{"a test outside", "outer_test.go", "package m_test\n\nimport \"m\"\n\nvar x string = m.A()\n", "outer_test.go:5:16: "},
		{"another package", "inner/inner.go", "package inner\n\nimport \"m\"\n\nvar X string = m.A()\n", "inner.go:5:16: "},
		{"a missing package", "inner/inner.go", "package inner\n\nimport _ \"m/missing\"\n", "missing"},
		{"syntax", "a.go", "package m\n\nfunc A( int { return 1 }\n", "a.go:3:"},
	} {
		dir := t.TempDir()
		for name, text := range right {
			if name == c.file {
				text = c.text
			}
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := check(dir, []string{"./..."})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := check(t.TempDir(), []string{"./..."}); err == nil {
		t.Error("nothing is checked, without an error")
	}
}
