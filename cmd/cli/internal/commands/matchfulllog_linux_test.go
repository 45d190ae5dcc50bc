package commands_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A log that cannot be written does not disturb the match, but is reported as a failure at the end.
func TestLogsOnAFullDisk(t *testing.T) {
	t.Parallel()
	full := filepath.Join(t.TempDir(), "full")
	if err := syscall.Mknod(full, syscall.S_IFCHR|0o666, 1<<8|7); err != nil { // as /dev/full
		t.Skip("cannot make a device here: ", err)
	}
	all := clitest.Seats(t, 2, "--frames", "30", "--log", full)
	all[1] = append(all[1], "--log-format", "json")
	for i, e := range clitest.PlayAll(t, all) {
		if e.Result["frames"] != float64(30) || strings.Count(e.Stderr, "no space left") != 1 {
			t.Errorf("player %d: %v\n%s", i+1, e.Result, e.Stderr)
		}
		e.Said(t, 1, full+": no space left on device")
	}
}
