//go:build unix

package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What goes on between the library and its process, one process for each.
func TestHazards(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	program := compile(t, "testdata/hazards.c", "-D_DEFAULT_SOURCE", "-ldl")
	library := filepath.Join(build(t), "libtickback.so.1")
	for _, what := range []string{"handlers", "jump", "reload", "many"} {
		t.Run(what, func(t *testing.T) {
			if got := run(t, program, what, library); got != "ok\n" {
				t.Errorf("it says %q", got)
			}
		})
	}
	for _, what := range []string{"crash", "crash in step"} {
		t.Run(what, func(t *testing.T) {
			out, err := exec.Command(program, what, library).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || strings.Contains(string(out), "ok\n") {
				t.Fatalf("it has not crashed: %v\n%s", err, out)
			}
			// In C the signal ends the process; in a step Go says first where it was.
			status := exit.Sys().(syscall.WaitStatus)
			if what == "crash" && (!status.Signaled() || status.Signal() != syscall.SIGSEGV) {
				t.Errorf("it has ended with %v\n%s", status, out)
			}
			if what != "crash" && !strings.Contains(string(out), "SIGSEGV") {
				t.Errorf("it says %s", out)
			}
		})
	}
}

// Sessions that are opened and closed leave nothing behind.
func TestNothingLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	if got := run(t, compile(t, "testdata/leaks.c")); got != "ok\n" {
		t.Errorf("it says %q", got)
	}
}

// What docs/c.md says a frame costs is measured with this: go test -run ASyncTestFrame -v.
func TestASyncTestFrameIsMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	out := run(t, compile(t, "testdata/bench.c"))
	if strings.Count(out, "ns per frame") != 2 || !strings.Contains(out, "pull") {
		t.Errorf("it says %q", out)
	}
	t.Log(out)
}
