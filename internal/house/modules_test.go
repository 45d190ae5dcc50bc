package house

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// moduleFolders returns the folders of the modules in the repository, except for those that are in no workspace: tools, and
// bench, which only compares.
func moduleFolders(t *testing.T) (folders []string) {
	t.Helper()
	if err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"bench", "bin", "testdata", "tools"}, d.Name())):
			return filepath.SkipDir
		case d.Name() == "go.mod":
			folders = append(folders, filepath.ToSlash(filepath.Dir(path)))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(folders) < 5 {
		t.Fatalf("the modules are only %q", folders)
	}
	slices.Sort(folders)
	return folders
}

// released returns the modules that a release tags: all but the examples, and the library for C, which no module requires
// and which is built in a checkout.
func released(folders []string) []string {
	return slices.DeleteFunc(slices.Clone(folders), func(dir string) bool { return within(dir, "examples") || dir == "cabi" })
}

// named returns what a list in a file names: each match of the second pattern in the one match of the first, sorted.
func named(t *testing.T, path, list, entry string) (names []string) {
	t.Helper()
	found := regexp.MustCompile(list).FindAllStringSubmatch(readFile(t, path), -1)
	if len(found) != 1 {
		t.Fatalf("%s has %d lists %s", path, len(found), list)
	}
	for _, m := range regexp.MustCompile(entry).FindAllStringSubmatch(found[0][1], -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// What the scripts check is what go.work lists, so a module that is missing there is checked by nothing.
func TestEveryModuleIsInTheWorkspace(t *testing.T) {
	out, err := exec.Command("scripts/modules.sh").Output()
	if err != nil {
		t.Fatal("scripts/modules.sh:", err)
	}
	listed := strings.Fields(string(out))
	slices.Sort(listed)
	if want := moduleFolders(t); !slices.Equal(listed, want) {
		t.Errorf("go.work has %q, and the modules are %q", listed, want)
	}
}

// The lists of modules that have an order, or another form, are complete and name none that is gone.
func TestListsOfModulesAreComplete(t *testing.T) {
	all := moduleFolders(t)
	makefile := append(named(t, "Makefile", `(?m)^ALL +:= (.*)$`, `\./((?:[\w/]+/)?)\.\.\.`), named(t, "Makefile", `(?m)^FLOATS +:= (.*)$`, `\./([\w/]+/)\.\.\.`)...)
	for i, name := range makefile {
		makefile[i] = filepath.ToSlash(filepath.Clean(name)) // the root's is empty
	}
	slices.Sort(makefile)
	if !slices.Equal(makefile, all) {
		t.Errorf("the Makefile tests %q, and the modules are %q", makefile, all)
	}
	for _, l := range []struct{ path, list, entry, root string }{
		{"scripts/release.sh", `(?m)^modules=\((.*)\)$`, `([\w.]+)`, "."},
		{"scripts/proxy.sh", `(?m)^modules=\((.*)\)$`, `\$path(?:/(\w+))?`, ""},
		{"cmd/cli/internal/scaffold/library.go", `(?m)^var modules = \[\]string\{(.*)\}$`, `"/?(\w*)"`, ""},
	} {
		want := released(all)
		want[0] = l.root
		if got := named(t, l.path, l.list, l.entry); !slices.Equal(got, want) {
			t.Errorf("%s lists %q, and a release has %q", l.path, got, want)
		}
	}
}
