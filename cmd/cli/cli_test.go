package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// Wrong usage gives exit code 2, a line that says what is wrong, and a line that says where help is; nothing is done.
func TestWrongUsage(t *testing.T) {
	match := clitest.Record(t, 1)
	out := filepath.Join(t.TempDir(), "out.rplk")
	for _, c := range []struct{ args, want string }{
		{"", "toybox needs a command: adopt, bots, build, completion, desync, join, licenses, match, new, play, replay, run, serve, sim, soak, spectate, test, token, toy, version"},
		{"bogus", `toybox has no command "bogus"; there are: adopt, bots, build, completion, `},
		{"--bogus", "toybox has no flag --bogus"},
		{"replay", "toybox replay needs a command: bisect, convert, cut, diff, export, info, join, show, stats, verify"},
		{"replay bogus", `toybox replay has no command "bogus"; there are: bisect, `},
		{"replay verify", "toybox replay verify needs at least one FILE"},
		{"replay info", "toybox replay info needs at least one FILE"},
		{"replay verify --bogus " + match, "toybox replay verify has no flag --bogus"},
		{"replay verify --game chess " + match, `no game "chess"; there are: toy`},
		{"replay info --game chess " + match, `no game "chess"; there are: toy`},
		{"replay verify --expect 0x12 " + match + " " + match, "--expect goes with exactly one file, not 2"},
		{"replay verify --expect 0xZZ " + match, `invalid argument "0xZZ" for "--expect" flag: not a checksum such as 0x1B977CCD`},
		{"replay verify --expect= " + match, `invalid argument "" for "--expect" flag`},
		{"sim --seed 13 --record " + out, "--seed 13: 13 is bad luck"},
		{"sim --seed 4294967296 --record " + out, "--seed 4294967296: a recording cannot hold that seed"},
		{"sim --players 3 --record " + out, "--record: toy for 3 players cannot be recorded"},
		{"sim --players 4", "--players 4: toy is for 2 to 3 players"},
		{"sim --frames -1 --record " + out, "--frames -1: must be a whole number, 0 to 4294967295"},
		{"sim --script nonsense --record " + out, `toy has no script "nonsense"; there are: count, random, fidget, quitter, crasher`},
		{"sim --game chess --record " + out, `no game "chess"`},
		{"sim surplus --record " + out, `toybox sim has no use for "surplus"`},
		{"sim --record=", "--record needs the name of a file"},
		{"sim --seed 0 --record " + out, "--seed 0: a recording cannot hold that seed"},
		{"version surplus", `toybox version has no use for "surplus"`},
	} {
		stdout, stderr, code := clitest.Run(t, nil, strings.Fields(c.args)...)
		if code != 2 || stdout != "" {
			t.Errorf("%q: exit code %d, stdout %q", c.args, code, stdout)
		}
		if !strings.HasPrefix(stderr, "toybox: ") || !strings.Contains(stderr, c.want) || !strings.HasSuffix(stderr, "\nAdd --help to see how it is used.\n") {
			t.Errorf("%q: stderr %q, want %q", c.args, stderr, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("wrong usage has recorded something")
	}
}

// Every command has a help text with an example or an explanation.
func TestHelp(t *testing.T) {
	for _, command := range []string{
		"", "match", "toy", "toy serve", "toy join", "toy bots", "serve", "join", "bots", "replay", "replay info", "replay verify", "replay bisect", "replay diff", "replay cut", "replay join",
		"replay convert", "replay export", "replay stats", "replay show", "replay states", "sim", "new", "vet", "version", "licenses",
	} {
		stdout, stderr, code := clitest.Run(t, nil, append(strings.Fields(command), "--help")...)
		if code != 0 || stderr != "" || !strings.Contains(stdout, "Usage:\n  toybox") {
			t.Errorf("%s --help: %d, %q, %q", command, code, stdout, stderr)
		}
	}
}

// Rule: in a binary with one game that a server can own, serve, join and bots need not say which game. With several
// games they do, and what was meant is suggested.
func TestOneGameNeedNotBeNamed(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"serve --help", "toybox serve --listen :7000"},
		{"toy serve --help", "toybox toy serve --listen :7000"},
		{"join --help", "toybox join host1:7000"},
		{"bots --help", "toybox bots 127.0.0.1:7000"},
	} {
		if stdout, stderr, code := clitest.Run(t, nil, strings.Fields(c.args)...); code != 0 || !strings.Contains(stdout, "  "+c.want) {
			t.Errorf("%s: %d, %q, no %q in\n%s", c.args, code, stderr, c.want, stdout)
		}
	}
	var stderr bytes.Buffer
	code := cli.Run(t.Context(), "toybox", []string{"serve", "--token", "abc"}, nil, io.Discard, &stderr, clitest.ToyGame(), clitest.TillGame())
	if want := `toybox has no command "serve"; did you mean toybox toy serve?`; code != 2 || !strings.Contains(stderr.String(), want) {
		t.Errorf("with two games: %d, %q, want %q", code, stderr.String(), want)
	}
}

// Another game's binary has its own name, games, checksums and tick rate.
func TestAnyGamesOwnBinary(t *testing.T) {
	match := clitest.Record(t, 5)
	stdout, stderr, code := clitest.Run(t, nil, "replay", "verify", match)
	want := clitest.Toy{Sum: 5}
	for range 75 {
		want.Add(0, 0)
	}
	if code != 0 || !strings.Contains(stdout, fmt.Sprintf("0x%08X", uint32(want.Sum))) {
		t.Error(code, stdout, stderr)
	}
	if stdout, _, _ := clitest.Run(t, nil, "replay", "info", match); !strings.Contains(stdout, " 1.5s ") {
		t.Errorf("75 frames at 50 a second are 1.5 s:\n%s", stdout)
	}
	if stdout, _, _ := clitest.Run(t, nil, "--help"); !strings.Contains(stdout, "toy        adds up what is pressed") {
		t.Errorf("the games are not listed:\n%s", stdout)
	}
	stdout, _, code = clitest.Run(t, nil, "version")
	if code != 0 || !strings.Contains(stdout, "toybox ") || !strings.Contains(stdout, runtime.Version()) || !strings.Contains(stdout, "games: toy") {
		t.Error(code, stdout)
	}
}

// brokenPipe is an output that cannot be written.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("nobody listens") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	match := clitest.Record(t, 1)
	for _, args := range [][]string{
		{"version"},
		{"licenses"},
		{"completion", "bash"},
		{"completion", "zsh"},
		{"completion", "fish"},
		{"--help"},
		{"sim", "--json"},
		{"replay", "verify", match},
		{"replay", "export", match},
	} {
		var errs bytes.Buffer
		code := cli.Run(t.Context(), "toybox", args, nil, brokenPipe{}, &errs, clitest.ToyGame())
		if want := "toybox: writing the output: nobody listens\n"; code != 1 || errs.String() != want {
			t.Errorf("%v: exit code %d, stderr %q", args, code, errs.String())
		}
	}
}

// A game that is not complete is a mistake in the program, which is reported at once.
func TestIncompleteGamesPanic(t *testing.T) {
	for _, c := range []struct {
		change func(*cli.Spec[clitest.Toy, clitest.Press])
		want   string
	}{
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Bots = nil }, "it needs ID, About, Game and Bots"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Bots[0].New = nil }, "a Bot needs Name, and New or Orders"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Scripts[0].Name = "" }, "a Script needs Name, and New or Orders"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.MaxPlayers = 17 }, "2 to 17 players, not 2 to 16"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Checksum = nil }, "Classic needs"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Screen.Keys = nil }, "Screen needs"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) {
			s.Game = rollback.OwnMemory[clitest.Toy, clitest.Toy, clitest.Press]{}
		}, "Classic needs a rollback.Game"},
		{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Build = strings.Repeat("b", 65) }, "at most 64 bytes"},
	} {
		spec := clitest.ToySpec()
		c.change(&spec)
		panics(t, c.want, func() { cli.NewGame(spec) })
	}
	start := func(games ...cli.Game) func() {
		return func() { cli.Run(t.Context(), "toybox", nil, nil, io.Discard, io.Discard, games...) }
	}
	panics(t, "no game", start())
	panics(t, `two games have the ID "toy"`, start(clitest.ToyGame(), clitest.ToyGame()))
}

func panics(t *testing.T, want string, what func()) {
	t.Helper()
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, want) {
			t.Errorf("panic %q, want %q", said, want)
		}
	}()
	what()
}
