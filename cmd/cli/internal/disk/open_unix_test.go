//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("cannot make a pipe here: ", err)
	}
	return path
}

// Opening a pipe that nobody opens at the other end fails after a while, with a message; otherwise it succeeds.
func TestAPipeThatNobodyOpensIsGivenUp(t *testing.T) {
	for how, missing := range map[int]string{os.O_RDONLY: "writes to it", os.O_WRONLY: "reads from it"} {
		_, err := openWithin(t.Context(), 20*time.Millisecond, pipe(t), how, 0, missing)
		if err == nil || !strings.Contains(err.Error(), "nothing "+missing) || !strings.Contains(err.Error(), "within 20ms") {
			t.Errorf("%v", err)
		}
	}
	path := pipe(t)
	both, err := os.OpenFile(path, os.O_RDWR, 0) // opens at once
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	f, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
