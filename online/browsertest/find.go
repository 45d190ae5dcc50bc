//go:build !js

package browsertest

import (
	"os"
	"os/exec"
	"testing"
)

// names are what Chromium's program is called on systems that have it.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// find returns where a program with one of these names is, "" if there is none.
func find(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// all reports whether tests are run that take long and show what hardly ever changes.
func all() bool { return os.Getenv("TICKBACK_BROWSER") == "all" }

// Rarely skips a test that takes long, unless TICKBACK_BROWSER=all.
func Rarely(t testing.TB) {
	t.Helper()
	if !all() {
		t.Skip("it takes long: TICKBACK_BROWSER=all runs it")
	}
}

// Find returns the path of a browser, or skips the test: with -short, or because there is
// none. With TICKBACK_BROWSER=required, or all, it fails the test if there is none. It waits
// until no test of another package uses one, so a test begins with it.
func Find(t testing.TB) string {
	t.Helper()
	return Look(t, names...)
}

// Look is [Find] for another browser, whose program has one of these names: the first is that of Debian's package, too.
func Look(t testing.TB, names ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes some seconds")
	}
	path := find(names)
	switch {
	case path != "":
		takeTurn(t)
	case all(), os.Getenv("TICKBACK_BROWSER") == "required":
		t.Fatalf("there is no %s: Debian has it in the package of that name", names[0])
	default:
		t.Skipf("there is no %s", names[0])
	}
	return path
}
