package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The wrapper for C++, under sanitizers: exceptions of a game come out of the call that ran it.
func TestTheWrapperForCPlusPlus(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	dir := build(t)
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("there is no g++")
	}
	program := filepath.Join(t.TempDir(), "wrapper")
	args := append([]string{"-std=c++17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Iinclude"}, sanitized...)
	args = append(args, "testdata/wrapper.cpp", "-o", program, "-L"+dir, "-ltickback", "-Wl,-rpath,"+dir)
	if err := quietly(exec.Command("g++", args...)); err != nil {
		t.Fatal(err)
	}
	if got := run(t, program, t.TempDir()); got != "ok\n" {
		t.Errorf("it says %q", got)
	}
}

// Whoever installs the library builds the example with pkg-config, with CMake and with the static library.
func TestAnInstalledLibraryIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library twice")
	}
	dir := build(t)
	prefix := filepath.Join(t.TempDir(), "usr")
	pc := filepath.Join(dir, "tickback.pc")
	_ = os.Remove(pc) // it may be there with another prefix
	if err := quietly(exec.Command("make", "BUILD="+dir, "PREFIX="+prefix, "install")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lib/libtickback.so", "lib/libtickback.so.1", "lib/libtickback.a", "lib/pkgconfig/tickback.pc", "include/tickback.h", "include/tickback.hpp"} {
		if _, err := os.Stat(filepath.Join(prefix, name)); err != nil {
			t.Error(err)
		}
	}
	static := filepath.Join(t.TempDir(), "pong")
	if err := quietly(exec.Command("gcc", "-std=c11", "-I"+filepath.Join(prefix, "include"), "examples/c/pong.c", "-o", static,
		filepath.Join(prefix, "lib/libtickback.a"), "-lpthread")); err != nil {
		t.Fatal(err)
	}
	usage(t, static)
	for _, tool := range []string{"pkg-config", "cmake"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	out := t.TempDir()
	configure := exec.Command("cmake", "-S", "examples/c", "-B", out)
	configure.Env = append(os.Environ(), "PKG_CONFIG_PATH="+filepath.Join(prefix, "lib/pkgconfig"))
	if err := errors.Join(quietly(configure), quietly(exec.Command("cmake", "--build", out))); err != nil {
		t.Fatal(err)
	}
	usage(t, filepath.Join(out, "pong"))
}

// usage checks that the example starts: without arguments it says how it is used.
func usage(t *testing.T, program string) {
	t.Helper()
	said, err := exec.Command(program).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(said), "usage: ") {
		t.Errorf("%s: %v, %s", program, err, said)
	}
}
