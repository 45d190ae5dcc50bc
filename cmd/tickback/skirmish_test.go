package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A skirmish that sim records is accepted by verify; one of its frames can be shown, exported, and compared.
func TestSimOfTheSkirmish(t *testing.T) {
	for _, script := range []string{"random", "bold", "patient"} {
		file := filepath.Join(t.TempDir(), "match.tbr")
		stdout, stderr, code := run(t, "sim", "--game", "skirmish", "--players", "3", "--seed", "4", "--frames", "300", "--script", script,
			"--set", "size=64,units=30", "--record", file, "--json")
		if code != 0 {
			t.Fatal(stderr)
		}
		sum := objects(t, stdout)[0]["checksum"].(string)
		if _, stderr, code := run(t, "replay", "verify", file, "--expect", sum); code != 0 {
			t.Error(stderr)
		}
		if stdout, stderr, code := run(t, "replay", "bisect", file); code != 0 || !strings.Contains(stdout, "No difference.") {
			t.Error(stdout, stderr)
		}
		if script != "bold" {
			continue
		}
		if stdout, stderr, code := run(t, "replay", "show", file, "--frame", "200"); code != 0 || !strings.Contains(stdout, "Units") {
			t.Errorf("%.2000s%s", stdout, stderr)
		}
		if stdout, stderr, code := run(t, "replay", "export", file); code != 0 || strings.Count(stdout, "\n") != 301 {
			t.Error(code, stderr)
		}
	}
}

// A setup that does not exist in the skirmish is refused.
func TestSetupsOfTheSkirmish(t *testing.T) {
	for set, want := range map[string]string{
		"size=60": "must be 64 to 512", "size=100": "multiple of 16", "units=5001": "must be 0 to 5000", "map=1": "skirmish has size, units",
	} {
		if _, stderr, code := run(t, "sim", "--game", "skirmish", "--set", set); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", set, code, stderr)
		}
	}
}

// A soak of the skirmish plays a small and short version of "make soak-skirmish", in both modes: machines leave and
// come back, spectators watch, and the armies keep their size to the end.
func TestSoakOfTheSkirmish(t *testing.T) {
	length := "90s"
	if testing.Short() {
		length = "20s"
	}
	for _, mode := range []string{"lockstep", "rollback"} {
		stdout, stderr, code := run(t, "soak", "--game", "skirmish", "--players", "8", "--set", "size=64,units=6,endless=1", "--profile", "membership",
			"--length", length, "--mode", mode, "--seeds", "1", "--seed", "2", "--json")
		if code != 0 {
			t.Fatalf("%s: %s%s", mode, stdout, stderr)
		}
		row := objects(t, stdout)[0]["rows"].([]any)[0].(map[string]any)
		units, counted := row["units"].(map[string]any)
		if seconds := row["virtual_seconds"].(float64); !counted || units["median"].(float64) < 40 || seconds < 20 {
			t.Errorf("%s: %.0f s, units %v", mode, seconds, units)
		}
	}
}

func TestResultsOfTheSkirmish(t *testing.T) {
	if got := skirmishResult(2); got != "player 2 has won" {
		t.Error(got)
	}
	if got := skirmishResult(0); got != "a draw" {
		t.Error(got)
	}
}

// Three peers play a skirmish over UDP, in lockstep and with rollback: one joins late, one watches, and all recordings
// can be verified and are of the same match.
func TestSkirmishOfThree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	for _, mode := range []string{"--lockstep=true", "--lockstep=false"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			skirmishOfThree(t, mode)
		})
	}
}

func skirmishOfThree(t *testing.T, mode string) {
	at, dir := freePorts(t, "udp4", "127.0.0.1", 3), t.TempDir()
	const token = "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v"
	file := func(p int) string { return filepath.Join(dir, fmt.Sprint(p)+".tbr") }
	common := []string{"skirmish", "--json", "--players", "3", mode, "--on-leave", "continue", "--token", token, "--net", "wifi"}
	player := func(p int, args ...string) *process {
		return start(t, append(append(common, "--player", fmt.Sprint(p), "--listen", at[p-1], "--record", file(p)), args...)...)
	}
	const length = "300"
	one := player(1, "--peer", at[1], "--reserved", "3", "--frames", length, "--set", "size=64,units=100", "--seed", "3")
	two := player(2, "--peer", at[0], "--reserved", "3", "--bot", "patient")
	two.untilPlaying(t)
	three := player(3, "--join", at[0])
	watcher := start(t, "spectate", "--game", "skirmish", "--json", "--host", at[0], "--host", at[1], "--token", token, "--record", file(4))
	all := []*process{one, two, three, watcher}
	var wg sync.WaitGroup
	codes := make([]int, len(all))
	for i, p := range all {
		wg.Go(func() { codes[i] = p.code() })
	}
	wg.Wait()
	sum := ""
	for i, p := range all {
		if codes[i] != 0 {
			t.Fatalf("process %d: exit code %d\n%s", i+1, codes[i], p.errs.String())
		}
		r := objects(t, p.out.String())[0]
		if sum == "" {
			sum = r["checksum"].(string)
		}
		if r["checksum"] != sum || len(sum) != 18 || r["health"] != "healthy" || r["frames"] != 300.0 {
			t.Errorf("process %d: %v", i+1, r)
		}
		if _, stderr, code := run(t, "replay", "verify", file(i+1), "--expect", sum); code != 0 {
			t.Errorf("recording %d: %s", i+1, stderr)
		}
		if stdout, _, code := run(t, "replay", "bisect", file(1), file(i+1)); code != 0 || !strings.Contains(stdout, "No difference") {
			t.Errorf("recording %d: %s", i+1, stdout)
		}
	}
	if r := objects(t, three.out.String())[0]; r["joined_at"] == nil {
		t.Errorf("player 3 was there from the beginning: %v", r)
	}
}
