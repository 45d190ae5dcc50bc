package recordings_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A full disk gives one clear error line for the tools that write files, too.
func TestToolsOnAFullDisk(t *testing.T) {
	full := filepath.Join(t.TempDir(), "full")
	if err := syscall.Mknod(full, syscall.S_IFCHR|0o666, 1<<8|7); err != nil { // as /dev/full
		t.Skip("cannot make a device here: ", err)
	}
	file := clitest.Converted(t, 5)
	for _, args := range [][]string{
		{"cut", file, "--to", "40", "-o", full},
		{"join", file, "-o", full},
		{"convert", file, "--to", "tbr", "-o", full},
		{"convert", file, "--to", "rplk", "-o", full},
		{"export", file, "-o", full},
	} {
		stdout, stderr, code := clitest.Run(t, nil, append([]string{"replay"}, args...)...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "no space left on device") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
	out, err := os.OpenFile(full, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, command := range []string{"verify", "export", "export --format jsonl", "stats"} {
		var errs bytes.Buffer
		args := append([]string{"replay"}, strings.Fields(command+" "+file)...)
		want := "toybox: writing the output: write " + full + ": no space left on device\n"
		if code := cli.Run(t.Context(), "toybox", args, nil, out, &errs, clitest.ToyGame()); code != 1 || errs.String() != want {
			t.Errorf("%s: exit code %d, %q", command, code, errs.String())
		}
	}
}
