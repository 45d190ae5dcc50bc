package sim_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A recording that fails leaves an existing file unchanged.
func TestRecordingThatFails(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "such", "dir.rplk")
	if _, stderr, code := clitest.Run(t, nil, "sim", "--record", missing); code != 1 || stderr != "toybox: "+missing+": no such file or directory\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if _, stderr, code := clitest.Run(t, nil, "sim", "--record", dir); code != 1 || stderr != "toybox: "+dir+": is a directory\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}

	// With a symbolic link, the file that it points to is replaced, and the link stays.
	target, link := filepath.Join(dir, "target.rplk"), filepath.Join(dir, "link.rplk")
	if err := errors.Join(os.WriteFile(target, nil, 0o666), os.Symlink(target, link)); err != nil {
		t.Skip("no links here: ", err)
	}
	_, stderr, code := clitest.Run(t, nil, "sim", "--record", link)
	if content, err := os.ReadFile(target); code != 0 || err != nil || len(content) != 32+4*3600 {
		t.Errorf("exit code %d, stderr %q, %d bytes, %v", code, stderr, len(content), err)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error("the link was replaced: ", err)
	}

	// The file that replaces a private file is private.
	if err := os.Chmod(target, 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Run(t, nil, "sim", "--record", target)
	if info, err := os.Stat(target); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// An error of the simulated game is also one line.
func TestPanicOfASimulatedGame(t *testing.T) {
	_, stderr, code := clitest.Run(t, nil, "sim", "--script", "crasher")
	if want := "toybox: the game panicked: out of fuel (toy.go:"; code != 1 || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}

// The game may end a simulated match before its last frame.
func TestSimEndsWhenTheGameDoes(t *testing.T) {
	stdout, stderr, code := clitest.Run(t, nil, "sim", "--script", "quitter", "--players", "3", "--json")
	if code != 0 || !strings.Contains(stdout, `"frames":61,`) {
		t.Error(code, stdout, stderr)
	}
}

// A recording and the result in the same file would damage each other.
func TestRecordingIntoTheOutputIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var errs bytes.Buffer
	code := cli.Run(t.Context(), "toybox", []string{"sim", "--record", path}, nil, out, &errs, clitest.ToyGame())
	if code != 2 || !strings.Contains(errs.String(), "that is where the result is printed") {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
}

// A file called FILE.part that belongs to somebody else is left alone.
func TestRecordingTouchesNoOtherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "match.rplk")
	theirs := path + ".part"
	if err := os.WriteFile(theirs, []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := clitest.Run(t, nil, "sim", "--record", path); code != 0 {
		t.Error(stderr)
	}
	if content, err := os.ReadFile(theirs); string(content) != "theirs" {
		t.Errorf("%q, %v", content, err)
	}
}

// A simulation of any game is recorded completely, and replaces a file once it is complete.
func TestSimulationsAreRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sim.tbr")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := clitest.ToyGame()
	simulate := func(args ...string) (string, int) {
		var stdout, stderr strings.Builder
		code := cli.Run(t.Context(), "toybox", append([]string{"sim"}, args...), strings.NewReader(""), &stdout, &stderr, g)
		return stdout.String() + stderr.String(), code
	}
	if out, code := simulate("--frames", "20000", "--record", path); code != 0 {
		t.Fatalf("%d: %s", code, out)
	}
	r := clitest.Recorded(t, path)
	if r.Next() != 20000 || r.Header().HashEvery != r.Header().TickRate {
		t.Errorf("%d frames, %+v", r.Next(), r.Header())
	}
	var stdout, stderr strings.Builder
	if code := cli.Run(t.Context(), "toybox", []string{"replay", "verify", path}, strings.NewReader(""), &stdout, &stderr, g); code != 0 {
		t.Errorf("it is not verified: %d\n%s%s", code, &stdout, &stderr)
	}
	if out, code := simulate("--frames", "0", "--record", path); code != 2 || !strings.Contains(out, "nothing to record") {
		t.Errorf("no frames: %d\n%s", code, out)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		full := filepath.Join(t.TempDir(), "full.tbr")
		if err := os.Symlink("/dev/full", full); err != nil {
			t.Fatal(err)
		}
		if out, code := simulate("--frames", "3000", "--record", full); code != 1 || !strings.Contains(out, "no space left") {
			t.Errorf("a full disk: %d\n%s", code, out)
		}
	}
}

// A simulation can be traced, too, and a trace that cannot be written is a failure.
func TestSimIsTraced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sim.json")
	if _, stderr, code := clitest.Run(t, nil, "sim", "--frames", "50", "--trace", path); code != 0 || stderr != "" {
		t.Fatalf("%d, %q", code, stderr)
	}
	if n := clitest.Ticks(t, path); n != 50 {
		t.Errorf("%d frames in the trace", n)
	}
	if _, stderr, code := clitest.Run(t, nil, "sim", "--frames", "50", "--trace", t.TempDir()); code != 1 || !strings.Contains(stderr, "is a directory") {
		t.Errorf("a directory: %d, %q", code, stderr)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	if _, stderr, code := clitest.Run(t, nil, "sim", "--frames", "50", "--trace", "/dev/full"); code != 1 || !strings.Contains(stderr, "/dev/full: no space left") {
		t.Errorf("a full disk: %d, %q", code, stderr)
	}
}
