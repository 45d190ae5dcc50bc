package clitest

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// NewPipe makes a named pipe that no process has opened.
func NewPipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip("cannot make a pipe here: ", err)
	}
	return path
}

// SmallDisk mounts a real file system with this many free pages of 4 KiB.
func SmallDisk(t *testing.T, pages int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", 4096*(pages+1))); err != nil {
		t.Skip("cannot mount a disk here: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
