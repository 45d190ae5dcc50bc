package commands_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// On a full disk the command reports that, and leaves nothing.
func TestNewOnAFullDisk(t *testing.T) {
	for _, pages := range []int{0, 1, 5} {
		dir := clitest.SmallDisk(t, pages)
		t.Chdir(dir)
		failed(t, dir, 1, "no space left on device", "new", "potato")
	}
}

// For a directory that is not writable, the error names it, with the reason.
func TestNewInADirectoryThatMustNotBeWritten(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	failed(t, dir, 1, "cannot make potato: permission denied", "new", "potato")
}
