package recordings_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/replay/tbr"
)

// Rule: recording a simulation does not change the printed checksum, and the recording is verified up to the last
// frame, however many there are.
func TestARecordedSimulationIsProvedToItsEnd(t *testing.T) {
	for _, frames := range []int{1, 59, 60, 61, 500, 997} {
		file := filepath.Join(t.TempDir(), "match.tbr")
		bare := clitest.Object(t, 0, "sim", "--frames", fmt.Sprint(frames))
		film := clitest.Object(t, 0, "sim", "--frames", fmt.Sprint(frames), "--record", file)
		v := clitest.Object(t, 0, "replay", "verify", file)
		if bare["checksum"] != film["checksum"] || v["checksum"] != film["checksum"] || v["checked"] != float64(frames) {
			t.Errorf("%d frames: checksum %v, recorded %v; verified %v", frames, bare["checksum"], film["checksum"], v)
		}
	}
}

// Rule: frames after the last compared state are not reported as ok.
func TestWhatIsNotProvedIsSaid(t *testing.T) {
	file := clitest.ToyMatch(t, 37) // and the end has no hash
	stdout, _, code := clitest.Run(t, nil, "replay", "verify", file)
	if code != 0 || !strings.Contains(stdout, "ok before frame 481\n") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	checksum := clitest.Object(t, 0, "replay", "verify", file)["checksum"].(string)
	stdout, _, code = clitest.Run(t, nil, "replay", "verify", file, "--expect", checksum)
	if code != 0 || !strings.HasSuffix(stdout, "  ok\n") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// halfOf writes a recording as a crash leaves it: without its last block.
func halfOf(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.tbr")
	for n := len(b) - 1; n > 0; n-- {
		r, err := tbr.Open(bytes.NewReader(b), int64(n))
		if err != nil {
			t.Fatal(err)
		}
		if r.Next() < 500 {
			if err := os.WriteFile(half, b[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	return half
}

// Rule: for a recording that was cut off by a crash, info shows what can be read.
func TestInfoOfACutRecording(t *testing.T) {
	half := halfOf(t, clitest.ToyMatch(t, 50))
	stdout, _, code := clitest.Run(t, nil, "replay", "info", half)
	if code != 1 || !strings.Contains(stdout, "DAMAGED") || !strings.Contains(stdout, "TBR v1") || !strings.Contains(stdout, "400") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// Rule: bisect says which frames of two files are the same, and names the damaged file, whichever it is.
func TestBisectOfFilesThatEndElsewhere(t *testing.T) {
	whole := clitest.ToyMatch(t, 50)
	half := halfOf(t, whole)
	for _, files := range [][2]string{{whole, half}, {half, whole}} {
		_, stderr, code := clitest.Run(t, nil, "replay", "bisect", files[0], files[1])
		if code != 1 || !strings.HasPrefix(stderr, "toybox: "+half+": no difference in the frames 0 to 399, but: ") {
			t.Errorf("exit code %d\n%s", code, stderr)
		}
	}
	part := filepath.Join(t.TempDir(), "part.tbr")
	clitest.Object(t, 0, "replay", "cut", whole, "-o", part, "--to", "450")
	stdout, _, code := clitest.Run(t, nil, "replay", "bisect", whole, part)
	if code != 0 || stdout != "No difference: the frames 0 to 449 are the same.\n" {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// Rule: a pattern that no shell has expanded may match directories, with and without
// recordings.
func TestPatternsMatchDirectories(t *testing.T) {
	dir := t.TempDir()
	file := clitest.ToyMatch(t, 50)
	for _, name := range []string{"full", "empty"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Object(t, 0, "replay", "convert", file, "-o", filepath.Join(dir, "full", "a.tbr"))
	if o := clitest.Object(t, 0, "replay", "verify", filepath.Join(dir, "*")); o["file"] != filepath.Join(dir, "full", "a.tbr") {
		t.Error(o)
	}
}

// Rule: the player who recorded a match is counted as people count players, from 1 on.
func TestWhoRecordedIsCountedFromOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "match.tbr")
	clitest.Object(t, 0, "sim", "--frames", "60", "--record", file)
	stdout, _, _ := clitest.Run(t, nil, "replay", "info", file)
	if !strings.Contains(stdout, "recorded by  players 1 and 2\n") {
		t.Error(stdout)
	}
}
