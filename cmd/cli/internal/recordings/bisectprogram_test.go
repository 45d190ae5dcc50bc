package recordings_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// build compiles the small game with a fault.
func build(t *testing.T, dir, name, fault string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-ldflags", "-X main.fault="+fault, "-o", path, "./testdata/build").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// execute runs a program to its end.
func execute(t *testing.T, program string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Rule: for two binaries of one game, bisect names the exact frame and field in which they diverge, whichever of them
// runs the command.
func TestTwoBinariesAreBisected(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two programs")
	}
	dir := t.TempDir()
	good, bad := build(t, dir, "good", ""), build(t, dir, "bad", "4321")
	old, file := filepath.Join(dir, "match.rplk"), filepath.Join(dir, "match.tbr")
	for _, args := range [][]string{{"sim", "--frames", "9000", "--record", old}, {"replay", "convert", old, "-o", file}} {
		if _, stderr, code := execute(t, good, args...); code != 0 {
			t.Fatal(args, stderr)
		}
	}
	for _, recording := range []string{old, file} {
		for _, c := range [][2]string{{good, bad}, {bad, good}} {
			stdout, stderr, code := execute(t, c[0], "replay", "bisect", recording, "--with", c[1], "--json")
			var res struct {
				Found  bool
				OK     bool
				Frame  uint32
				State  uint32
				What   string
				Error  string
				Inputs []string
				Fields []struct{ Path, A, B string }
			}
			if err := json.Unmarshal([]byte(stdout), &res); err != nil || code != 1 {
				t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
			}
			if !res.Found || res.OK || res.Frame != 4321 || res.State != 4322 || res.What != "state" || res.Error != "" ||
				len(res.Fields) != 1 || res.Fields[0].Path != "Runners[1].Pace" || len(res.Inputs) != 2 {
				t.Errorf("%+v", res)
			}
		}
	}
	if stdout, stderr, code := execute(t, good, "replay", "bisect", file, "--with", good); code != 0 || stdout != "No difference.\n" {
		t.Errorf("the same build: exit code %d, %s%s", code, stdout, stderr)
	}
	stdout, _, code := execute(t, bad, "replay", "bisect", file)
	if want := "One of the frames 4320 to 4379 comes out differently"; code != 1 || !strings.Contains(stdout, want) {
		t.Errorf("the other build alone: exit code %d, %s", code, stdout)
	}
	if !strings.Contains(stdout, "What differs in state") && strings.Contains(stdout, "Runners") {
		t.Errorf("fields of no state:\n%s", stdout)
	}
}

// A program that is not a build gives an error with its own output on stderr; and one that never answers is ended by an
// interrupt.
func TestWhatIsNoBuildIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("uses programs of Unix")
	}
	file := clitest.Converted(t, 5)
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	missing, unfit := filepath.Join(t.TempDir(), "missing"), filepath.Join(t.TempDir(), "unfit")
	if err := os.WriteFile(unfit, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		script("echo hello"):                         "does not answer as a build of a game",
		script("echo 'no such command' >&2; exit 2"): "says: no such command",
		missing:        "toybox: the other build: " + missing + ": no such file or directory\n",
		unfit:          "toybox: the other build: " + unfit + ": permission denied\n",
		"nosuch-build": "toybox: the other build: nosuch-build: executable file not found in $PATH\n",
		script("head -c 3 /dev/zero; exec sleep 0"):                                                         "does not answer",
		script(`read q; echo '{"version":1,"about":{"game":"chess","first":0,"next":75}}'; cat >/dev/null`): "do not play the same recording",
	} {
		stdout, stderr, code := clitest.Run(t, nil, "replay", "bisect", file, "--with", program)
		if code != 1 || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("exit code %d, %q, want %q", code, stderr, want)
		}
	}
	ctx, cancel := clitest.ContextWithCancel(t)
	done := make(chan int, 1)
	var errs strings.Builder
	go func() {
		done <- clitest.RunWith(ctx, &errs, "replay", "bisect", file, "--with", script("exec sleep 1000"))
	}()
	cancel()
	select {
	case code := <-done:
		if code != 1 || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("exit code %d, %q", code, errs.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("an interrupt does not end it")
	}
}
