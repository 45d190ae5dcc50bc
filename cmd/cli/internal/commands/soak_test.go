package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/rollback"
)

// drifterGame is a game whose state depends on how often frames were simulated.
func drifterGame() cli.Game {
	s := clitest.ToySpec()
	s.ID, s.Classic = "drifter", nil
	s.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(t *clitest.Toy, k *rollback.Tick[clitest.Press]) {
		(*clitest.Toy).Step(t, k)
		if k.Resimulating() {
			t.Sum++
		}
	}}
	return cli.NewGame(s)
}

type soakOutput struct {
	Matches, Failed int
	Seeds           uint64
	Rows            []struct {
		Players   int
		Profile   string
		Matches   int
		Failed    int
		PerMinute float64 `json:"matches_per_cpu_minute"`
		Frames    uint64
		Bytes     uint64
		Watched   int    `json:"matches_watched"`
		Seen      uint64 `json:"frames_seen"`
		FailOvers uint64 `json:"fail_overs"`
		States    uint64 `json:"states_sent"`
	}
	Failures []struct {
		Seed      uint64
		Violation string
		Command   string
		Shrunk    bool
		Plan      json.RawMessage
	}
	Error string
}

// A soak plays all seeds with all numbers of players, and prints a table, or one object.
func TestSoak(t *testing.T) {
	stdout, stderr, code := clitest.Run(t, nil, "soak", "--seeds", "3", "--length", "4s", "-j", "2")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"PLAYERS", "intercontinental", "mobile", "wifi", "6 matches of toy, seeds 1 to 3: 0 failed"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	stdout, _, code = clitest.Run(t, nil, "soak", "--seeds", "2", "--seed", "12", "--players", "3", "--profile", "awful", "--length", "4s", "--json")
	var out soakOutput
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if r := out.Rows; out.Matches != 2 || out.Failed != 0 || len(r) != 1 || r[0].Players != 3 || r[0].Profile != "awful" || r[0].Frames == 0 ||
		r[0].Bytes == 0 || r[0].PerMinute <= 0 || out.Failures == nil {
		t.Errorf("%+v", out)
	}
	if r := out.Rows[0]; r.Watched == 0 || r.Seen == 0 || r.FailOvers == 0 {
		t.Errorf("of those who watch: %+v", r)
	}
}

// A failing match gives exit code 1, with its seed, the smallest plan that fails in the same way, the command that
// plays it again, and a plan for --plan, all of which fail in the same way.
func TestSoakFails(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.md")
	games := []cli.Game{drifterGame()}
	again := func(stdin string, args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), "toybox", args, strings.NewReader(stdin), &out, &errs, games...)
		return out.String(), errs.String(), code
	}
	args := []string{"soak", "--game", "drifter", "--seeds", "2", "--length", "4s", "--profile", "mobile", "--players", "2"}
	stdout, stderr, code := again("", append(args, "--report", report)...)
	if code != 1 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"FAILED: seed ", "states: at ", "the least that fails so:", "toybox soak --game drifter --seeds 1 --seed ", "matches failed"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	}
	written, err := os.ReadFile(report)
	if err != nil || !strings.Contains(string(written), "| 2 | mobile |") || !strings.Contains(string(written), "## Failed: seed") {
		t.Errorf("%v: %s", err, written)
	}
	if !strings.Contains(stdout, "failed") {
		t.Errorf("stdout is %s", stdout)
	}
	stdout, _, code = again("", append(args, "--json")...)
	var out soakOutput
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 1 || len(out.Failures) == 0 || !out.Failures[0].Shrunk {
		t.Fatal(code, err, stdout)
	}
	if _, stderr, code := again("", strings.Fields(out.Failures[0].Command)[1:]...); code != 1 || !strings.Contains(stderr, out.Failures[0].Violation) {
		t.Errorf("the command ends with %d: %s", code, stderr)
	}
	for _, json := range [][]string{nil, {"--json"}} {
		stdout, stderr, code := again(string(out.Failures[0].Plan), append([]string{"soak", "--game", "drifter", "--plan", "-"}, json...)...)
		if code != 1 || !strings.Contains(stderr, "states: at ") || !strings.Contains(stdout, "states: at ") {
			t.Errorf("the plan ends with %d: %s", code, stderr)
		}
	}
}

// Rule: a soak that cannot begin says why, and does not report that no match has failed.
func TestASoakThatCannotBeginHasNoSummary(t *testing.T) {
	if _, proved := strict.Proof(); proved == nil {
		t.Skip("this is a strict build, in which it can begin")
	}
	s := clitest.ToySpec()
	s.ID, s.Classic = "floating", nil
	s.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: (*clitest.Toy).Step, Floats: rollback.Strict}
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), "toybox", []string{"soak", "--game", "floating", "--seeds", "1"}, nil, &out, &errs, cli.NewGame(s))
	if code != 1 || out.Len() != 0 || !strings.Contains(errs.String(), "--strict") {
		t.Errorf("exit code %d, %q, %q", code, out.String(), errs.String())
	}
}

// A plan from a file gives the same run each time.
func TestSoakPlan(t *testing.T) {
	p, err := fleet.Draw(5, "swarm", 3, 5e9)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, p.JSON(), 0o666); err != nil {
		t.Fatal(err)
	}
	first, stderr, code := clitest.Run(t, nil, "soak", "--plan", path)
	if code != 0 || !strings.Contains(first, "digest 0x") || !strings.Contains(first, "\nok\n") {
		t.Fatalf("exit code %d: %s%s", code, first, stderr)
	}
	if second, _, _ := clitest.Run(t, nil, "soak", "--plan", path); second != first {
		t.Errorf("then\n%s\nwas\n%s", second, first)
	}
	for _, content := range []string{"", "{}", "[]", string(p.JSON()) + "1"} {
		if _, stderr, code := clitest.Run(t, strings.NewReader(content), "soak", "--plan", "-"); code != 1 || !strings.Contains(stderr, "-: this is no plan that can be played: ") {
			t.Errorf("%q: exit code %d: %s", content, code, stderr)
		}
	}
	if _, stderr, code := clitest.Run(t, nil, "soak", "--plan", path+"x"); code != 1 || !strings.Contains(stderr, path+"x") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// Wrong usage of soak is refused, and the flag at fault is named.
func TestSoakUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--players 4":                           "--players 4: toy is for 2 to 3 players",
		"--players 1":                           "--players 1: toy is for",
		"--seeds 0":                             "--seeds 0: must be",
		"-j 0":                                  "-j 0: must be",
		"--profile moon":                        "--profile moon: there are lan",
		"--length 1ms":                          "--length 1ms: must be 1s to 6h0m0s",
		"--length -3s":                          "--length -3s: must be 1s to 6h0m0s",
		"--served --length -3s":                 "--length -3s: must be 1s to 6h0m0s",
		"--players 2,x":                         "--players 2,x: must be a whole number, or several with commas between them",
		"--seed 18446744073709551615 --seeds 2": "with --seeds 2 it must be 18446744073709551614 at most",
		"--game chess":                          `no game "chess"`,
		"--plan=":                               "--plan needs the name of a file",
		"--plan a --seeds 3":                    "--seeds does not go with --plan",
		"--plan a --report x.md":                "--report does not go with --plan",
		"surplus":                               `has no use for "surplus"`,
	} {
		_, stderr, code := clitest.Run(t, nil, append([]string{"soak"}, strings.Fields(args)...)...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}

// A report that cannot be written is an error before the first match, not after the last.
func TestReportIsTriedFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "soak.md")
	stdout, stderr, code := clitest.Run(t, nil, "soak", "--seeds", "1", "--length", "4s", "--report", path)
	if code != 1 || stdout != "" || !strings.Contains(stderr, path+": no such file or directory") {
		t.Errorf("exit code %d, %q, %s", code, stdout, stderr)
	}
}

// An interrupt prints the results so far, and gives exit code 1.
func TestSoakIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := cli.Run(ctx, "toybox", []string{"soak", "--seeds", "1000000", "--json"}, nil, &out, &errs, clitest.ToyGame())
	var res soakOutput
	if err := json.Unmarshal(out.Bytes(), &res); err != nil || code != 1 || res.Error != "interrupted" || res.Failed != 0 {
		t.Errorf("exit code %d, %v: %s%s", code, err, out.String(), errs.String())
	}
}
