package recordings_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/cmd/cli/internal/recordings"
)

// endless is a stream without end that begins with these bytes.
type endless struct {
	begin []byte
	read  int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.begin)
	e.begin = e.begin[n:]
	clear(b[n:])
	e.read += len(b)
	return len(b), nil
}

// tempDir is where temporary files are made while the test runs. It must be empty again at the end of the test.
func tempDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Errorf("left behind in %s: %v, %v", dir, list, err)
		}
	})
}

// Every command about recordings recognizes by the first bytes of a stream that it is not a recording, and copies
// nothing of it.
func TestStreamsThatAreNoRecordingAreNotCopied(t *testing.T) {
	tempDir(t)
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range []string{
		"verify FILE", "info FILE", "stats FILE", "show FILE --frame 3", "export FILE", "convert FILE --to tbr -o " + out,
		"cut FILE --to 3 -o " + out, "join FILE -o " + out, "diff FILE FILE", "bisect FILE FILE",
	} {
		for _, file := range []string{"/dev/zero", "-"} {
			stdin := &endless{}
			var stdout, stderr bytes.Buffer
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			command := append([]string{"replay"}, strings.Fields(strings.ReplaceAll(args, "FILE", file))...)
			code := cli.Run(ctx, "toybox", command, stdin, &stdout, &stderr, clitest.ToyGame())
			cancel()
			if code != 1 || !strings.Contains(stderr.String(), "not a recording") || stdin.read > 1<<20 {
				t.Errorf("%v: exit code %d after %d bytes\n%s", command, code, stdin.read, &stderr)
			}
		}
	}
}

// Reading a stream that begins like a recording and never ends stops at a size limit, which the error names, or with
// Ctrl-C, and leaves no files.
func TestStreamsWithoutEndAreGivenUp(t *testing.T) {
	tempDir(t)
	recordings.SetMaxSpooled(t, 8<<20)
	b, err := os.ReadFile(clitest.Converted(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if code := cli.Run(t.Context(), "toybox", []string{"replay", "verify", "-"}, &endless{begin: b}, io.Discard, &stderr, clitest.ToyGame()); code != 1 || !strings.Contains(stderr.String(), "more than 8 MiB") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	recordings.SetMaxSpooled(t, 1<<40)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	stderr.Reset()
	if code := cli.Run(ctx, "toybox", []string{"replay", "verify", "-"}, &endless{begin: b}, io.Discard, &stderr, clitest.ToyGame()); code != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// Only the files of a directory are read: a pipe, to which nobody may ever write, is skipped.
func TestAPipeInADirectoryIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.tbr"), 0o600); err != nil {
		t.Skip("cannot make a pipe here: ", err)
	}
	b, err := os.ReadFile(clitest.Converted(t, 5))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "match.tbr"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{dir, filepath.Join(dir, "*.tbr")} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var stdout, stderr bytes.Buffer
		code := cli.Run(ctx, "toybox", []string{"replay", "verify", arg}, strings.NewReader(""), &stdout, &stderr, clitest.ToyGame())
		if code != 0 || !strings.Contains(stdout.String(), "match.tbr") || strings.Contains(stdout.String()+stderr.String(), "pipe.tbr") {
			t.Errorf("%s: exit code %d\n%s%s", arg, code, &stdout, &stderr)
		}
	}
}
