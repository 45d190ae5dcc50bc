package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tickback/tickback/cmd/cli"
)

// run runs the command line and returns what it printed and its exit code.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), "tickback", args, strings.NewReader(""), &out, &errs, games()...)
	return out.String(), errs.String(), code
}

const (
	brawl = "../../testdata/brawl-a.rplk"
	empty = "../../testdata/empty.rplk"
	melee = "../../testdata/arena.tbr"
)

// objects reads the JSON objects in the output.
func objects(t *testing.T, lines string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, object)
	}
	return all
}

// Recordings made by an independent implementation end with the checksums that it reports.
func TestVerifyProvesHowRecordingsEnd(t *testing.T) {
	stdout, stderr, code := run(t, "replay", "verify", brawl, empty, "--json")
	if code != 0 || stderr != "" {
		t.Fatal(code, stderr)
	}
	rest := func(m map[string]any) map[string]any {
		maps.Copy(m, map[string]any{
			"game": "duel", "ok": true, "error": "", "format": "RPLK v1", "first": 0.0, "verdict": "ok",
			"hash": "", "hashes": 0.0, "keyframes": 0.0, "checked": 0.0, "workers": 1.0, "mismatch": nil,
		})
		return m
	}
	want := []map[string]any{
		rest(map[string]any{"file": brawl, "frames": 5000.0, "seed": 7.0, "checksum": "0x1B977CCD"}),
		rest(map[string]any{"file": empty, "frames": 0.0, "seed": 3.0, "checksum": "0xA34E9FF4"}),
	}
	if diff := cmp.Diff(want, objects(t, stdout)); diff != "" {
		t.Error(diff)
	}

	stdout, _, code = run(t, "replay", "verify", brawl, empty)
	for _, text := range []string{"CHECKSUM", "0x1B977CCD", "0xA34E9FF4", "5000", "Mframes/s"} {
		if code != 0 || !strings.Contains(stdout, text) {
			t.Errorf("exit code %d, no %q in\n%s", code, text, stdout)
		}
	}
}

func TestExpect(t *testing.T) {
	for expect, want := range map[string]int{"0x1B977CCD": 0, "1b977ccd": 0, "0x1B977CCE": 1, "0xA34E9FF4": 1} {
		stdout, stderr, code := run(t, "replay", "verify", brawl, "--expect", expect, "--json")
		if code != want {
			t.Errorf("--expect %s: exit code %d", expect, code)
		}
		if want == 0 {
			continue
		}
		if got := objects(t, stdout)[0]; got["ok"] != false || got["checksum"] != "" || !strings.Contains(got["error"].(string), "0x1B977CCD") {
			t.Errorf("--expect %s: %v", expect, got)
		}
		if !strings.Contains(stderr, brawl) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("--expect %s: stderr %q", expect, stderr)
		}
	}
}

// For a damaged file there is one line that names it and the reason, and all other files are verified nevertheless.
func TestDamagedFilesDoNotStopTheOthers(t *testing.T) {
	whole, err := os.ReadFile(brawl)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flipped := bytes.Clone(whole)
	flipped[1000] ^= 4
	files := []string{
		write("cut.rplk", whole[:10000]),
		write("flipped.rplk", flipped),
		write("text.rplk", []byte("once upon a time there was a recording")),
		write("none.rplk", nil),
		filepath.Join(dir, "missing.rplk"),
		brawl,
	}
	reasons := []string{
		"length does not match the frame count: 10000 bytes of 20032",
		"damaged payload: its CRC-32 does not match",
		`not a recording: it begins with "once`,
		"the file is cut off: 0 bytes",
		"no such file",
	}
	for _, command := range []string{"verify", "info"} {
		stdout, stderr, code := run(t, append([]string{"replay", command, "--json"}, files...)...)
		if code != 1 {
			t.Errorf("%s: exit code %d", command, code)
		}
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		if len(lines) != len(reasons) {
			t.Fatalf("%s: %d lines on stderr, want %d:\n%s", command, len(lines), len(reasons), stderr)
		}
		results := objects(t, stdout)
		for i, reason := range reasons {
			if !strings.HasPrefix(lines[i], "tickback: "+files[i]+": ") || !strings.Contains(lines[i], reason) {
				t.Errorf("%s: line %q, want %q", command, lines[i], reason)
			}
			if r := results[i]; r["ok"] != false || r["file"] != files[i] || !strings.Contains(r["error"].(string), reason) {
				t.Errorf("%s: %v", command, r)
			}
		}
		if last := results[len(files)-1]; last["ok"] != true || last["frames"] != 5000.0 {
			t.Errorf("%s: the good file: %v", command, last)
		}
	}
}

// The recording of the arena in this repository can be read, and simulation reproduces it, as long as its format and
// its rules exist.
func TestTheRecordingOfTheArenaComesOutAgain(t *testing.T) {
	stdout, stderr, code := run(t, "replay", "verify", melee, "--expect", "0x49EF471F8F21F703", "--json")
	if code != 0 {
		t.Fatal(stderr)
	}
	got := objects(t, stdout)[0]
	for key, want := range map[string]any{"frames": 3600.0, "hashes": 61.0, "verdict": "ok", "format": "TBR v1"} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
}

// The scripts give known checksums, and verify accepts recordings that sim makes, in either format, with the same
// checksum.
func TestSimRecordsWhatVerifyReplays(t *testing.T) {
	for script, want := range map[string]string{"golden": "0x41B73DB7", "documented": "0xD72EE391", "random": ""} {
		for _, name := range []string{"match.rplk", "match.tbr"} {
			file := filepath.Join(t.TempDir(), name)
			stdout, stderr, code := run(t, "sim", "--game", "duel", "--seed", "1", "--frames", "1000", "--script", script, "--record", file, "--json")
			if code != 0 {
				t.Fatal(stderr)
			}
			got := objects(t, stdout)[0]
			if want == "" {
				want = got["checksum"].(string)
			}
			wantObject := map[string]any{"game": "duel", "script": script, "seed": 1.0, "frames": 1000.0, "checksum": want, "file": file}
			if diff := cmp.Diff(wantObject, got); diff != "" {
				t.Error(diff)
			}
			if _, stderr, code := run(t, "replay", "verify", file, "--expect", want); code != 0 {
				t.Error(stderr)
			}
			if _, err := os.Stat(file + ".part"); err == nil {
				t.Error("the unfinished file is still there")
			}
		}
	}
}

// A match of no frames is valid.
func TestSimOfNoFrames(t *testing.T) {
	stdout, _, code := run(t, "sim", "--seed", "3", "--frames", "0", "--json")
	if code != 0 || objects(t, stdout)[0]["checksum"] != "0xA34E9FF4" {
		t.Error(code, stdout)
	}
}

// An interrupt ends the work: one error line, exit code 1, and no incomplete file.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(t.TempDir(), "match.rplk")
	for _, args := range [][]string{
		{"replay", "verify", brawl},
		{"replay", "info", brawl},
		{"sim", "--frames", "4000000000", "--record", file},
	} {
		var out, errs bytes.Buffer
		code := cli.Run(ctx, "tickback", args, strings.NewReader(""), &out, &errs, games()...)
		if code != 1 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("%s: exit code %d, stderr %q", args[0], code, errs.String())
		}
	}
	if left, _ := filepath.Glob(file + "*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
