package recordings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A tool that cannot write its file reports that, fails, and neither leaves a partial file nor damages the existing
// one.
func TestToolsOnASmallDisk(t *testing.T) {
	t.Parallel()
	dir := clitest.SmallDisk(t, 1)
	old := filepath.Join(dir, "old.tbr")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "long.tbr")
	if _, stderr, code := clitest.Run(t, nil, "sim", "--frames", "60000", "--script", "random", "--record", file); code != 0 {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"sim", "--frames", "60000", "--script", "random", "--record", old},
		{"replay", "cut", file, "--to", "50000", "-o", old},
		{"replay", "join", file, "-o", old},
		{"replay", "convert", file, "--to", "rplk", "-o", old},
		{"replay", "export", file, "-o", old},
		{"sim", "--frames", "60000", "--script", "random", "--trace", filepath.Join(dir, "trace")},
	} {
		_, stderr, code := clitest.Run(t, nil, args...)
		if code != 1 || !strings.Contains(stderr, "no space left on device") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, stderr %q", args, code, stderr)
		}
		os.Remove(filepath.Join(dir, "trace"))
		list, err := os.ReadDir(dir)
		b, _ := os.ReadFile(old)
		if err != nil || len(list) != 2 || string(b) != "old" {
			t.Errorf("%v leaves %v, and of the old file %q", args, list, b)
		}
	}
}
