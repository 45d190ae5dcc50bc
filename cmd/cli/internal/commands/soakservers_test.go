package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
	"github.com/tickback/tickback/rollback"
)

type servedOutput struct {
	soakOutput
	Served bool
	Rows   []struct {
		Players     int
		Profile     string
		Matches     int
		Ticks       uint64
		Joins       uint64
		Compared    uint64 `json:"states_compared"`
		Predictions uint64 `json:"predictions_compared"`
		UpBytes     uint64 `json:"up_bytes"`
		DownBytes   uint64 `json:"down_bytes"`
		Rollbacks   *uint64
	}
}

// A soak of servers plays all seeds, and prints a table, or one object, with what was compared.
func TestSoakServed(t *testing.T) {
	stdout, stderr, code := clitest.Run(t, nil, "soak", "--served", "--seeds", "6", "--length", "4s", "-j", "2", "--players", "2,3")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"PLAYERS", "PREDICTIONS", "intercontinental", "mobile", "ways", "12 matches of toy, seeds 1 to 6: 0 failed"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "ROLLBACKS") {
		t.Errorf("rollbacks are not counted:\n%s", stdout)
	}
	stdout, _, code = clitest.Run(t, nil, "soak", "--served", "--seeds", "3", "--seed", "12", "--profile", "ways", "--length", "4s", "--json")
	var out servedOutput
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if r := out.Rows; !out.Served || out.Matches != 3 || out.Failed != 0 || len(r) != 1 || r[0].Players != 3 || r[0].Profile != "ways" || r[0].Ticks < 500 ||
		r[0].Joins == 0 || r[0].Compared == 0 || r[0].Predictions == 0 || r[0].UpBytes == 0 || r[0].DownBytes == 0 || r[0].Rollbacks != nil {
		t.Errorf("%s", stdout)
	}
}

// A match at a server that fails is exit code 1, with a command and a plan that fail in the same way.
func TestSoakServedFails(t *testing.T) {
	games := []cli.Game{drifterGame()}
	again := func(stdin string, args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), "toybox", args, strings.NewReader(stdin), &out, &errs, games...)
		return out.String(), errs.String(), code
	}
	args := []string{"soak", "--served", "--seeds", "1", "--length", "4s", "--profile", "mobile"}
	stdout, _, code := again("", append(args, "--json")...)
	var out servedOutput
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 1 || len(out.Failures) != 1 || !out.Failures[0].Shrunk {
		t.Fatal(code, err, stdout)
	}
	f := &out.Failures[0]
	if !strings.HasPrefix(f.Command, "toybox soak --served --game drifter --seeds 1 --seed 1 ") {
		t.Errorf("the command is %s", f.Command)
	}
	if _, stderr, code := again("", strings.Fields(f.Command)[1:]...); code != 1 || !strings.Contains(stderr, f.Violation) ||
		!strings.Contains(stderr, "the least that fails so:\n  seed 1, profile mobile: a server with 3 places") {
		t.Errorf("the command ends with %d: %s", code, stderr)
	}
	least, err := hosted.ParsePlan(f.Plan)
	if err != nil || least.Frames >= 200 || len(least.Faults) > 0 {
		t.Errorf("%v: %v", err, least)
	}
	checker, _, _ := strings.Cut(f.Violation, ":")
	stdout, stderr, code := again(string(f.Plan), "soak", "--served", "--plan", "-")
	if code != 1 || !strings.Contains(stderr, checker+": at ") || !strings.Contains(stdout, "FAILED: "+checker) {
		t.Errorf("the plan ends with %d: %s%s", code, stdout, stderr)
	}
}

// A server plan from a file gives the same run each time, and a plan of the other kind is refused, with the flag that
// is missing or not allowed.
func TestSoakServedPlan(t *testing.T) {
	p, err := hosted.Draw(5, "ways", hosted.Rules{Places: 3, TickRate: 50}, 5e9)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, p.JSON(), 0o666); err != nil {
		t.Fatal(err)
	}
	first, stderr, code := clitest.Run(t, nil, "soak", "--served", "--plan", path)
	if code != 0 || !strings.Contains(first, "digest 0x") || !strings.Contains(first, "\nok\n") || !strings.Contains(first, "plays ") {
		t.Fatalf("exit code %d: %s%s", code, first, stderr)
	}
	if second, _, _ := clitest.Run(t, nil, "soak", "--served", "--plan", path); second != first {
		t.Errorf("then\n%s\nwas\n%s", second, first)
	}
	if _, stderr, code := clitest.Run(t, nil, "soak", "--plan", path); code != 1 || !strings.Contains(stderr, "add --served") {
		t.Errorf("without --served: exit code %d: %s", code, stderr)
	}
	peers, err := fleet.Draw(5, "swarm", 3, 5e9)
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		string(peers.JSON()): "leave out --served",
		"{}":                 "Places is 0",
		strings.Replace(string(p.JSON()), `"Places": 3`, `"Places": 99`, 1): "this is no plan that can be played: Places is 99",
	} {
		if _, stderr, code := clitest.Run(t, strings.NewReader(content), "soak", "--served", "--plan", "-"); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d: %s", want, code, stderr)
		}
	}
	p.Places = 9
	if _, stderr, code := clitest.Run(t, bytes.NewReader(p.JSON()), "soak", "--served", "--plan", "-"); code != 1 || !strings.Contains(stderr, "9 players, and toy is for 2 to 3") {
		t.Errorf("9 places: exit code %d: %s", code, stderr)
	}
}

// A long soak of servers continues where it stopped, and differs from one of peers.
func TestALongSoakOfServers(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "soak")
	games := []cli.Game{drifterGame()}
	args := []string{"--served", "--folder", folder, "--seeds", "2", "--length", "4s", "--profile", "mobile", "-j", "1"}
	stdout, stderr, code := longSoak(t.Context(), games, args...)
	plan := filepath.Join(folder, "plans", "drifter-3-1.json")
	if code != 1 || !strings.Contains(stdout, "2 of 2 matches") || !strings.Contains(stderr, "toybox soak --served --game drifter --plan "+plan) {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	report, err := os.ReadFile(filepath.Join(folder, "report.md"))
	if err != nil || !strings.Contains(string(report), "| predictions |") || !strings.Contains(string(report), "| 3 | mobile | 2 |") {
		t.Errorf("%v:\n%s", err, report)
	}
	b, err := os.ReadFile(plan)
	if p, wrong := hosted.ParsePlan(b); err != nil || wrong != nil || p.Frames >= 200 {
		t.Errorf("the plan is not shrunk: %v, %v, %v", err, wrong, p)
	}
	if _, stderr, code := longSoak(t.Context(), games, args...); code != 1 || !strings.Contains(stderr, "2 of 2 matches are played already") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	again, err := os.ReadFile(filepath.Join(folder, "report.md"))
	if row := countsOf(string(report)); err != nil || len(row) < 10 || !slices.Equal(countsOf(string(again)), row) {
		t.Errorf("%v: the report was\n%s\nand is\n%s", err, report, again)
	}
	if _, stderr, code := longSoak(t.Context(), games, args[1:]...); code != 1 || !strings.Contains(stderr, "begun with --served true, not false") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// countsOf returns the cells of the only row of a report, after the cell with the processor time.
func countsOf(report string) []string {
	_, row, _ := strings.Cut(report, "| 3 | mobile | 2 |")
	row, _, _ = strings.Cut(row, "\n")
	return strings.Split(row, "|")[3:]
}

// Wrong usage is refused by name, and the default game is the first one that a server can own.
func TestSoakServedUsage(t *testing.T) {
	alone := clitest.ToySpec()
	alone.ID, alone.Classic, alone.Served = "alone", nil, nil
	own := clitest.ToySpec()
	own.ID, own.Classic = "own", nil
	own.Game = guessing()
	games := []cli.Game{cli.NewGame(alone), cli.NewGame(own), clitest.ToyGame()}
	for args, want := range map[string]string{
		"--game alone":                "--served: no server plays alone; there are: toy",
		"--game own":                  "own predicts inputs itself",
		"--game own --plan x":         "own predicts inputs itself",
		"--game toy,alone --folder f": "no server plays alone",
		"--players 4":                 "--players 4: toy is for 2 to 3 players",
		"--profile swarm":             "--profile swarm: there are lan",
		"--length 1ms":                "--length 1ms",
	} {
		_, stderr, code := longSoak(t.Context(), games, append([]string{"--served"}, strings.Fields(args)...)...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
	if _, stderr, code := longSoak(t.Context(), games[:1], "--served"); code != 2 || !strings.Contains(stderr, "no server plays alone") {
		t.Errorf("without such a game: exit code %d, %s", code, stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stdout, _, code := longSoak(ctx, games, "--served", "--seeds", "1000000", "--json")
	var out servedOutput
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 1 || out.Error != "interrupted" || out.Failed != 0 {
		t.Errorf("interrupted: exit code %d, %v: %s", code, err, stdout)
	}
}

// guessing is the toy game with its own prediction function.
func guessing() clitest.ToyRules {
	return clitest.ToyRules{
		Step:    (*clitest.Toy).Step,
		Predict: func(_ rollback.Player, _, _ tickback.Frame, last clitest.Press) clitest.Press { return last },
	}
}
