//go:build !js

package browsertest

import (
	"os"
	"os/exec"
	"testing"
)

// names are the names of Chromium's program on different systems.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// find returns the path of a program with one of these names, or "" if there is none.
func find(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// all reports whether to run slow tests, too, of code that hardly ever changes.
func all() bool { return os.Getenv("TICKBACK_BROWSER") == "all" }

// Rarely skips a slow test, unless TICKBACK_BROWSER=all.
func Rarely(t testing.TB) {
	t.Helper()
	if !all() {
		t.Skip("it takes long: TICKBACK_BROWSER=all runs it")
	}
}

// Find returns the path of a browser, or skips the test: with -short, or if there is none. With
// TICKBACK_BROWSER=required, or all, it fails the test if there is none. It waits until no test of another package
// uses a browser, so call it first in a test.
func Find(t testing.TB) string {
	t.Helper()
	return Look(t, names...)
}

// Look is like [Find] for another browser, whose program has one of these names: the first is also the name of
// Debian's package.
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
