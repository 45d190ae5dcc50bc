package reports_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// brokenToy is a toy that changes its state in one frame on its own.
func brokenToy(at rollback.Frame) cli.Game {
	spec := clitest.ToySpec()
	spec.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(s *clitest.Toy, k *rollback.Tick[clitest.Press]) {
		if s.Step(k); k.Frame() == at {
			s.Sum += 1000
		}
	}}
	return cli.NewGame(spec)
}

// runToy runs a command of the toy.
func runToy(t *testing.T, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), "toybox", args, nil, &out, &errs, clitest.ToyGame())
	return out.String(), errs.String(), code
}

// If states differ, a match writes a report, which is the same for both players. The report is shown to people and to
// programs, and can be replayed up to the state of the player whose build is right.
func TestADesyncIsWrittenShownAndReplayed(t *testing.T) {
	clitest.Slow(t)
	dir := t.TempDir()
	all := clitest.Seats(t, 2, "--game", "toy", "--frames", "120", "--bot", "fidget")
	var files []string
	for p := range all {
		files = append(files, filepath.Join(dir, string(rune('a'+p))))
		all[p] = append(all[p], "--desync", files[p])
	}
	ends := clitest.PlayGames(t, all, func(p int) cli.Game {
		if p == 1 {
			return brokenToy(70)
		}
		return clitest.ToyGame()
	})
	for p, e := range ends {
		e.Said(t, 1, "desync: ")
		if !strings.Contains(e.Stderr, "desync show "+files[p]) || e.Result["report"] != files[p] || e.Result["reason"] != "desynced" {
			t.Errorf("player %d: %v\n%s", p+1, e.Result, e.Stderr)
		}
	}
	a, errA := os.ReadFile(files[0])
	b, errB := os.ReadFile(files[1])
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Fatalf("%v, %v, %d and %d bytes", errA, errB, len(a), len(b))
	}
	showReport(t, files[0])
	replayReport(t, files[0])
	damagedReports(t, dir, a)
}

func showReport(t *testing.T, file string) {
	t.Helper()
	out, errs, code := runToy(t, "desync", "show", file)
	for _, want := range []string{"State 71 is the first that differs. Player 2 has another one than player 1.", "original", "Sum", "1 field differs.", "PLAYER 2", "The machines compared state 50, which was equal, and then state 100, which was not. They hash every state."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code != 0 || errs != "" {
		t.Errorf("exit code %d, %q", code, errs)
	}
	out, _, code = runToy(t, "desync", "show", "--json", file)
	var o struct {
		OK     bool
		State  int
		Sides  []struct{ Peers []struct{ Players []int } }
		Fields []struct {
			Path   string
			Values []string
		}
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != 0 || !o.OK || o.State != 71 || len(o.Sides) != 2 ||
		o.Sides[1].Peers[0].Players[0] != 2 || len(o.Fields) != 1 || o.Fields[0].Path != "Sum" || o.Fields[0].Values[0] == o.Fields[0].Values[1] {
		t.Errorf("%v, exit code %d: %s", err, code, out)
	}
}

func replayReport(t *testing.T, file string) {
	t.Helper()
	out, errs, code := runToy(t, "desync", "replay", file)
	for _, want := range []string{"frame 70: inputs", "state 71 is 0x", "State 71, the first that differed, is 0x", "that of player 1.", "Sum: "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code != 0 || errs != "" {
		t.Errorf("exit code %d, %q", code, errs)
	}
	out, _, code = runToy(t, "desync", "replay", file, "--frame", "65")
	if code != 0 || strings.Contains(out, "frame 64:") || !strings.Contains(out, "frame 65:") || !strings.Contains(out, "that of player 1.") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	var broken bytes.Buffer
	if code := cli.Run(t.Context(), "toybox", []string{"desync", "replay", file}, nil, &broken, &broken, brokenToy(70)); code != 0 || !strings.Contains(broken.String(), "that of player 2.") {
		t.Errorf("exit code %d\n%s", code, broken.String())
	}
	for _, c := range []struct {
		change func(s *cli.Spec[clitest.Toy, clitest.Press])
		code   int
		want   string
	}{
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Build = "other" }, 0, `this is build "other" of the game, and the report is of build "test"`},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.ID = "chess" }, 1, `the report is of the game "toy", which this program does not have: chess`},
	} {
		spec := clitest.ToySpec()
		c.change(&spec)
		broken.Reset()
		if code := cli.Run(t.Context(), "toybox", []string{"desync", "replay", file}, nil, &broken, &broken, cli.NewGame(spec)); code != c.code || !strings.Contains(broken.String(), c.want) {
			t.Errorf("exit code %d\n%s", code, broken.String())
		}
	}
	broken.Reset()
	if code := cli.Run(t.Context(), "toybox", []string{"desync", "replay", file}, nil, &broken, &broken, brokenToy(66)); code != 0 || !strings.Contains(broken.String(), "nobody's") {
		t.Errorf("exit code %d\n%s", code, broken.String())
	}
}

func damagedReports(t *testing.T, dir string, report []byte) {
	t.Helper()
	file := filepath.Join(dir, "damaged")
	for name, c := range map[string]struct {
		bytes []byte
		args  []string
		want  string
	}{
		"cut":                 {report[:len(report)-1], nil, "checksum"},
		"empty":               {nil, nil, "does not start like one"},
		"something else":      {bytes.Repeat([]byte("x"), 100), nil, "does not start like one"},
		"endless":             {make([]byte, 1<<20), nil, "more than"},
		"a frame before":      {report, []string{"--frame", "1000"}, "and not 1000"},
		"no such game":        {report, []string{"--game", "chess"}, `no game "chess"`},
		"another file format": {[]byte("RPLK0123456789abcdef"), nil, "does not start like one"},
	} {
		if err := os.WriteFile(file, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, code := runToy(t, append([]string{"desync", "replay", file}, c.args...)...)
		if code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, %q", name, code, errs)
		}
		if c.args == nil {
			if _, errs, code := runToy(t, "desync", "show", file); code != 1 || !strings.Contains(errs, c.want) {
				t.Errorf("%s: exit code %d, %q", name, code, errs)
			}
		}
	}
}
