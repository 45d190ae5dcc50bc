//go:build linux || darwin || freebsd || netbsd || openbsd

package browsertest

import (
	"path/filepath"
	"testing"
)

// A test that has locked a file has it exclusively until it is unlocked.
func TestOneHasTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock(path)
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan func())
	go func() {
		unlock, err := lock(path)
		if err != nil {
			t.Error(err)
		}
		second <- unlock
	}()
	select {
	case <-second:
		t.Fatal("two have locked it")
	default:
	}
	first()
	(<-second)()
	if _, err := lock(t.TempDir()); err == nil {
		t.Error("a folder can be locked")
	}
}

// A test that takes its turn again still has it; when the test ends, others get theirs.
func TestATurnIsTakenOnce(t *testing.T) {
	t.Run("twice", func(t *testing.T) {
		takeTurn(t)
		takeTurn(t)
		if turn.held != 2 {
			t.Errorf("it was taken %d times", turn.held)
		}
	})
	if turn.held != 0 {
		t.Errorf("after the test it is taken %d times", turn.held)
	}
}
