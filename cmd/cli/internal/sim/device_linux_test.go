package sim_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A full disk gives one clear error line, and a device stays a device.
func TestRecordingToAFullDisk(t *testing.T) {
	full := filepath.Join(t.TempDir(), "full")
	if err := syscall.Mknod(full, syscall.S_IFCHR|0o666, 1<<8|7); err != nil { // as /dev/full
		t.Skip("cannot make a device here: ", err)
	}
	if _, stderr, code := clitest.Run(t, nil, "sim", "--record", full); code != 1 || stderr != "toybox: "+full+": no space left on device\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if info, err := os.Stat(full); err != nil || info.Mode().IsRegular() {
		t.Error("the device was replaced by a file")
	}
}

// A recording can be written to a pipe, and is complete at the other end.
func TestRecordingThroughAPipe(t *testing.T) {
	pipe := clitest.NewPipe(t)
	read := make(chan []byte)
	go func() {
		content, _ := os.ReadFile(pipe)
		read <- content
	}()
	if _, stderr, code := clitest.Run(t, nil, "sim", "--frames", "5000", "--record", pipe); code != 0 {
		t.Error(stderr)
	}
	if r, err := rplk.Decode(<-read); err != nil || len(r.Frames) != 5000 {
		t.Errorf("%d frames, %v", len(r.Frames), err)
	}
}

// An interrupt ends the wait for a reader that does not read.
func TestInterruptOfAPipeThatNobodyReads(t *testing.T) {
	pipe := clitest.NewPipe(t)
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	var errs bytes.Buffer
	args := []string{"sim", "--frames", "100000", "--record", pipe} // more than a pipe holds
	if code := cli.Run(ctx, "toybox", args, nil, io.Discard, &errs, clitest.ToyGame()); code != 1 || !bytes.Contains(errs.Bytes(), []byte("interrupted")) {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
}

// An interrupt ends the wait for the other end of a pipe.
func TestInterruptOfAPipeThatNobodyOpens(t *testing.T) {
	for _, args := range [][]string{{"replay", "verify", clitest.NewPipe(t)}, {"sim", "--record", clitest.NewPipe(t)}} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		var errs bytes.Buffer
		if code := cli.Run(ctx, "toybox", args, nil, io.Discard, &errs, clitest.ToyGame()); code != 1 || !bytes.Contains(errs.Bytes(), []byte("interrupted")) {
			t.Errorf("%v: exit code %d, stderr %q", args, code, errs.String())
		}
	}
}
