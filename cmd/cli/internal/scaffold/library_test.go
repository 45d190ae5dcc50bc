package scaffold

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkout makes a directory that looks like a checkout of Tickback.
func checkout(t *testing.T, dir string) string {
	t.Helper()
	for _, m := range []string{"", "/cmd", "/online"} {
		if err := os.MkdirAll(dir+m, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+m+"/go.mod", []byte("module "+library+m+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Rule: a program of a release makes a module that requires that release, one built from a checkout requires the
// checkout, and a requested checkout takes precedence.
func TestWhereTickbackComesFrom(t *testing.T) {
	mine := checkout(t, filepath.Join(t.TempDir(), "mine"))
	if s, err := findLibrary("", "v1.2.3"); err != nil || s != (source{version: "v1.2.3"}) {
		t.Errorf("a release: %v, %v", s, err)
	}
	if s, err := findLibrary(mine, "v1.2.3"); err != nil || s != (source{checkout: mine}) {
		t.Errorf("a checkout that is asked for: %v, %v", s, err)
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := findLibrary("", ""); err != nil || s != (source{checkout: root}) {
		t.Errorf("the checkout of this program: %v, %v, want %s", s, err, root)
	}
	if dir := above("github.com/tickback/tickback@v1.0.0/cmd", isCheckout); dir != "" {
		t.Errorf("a path without a root leads to %s", dir)
	}
}

// Rule: with a release there are no replace lines; a checkout next to the module is named by a relative path, any other
// one by the given path.
func TestReplaceLinesAreForCheckouts(t *testing.T) {
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	beside, far := checkout(t, filepath.Join(dir, "tick back")), checkout(t, filepath.Join(dir, "a", "b"))
	for _, c := range []struct {
		from      source
		want, not string
	}{
		{source{version: "v1.2.3"}, library + "/online v1.2.3\n", "replace"},
		{source{checkout: beside}, "\t" + library + `/cmd => "../tick back/cmd"` + "\n", "v1."},
		{source{checkout: far}, "\t" + library + " => " + filepath.ToSlash(far) + "\n", ".."},
	} {
		m := module{name: "potato", library: c.from}
		if text := m.goMod(dir); !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%v: no %q, or %q, in\n%s", c.from, c.want, c.not, text)
		}
	}
}

// Names that contain the template's name are not replaced twice.
func TestNamesAreReplacedOnce(t *testing.T) {
	m := module{name: "example.org/starter-kit"}
	if got, want := m.named(`"`+starterPath+`/rules" // starter`), `"example.org/starter-kit/rules" // starter-kit`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
