// Package screen provides a virtual screen for tests of programs with windows. Only tests import it.
package screen

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Open starts an X server with a screen of that size in pixels, and returns the value for DISPLAY, or "" if the
// machine has no Xvfb. The server is stopped when the test ends.
func Open(t testing.TB, width, height int) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return ""
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	err = cmd.Start()
	_ = write.Close() // the server has its own copy
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed, so there is always an error
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb: ", err)
	}
	return ":" + strings.TrimSpace(number)
}
