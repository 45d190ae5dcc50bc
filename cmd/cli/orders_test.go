package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// till runs a command with the game that has only orders.
func till(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), "toybox", args, strings.NewReader(""), &out, &errs, clitest.TillGame())
	return out.String(), errs.String(), code
}

// tillSum returns the sum after this many frames of the script.
func tillSum(sum uint64, frames, players int) uint64 {
	for f := range frames {
		for p := range players {
			for _, b := range []byte{byte(f), byte(p)} {
				sum = sum*31 + uint64(b) + uint64(p)
			}
		}
	}
	return sum
}

// Rule: scripts and bots give orders in sim, which are recorded, verified, exported and shown; the settings are in the
// recording.
func TestOrdersAreSimulatedAndRecorded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "till.tbr")
	if _, stderr, code := till(t, "sim", "--script", "count", "--players", "3", "--frames", "200", "--set", "sum=20", "--set", "tip=1", "--record", file); code != 0 {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"replay", "verify", file}, "ok"},
		{[]string{"replay", "info", file}, "of up to 6 bytes"},
		{[]string{"replay", "show", file, "--frame", "199"}, fmt.Sprint(tillSum(21, 199, 3))},
		{[]string{"replay", "show", file, "--frame", "17"}, "1102"}, // frame 17, player 2
		{[]string{"replay", "export", file}, "1101"},
		{[]string{"replay", "bisect", file}, "No difference."},
	} {
		if stdout, stderr, code := till(t, c.args...); code != 0 || !strings.Contains(stdout, c.want) {
			t.Errorf("%v: exit code %d, no %q in\n%s%s", c.args, code, c.want, stdout, stderr)
		}
	}
	sums := map[string]bool{}
	for _, args := range [][]string{{}, {"--set", "sum=4"}, {"--script", "giver"}, {"--script", "giver", "--seed", "2"}} {
		stdout, stderr, code := till(t, append([]string{"sim", "--frames", "100", "--json"}, args...)...)
		var res struct{ Checksum string }
		if err := json.Unmarshal([]byte(stdout), &res); err != nil || code != 0 {
			t.Fatal(err, stderr)
		}
		if sums[res.Checksum] {
			t.Errorf("%v ends as another one", args)
		}
		sums[res.Checksum] = true
	}
}

// Rule: a match between machines has the orders of their bots, in lockstep and with rollback, and begins with the
// host's settings.
func TestOrdersArePlayed(t *testing.T) {
	for _, lockstep := range []string{"--lockstep=true", "--lockstep=false"} {
		dir := t.TempDir()
		all := clitest.Seats(t, 2, "--frames", "60", lockstep)
		all[0] = append(all[0], "--set", "sum=30,tip=2")
		for p := range all {
			all[p] = append(all[p], "--record", filepath.Join(dir, fmt.Sprint(p)+".tbr"))
		}
		ends := clitest.PlayGames(t, all, func(int) cli.Game { return clitest.TillGame() })
		for p, e := range ends {
			if e.Code != 0 || e.Result["health"] != "healthy" || e.Result["checksum"] != ends[0].Result["checksum"] {
				t.Fatalf("%s, player %d: %v\n%s", lockstep, p+1, e.Result, e.Stderr)
			}
		}
		sum := ends[1].Result["checksum"].(string)
		for p := range all {
			file := filepath.Join(dir, fmt.Sprint(p)+".tbr")
			if _, stderr, code := till(t, "replay", "verify", file, "--expect", sum); code != 0 {
				t.Errorf("%s: %s", lockstep, stderr)
			}
		}
		stdout, _, _ := till(t, "replay", "show", filepath.Join(dir, "1.tbr"), "--frame", "0")
		if !strings.Contains(stdout, "32") {
			t.Errorf("%s: it does not begin with 32:\n%s", lockstep, stdout)
		}
	}
}

// Rule: invalid settings are wrong usage, named in the error; only the player who begins a match chooses settings.
func TestWrongSettings(t *testing.T) {
	match := []string{"match", "--player", "1", "--listen", "127.0.0.1:0", "--peer", "127.0.0.1:9"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sim", "--set", "price=1"}, "--set price: till has sum, tip"},
		{[]string{"sim", "--set", "sum=51"}, "--set sum=51: must be 0 to 50"},
		{[]string{"sim", "--set", "sum=-1"}, "--set sum=-1: must be 0 to 50"},
		{[]string{"sim", "--set", "sum=x"}, "--set sum=x: must be NAME=N"},
		{[]string{"sim", "--set", "sum=5,tip=2"}, "7 is bad luck"},
		{append(match, "--set", "sum=5,tip=2"), "7 is bad luck"},
		{append(match, "--set", "tip=10"), "--set tip=10: must be 0 to 9"},
		{[]string{"match", "--player", "2", "--listen", "127.0.0.1:0", "--peer", "127.0.0.1:9", "--set", "sum=1"}, "--set is for player 1 to say"},
		{[]string{"soak", "--set", "sum=60"}, "--set sum=60: must be 0 to 50"},
		{[]string{"soak", "--folder", t.TempDir(), "--set", "sum=6"}, "do not go with --folder"},
		{[]string{"soak", "--mode", "turns"}, "--mode turns: there are drawn, lockstep and rollback"},
	} {
		if _, stderr, code := till(t, c.args...); code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr)
		}
	}
	if _, stderr, code := clitest.Run(t, nil, "sim", "--set", "sum=1"); code != 2 || !strings.Contains(stderr, "toy has nothing to set") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	for _, args := range [][]string{{"sim", "--help"}, {"match", "--help"}, {"till", "--help"}} {
		if stdout, _, _ := till(t, args...); !strings.Contains(stdout, "--set sum=N: what is in the till (0 to 50, default 3)") {
			t.Errorf("%v:\n%s", args, stdout)
		}
	}
}

// Rule: soak plays with the orders of bots and scripts, and the command that it prints has the settings.
func TestSoakGivesOrders(t *testing.T) {
	for _, mode := range []string{"lockstep", "rollback"} {
		stdout, stderr, code := till(t, "soak", "--seeds", "3", "--players", "2,4", "--length", "4s", "--mode", mode, "--set", "sum=9", "--json")
		var out struct {
			Matches, Failed int
			Rows            []struct{ Rollbacks float64 }
		}
		if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 0 || out.Matches != 6 || out.Failed != 0 {
			t.Errorf("%s: exit code %d, %v: %s%s", mode, code, err, stdout, stderr)
		}
	}
	bad := clitest.TillSpec()
	bad.ID = "leak"
	given := 0
	bad.Game = leaking(&given)
	var out, errs bytes.Buffer
	args := []string{"soak", "--seeds", "1", "--players", "2", "--length", "3s", "--mode", "rollback", "--profile", "intercontinental", "--set", "sum=9", "--shrink=false"}
	if code := cli.Run(t.Context(), "toybox", args, nil, &out, &errs, cli.NewGame(bad)); code != 1 || given == 0 ||
		!strings.Contains(errs.String(), "--game leak --set sum=9 --seeds 1") || !strings.Contains(errs.String(), "--mode rollback") {
		t.Errorf("exit code %d, %d orders: %s", code, given, errs.String())
	}
}

// Rule: the parts of a Spec about orders and settings must be consistent.
func TestIncompleteOrdersPanic(t *testing.T) {
	for _, c := range []struct {
		change func(*cli.Spec[clitest.Till, clitest.TillInput])
		want   string
	}{
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.MaxOrders = 0 }, "MaxOrders is 0"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.MaxOrders = 1 << 20 }, "MaxOrders is 1048576, not 0 to 4096"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.Bots[0].Orders = nil }, "a Bot needs Name, and New or Orders"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.Scripts[0].Orders = nil }, "a Script needs Name, and New or Orders"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.Data = nil }, "Settings and Data go together"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.Settings = nil }, "Settings and Data go together"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.Settings[1].Usual = 10 }, "must be Min to Max"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.StandIns = []string{"giver"} }, "the Data of parameters for themselves"},
		{func(s *cli.Spec[clitest.Till, clitest.TillInput]) { s.Start = nil }, "Settings need Start"},
	} {
		spec := clitest.TillSpec()
		c.change(&spec)
		panics(t, c.want, func() { cli.NewGame(spec) })
	}
}

// A bot without inputs in a game with inputs gives zero.
func TestABotWithoutInputs(t *testing.T) {
	spec := clitest.ToySpec()
	spec.Classic, spec.MaxOrders = nil, 8
	spec.Bots = []cli.Bot[clitest.Toy, clitest.Press]{{Name: "quiet", Orders: func(uint64) func([]byte, tickback.Player, tickback.Frame, *clitest.Toy) []byte {
		return func(b []byte, _ tickback.Player, _ tickback.Frame, _ *clitest.Toy) []byte { return b }
	}}}
	var out, errs bytes.Buffer
	args := []string{"sim", "--script", "quiet", "--frames", "50", "--json"}
	if code := cli.Run(t.Context(), "toybox", args, nil, &out, &errs, cli.NewGame(spec)); code != 0 {
		t.Fatal(errs.String())
	}
	sum := uint64(1)
	for range 50 {
		sum *= 31
	}
	if want := fmt.Sprintf("0x%08X", uint32(sum)); !strings.Contains(out.String(), want) {
		t.Errorf("%s, want %s", out.String(), want)
	}
}

// leaking is the game with a fault: a number outside of the state counts the orders, including those of frames that are
// simulated again.
func leaking(given *int) rollback.Game[clitest.Till, clitest.TillInput] {
	return rollback.Game[clitest.Till, clitest.TillInput]{Step: func(s *clitest.Till, k *rollback.Tick[clitest.TillInput]) {
		if s.Step(k); len(k.Orders(0)) > 0 {
			*given++
			s.Sum += uint64(*given)
		}
	}}
}
