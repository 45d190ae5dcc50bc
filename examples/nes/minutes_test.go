package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/examples/nes/console"
)

var minutes = flag.Int("nes.minutes", 0, "play in two processes for so many minutes, over the network awful")

// said is what the command says of a match.
type said struct {
	Frames           int
	Checksum, Health string
	Rollbacks        int
	Resimulated      int
	Stalled          float64 `json:"stalled_ms"`
	Error            string
}

// Rule: two processes come to the same state over a bad network, for as long as they play, and both record the same.
func TestMinutesInTwoProcesses(t *testing.T) {
	if *minutes == 0 {
		t.Skip("it takes as long as it says: add -nes.minutes 10")
	}
	dir := t.TempDir()
	game := filepath.Join(dir, "game.exe")
	if out, err := exec.Command("go", "build", "-o", game, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	address := [2]string{free(t), free(t)}
	frames := *minutes * console.Minute
	var ends [2]said
	errs := make(chan error, len(ends))
	for i := range ends {
		args := []string{
			"match", "--player", fmt.Sprint(i + 1), "--listen", address[i], "--peer", address[1-i], "--timeout", "5m", "--drop", "1m", "--bot", "seeker",
			"--net", "awful", "--net-seed", fmt.Sprint(i + 1), "--record", filepath.Join(dir, fmt.Sprintf("%d.tbr", i+1)), "--json", "--quiet",
		}
		if i == 0 { // it decides
			args = append(args, "--frames", fmt.Sprint(frames), "--set", "dots=0")
		}
		go func() {
			out, err := exec.Command(game, args...).Output()
			if err == nil {
				err = json.Unmarshal(out, &ends[i])
			}
			if err != nil {
				err = fmt.Errorf("process %d: %w: %s", i+1, err, out)
			}
			errs <- err
		}()
	}
	for range ends {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	for i, end := range ends {
		t.Logf("process %d: %+v", i+1, end)
		if end.Frames != frames || end.Health != "healthy" || end.Error != "" || end.Checksum != ends[0].Checksum {
			t.Errorf("process %d: %+v", i+1, end)
		}
	}
	out, err := exec.Command(game, "replay", "diff", filepath.Join(dir, "1.tbr"), filepath.Join(dir, "2.tbr")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the same, byte for byte") {
		t.Errorf("%v\n%s", err, out)
	}
}

// free returns an address on this machine at which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.LocalAddr().String()
}
