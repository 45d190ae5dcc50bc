package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/fleet"
)

// longSoak runs a long soak of some games.
func longSoak(ctx context.Context, games []cli.Game, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = cli.Run(ctx, "toybox", append([]string{"soak"}, args...), nil, &out, &errs, games...)
	return out.String(), errs.String(), code
}

// seedsOf counts which seeds of matches a game is asked to start, and calls seen for each
// new one.
func seedsOf(seeds map[uint64]int, seen func(n int)) cli.Game {
	var lock sync.Mutex
	s := clitest.ToySpec()
	s.Start = func(p tickback.Parameters) (func(*clitest.Toy), error) {
		lock.Lock()
		defer lock.Unlock()
		if seeds[p.Seed]++; seeds[p.Seed] == 1 {
			seen(len(seeds))
		}
		return func(t *clitest.Toy) { t.Sum = p.Seed }, nil
	}
	return cli.NewGame(s)
}

// A long soak plays all places of its mix with all seeds, writes a report, and has nothing left to do then.
func TestALongSoak(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "soak")
	other := clitest.ToySpec()
	other.ID, other.Classic, other.MaxPlayers = "other", nil, 2
	games := []cli.Game{clitest.ToyGame(), cli.NewGame(other)}
	args := []string{"--folder", folder, "--game", "toy,other", "--players", "2,3,8", "--seeds", "8", "--seed", "500", "--length", "1s", "-j", "2"}
	stdout, stderr, code := longSoak(t.Context(), games, args...)
	if code != 0 || !strings.Contains(stdout, "24 of 24 matches, seeds from 500: 0 failed") {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	report, err := os.ReadFile(filepath.Join(folder, "report.md"))
	for _, want := range []string{"# Long soak", "a CPU minute", "No match has failed", "16 matches of toy, seeds 500 to 507", "8 matches of other", "| 3 | swarm | 1 | 0 |", "profile all, up to 1s each"} {
		if err != nil || !strings.Contains(string(report), want) {
			t.Errorf("%v: no %q in\n%s", err, want, report)
		}
	}
	stdout, stderr, code = longSoak(t.Context(), games, args...)
	if code != 0 || !strings.Contains(stdout, "24 of 24") || !strings.Contains(stderr, "24 of 24 matches are played already") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// After an interrupt, and after a kill that leaves an older file and half of a newer one, the remaining matches are
// played, and none that the file counts as played is repeated.
func TestALongSoakGoesOn(t *testing.T) {
	const seeds = 120
	for _, kill := range []bool{false, true} {
		folder := t.TempDir()
		progress := filepath.Join(folder, "progress.json")
		args := []string{"--folder", folder, "--game", "toy", "--players", "2", "--seeds", fmt.Sprint(seeds), "--seed", "1000", "--profile", "lan", "--length", "1s", "-j", "2"}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		first := map[uint64]int{}
		var left []byte // what a kill leaves
		_, stderr, code := longSoak(ctx, []cli.Game{seedsOf(first, func(n int) {
			if n == 40 {
				left, _ = os.ReadFile(progress)
			}
			if n == 60 {
				cancel()
			}
		})}, args...)
		if code != 1 || !strings.Contains(stderr, "interrupted") {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if kill {
			if err := os.WriteFile(progress, left, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(progress+".1.part", left[:len(left)/2], 0o666); err != nil {
				t.Fatal(err)
			}
		}
		second := map[uint64]int{}
		stdout, stderr, code := longSoak(t.Context(), []cli.Game{seedsOf(second, func(int) {})}, args...)
		if code != 0 || !strings.Contains(stdout, fmt.Sprintf("%d of %d matches", seeds, seeds)) {
			t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
		}
		var done int
		if _, err := fmt.Sscanf(stderr[strings.Index(stderr, ": ")+2:], "%d of", &done); err != nil || done == 0 || len(second) != seeds-done {
			t.Errorf("kill %v: %d were done, and %d are played of %d: %s, %v", kill, done, len(second), seeds, stderr, err)
		}
		maps.Copy(first, second)
		if len(first) != seeds {
			t.Errorf("kill %v: %d of %d seeds were played", kill, len(first), seeds)
		}
		if stale, _ := filepath.Glob(progress + ".*"); len(stale) > 0 {
			t.Errorf("left are %v", stale)
		}
	}
}

// A failing match is written to a file as a plan, shrunk, which fails in the same way; and a soak whose plans cannot be
// written prints them, and does not count the match as played.
func TestFailuresOfALongSoakBecomePlans(t *testing.T) {
	games := []cli.Game{drifterGame()}
	folder := t.TempDir()
	args := []string{"--game", "drifter", "--players", "2", "--seeds", "3", "--seed", "1", "--profile", "mobile", "--length", "4s", "-j", "1"}
	stdout, stderr, code := longSoak(t.Context(), games, append(args, "--folder", folder)...)
	plans, err := filepath.Glob(filepath.Join(folder, "plans", "drifter-2-*.json"))
	if code != 1 || err != nil || len(plans) == 0 || !strings.Contains(stderr, "FAILED: drifter, seed ") || !strings.Contains(stderr, fmt.Sprintf("%d of 3 matches failed: see", len(plans))) {
		t.Fatalf("exit code %d, %v: %s%s", code, plans, stdout, stderr)
	}
	report, _ := os.ReadFile(filepath.Join(folder, "report.md"))
	for _, path := range plans {
		b, err := os.ReadFile(path)
		p, perr := fleet.ParsePlan(b)
		if err != nil || perr != nil || p.Frames >= 200 {
			t.Errorf("%s is not shrunk: %v, %v\n%v", path, err, perr, p)
		}
		if _, stderr, code := longSoak(t.Context(), games, "--game", "drifter", "--plan", path); code != 1 || !strings.Contains(stderr, "states: at ") {
			t.Errorf("%s: exit code %d: %s", path, code, stderr)
		}
		if !strings.Contains(string(report), "toybox soak --game drifter --plan "+path) {
			t.Errorf("no %s in\n%s", path, report)
		}
	}
	if _, again, code := longSoak(t.Context(), games, append(args, "--folder", folder)...); code != 1 || strings.Contains(again, "FAILED") {
		t.Errorf("what has failed is played again: exit code %d: %s", code, again)
	}

	// Nothing can be written to the folder of the plans.
	folder = t.TempDir()
	for seed := 1; seed <= 3; seed++ {
		in := filepath.Join(folder, "plans", fmt.Sprintf("drifter-2-%d.json", seed), "x")
		if err := os.MkdirAll(in, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, code = longSoak(t.Context(), games, append(args, "--folder", folder)...)
	if code != 1 || !strings.Contains(stderr, "the plan could not be written; it is:\n{") || !strings.Contains(stderr, "again, as it was drawn:") || !strings.Contains(stderr, "file exists") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	for seed := 1; seed <= 3; seed++ {
		os.RemoveAll(filepath.Join(folder, "plans", fmt.Sprintf("drifter-2-%d.json", seed)))
	}
	if _, again, code := longSoak(t.Context(), games, append(args, "--folder", folder)...); code != 1 || !strings.Contains(again, "FAILED: drifter") || strings.Contains(again, "could not be written") {
		t.Errorf("what has no plan is not played again: exit code %d: %s", code, again)
	}
}

// A damaged file, or one of another soak or another build, is not continued, and the error says what to do.
func TestALongSoakIsNotContinuedByAnother(t *testing.T) {
	folder := t.TempDir()
	progress := filepath.Join(folder, "progress.json")
	games := []cli.Game{clitest.ToyGame()}
	args := []string{"--folder", folder, "--players", "2", "--seeds", "2", "--seed", "5", "--length", "1s"}
	if _, stderr, code := longSoak(t.Context(), games, args...); code != 0 {
		t.Fatal(stderr)
	}
	good, err := os.ReadFile(progress)
	if err != nil {
		t.Fatal(err)
	}
	again := func(want string, code int, more ...string) {
		t.Helper()
		_, stderr, got := longSoak(t.Context(), games, append(args[:len(args):len(args)], more...)...)
		if got != code || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d, no %q in %s", more, got, want, stderr)
		}
	}
	for _, bad := range [][]byte{nil, good[:len(good)/2], good[1:], bytes.Replace(good, []byte(`"done": 2`), []byte(`"done": 1`), 1), []byte("{}\n")} {
		if err := os.WriteFile(progress, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		again("progress.json: the file is damaged", 1)
		if b, _ := os.ReadFile(progress); !bytes.Equal(b, bad) {
			t.Error("a damaged file was changed")
		}
	}
	rewrite := func(old, now string) {
		t.Helper()
		_, body, _ := bytes.Cut(bytes.TrimSuffix(good, []byte("\n}\n")), []byte("\"soak\": "))
		body = bytes.Replace(body, []byte(old), []byte(now), 1)
		var dense bytes.Buffer
		if err := json.Compact(&dense, body); err != nil {
			t.Fatal(err)
		}
		file := fmt.Appendf(nil, `{"soak": %s, "xxh3": "%016x"}`, body, xxh3.Hash(dense.Bytes()))
		if err := os.WriteFile(progress, file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rewrite("", "")
	again("already", 0)
	again("begun with --seed 5, not 6", 1, "--seed", "6")
	again("begun with --seeds 2, not 9", 1, "--seeds", "9")
	again("begun with --profile all, not lan", 1, "--profile", "lan")
	again("begun with games and players [{toy 2}], not [{toy 2} {toy 3}]", 1, "--players", "2,3")
	rewrite(`"done": 2`, `"done": 3`)
	again("makes no sense", 1)
	rewrite(`"seeds"`, `"sods"`)
	again("another version", 1)
	rewrite(`"binary": "`, `"binary": "f`)
	again("another build has played 2 of 2 matches", 1)
	again("already", 0, "--other-build")
	if report, _ := os.ReadFile(filepath.Join(folder, "report.md")); strings.Count(string(report), ": build ") != 2 {
		t.Errorf("the builds are not in the report:\n%s", report)
	}
	again("does not go with --folder", 2, "--report", "x")
	again("toy is there twice", 2, "--game", "toy,toy")
	again(`no game "go"`, 2, "--game", "toy,go")
	if _, stderr, code := longSoak(t.Context(), games, "--folder", folder, "--players", "7"); code != 2 || !strings.Contains(stderr, "toy is for 2 to 3 players") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	again("not a directory", 1, "--folder", filepath.Join(file, "x"))
}
