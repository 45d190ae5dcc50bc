package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python returns a command that runs Python with the library, or skips the test.
func python(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir := build(t)
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	c := exec.Command(path, args...)
	c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "TICKBACK_LIBRARY="+filepath.Join(dir, "libtickback.so.1"))
	return c
}

// The tests of the module in Python, by pull: also that an exception is one, and ends the session.
func TestTheModuleInPython(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	c := python(t, "-m", "unittest", "-v")
	c.Dir = "python"
	if out, err := c.CombinedOutput(); err != nil || strings.Count(string(out), "... ok") < 10 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A player whose game is in Python plays with one whose game is in C: the rules are the same, and so are all states.
func TestPythonPlaysWithC(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	program := compile(t, "examples/c/pong.c")
	p := ports(t, 2)
	sameEnd(t, together(t,
		python(t, "examples/python/pong.py", "0", p[0], p[1], "--net", "awful", "--frames", "240"),
		exec.Command(program, "1", p[1], p[0], "--net", "awful"),
	), "240")
}

// The wheel has the library in it, and is installed without a network.
func TestTheWheelInstalls(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	if err := exec.Command("python3", "-m", "pip", "--version").Run(); err != nil {
		t.Skip("there is no pip")
	}
	dir := t.TempDir()
	out, err := python(t, "python/wheel.py", filepath.Join(build(t), "libtickback.so.1"), dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	wheel, site := strings.TrimSpace(string(out)), filepath.Join(dir, "site")
	if err := quietly(python(t, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", "--no-compile", "--target", site, wheel)); err != nil {
		t.Fatal(err)
	}
	c := python(t, "-c", "import tickback; print(tickback.token() and tickback.lib._name)")
	c.Dir = dir
	c.Env = append(os.Environ(), "PYTHONPATH="+site, "TICKBACK_LIBRARY=")
	said, err := c.CombinedOutput()
	if want := filepath.Join(site, "tickback", "libtickback.so.1"); err != nil || strings.TrimSpace(string(said)) != want {
		t.Errorf("%v, %s, want %s", err, said, want)
	}
}
