package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/rollback"
)

// run runs the command line of the toy game.
func run(t *testing.T, stdin io.Reader, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), "toybox", args, stdin, &out, &errs, toyGame())
	return out.String(), errs.String(), code
}

// record writes a recording of the toy game.
func record(t *testing.T, seed uint32) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "match.rplk")
	content, err := rplk.Append(nil, rplk.Recording{Seed: seed, Frames: make([]rplk.Inputs, 75)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Wrong usage is exit code 2, a line that says what is wrong, a line that says
// where help is, and nothing done.
func TestWrongUsage(t *testing.T) {
	match := record(t, 1)
	out := filepath.Join(t.TempDir(), "out.rplk")
	for _, c := range []struct{ args, want string }{
		{"", "toybox needs a command: completion, desync, licenses, match, play, replay, sim, soak, spectate, token, toy, version"},
		{"bogus", `unknown command "bogus" for "toybox"`},
		{"--bogus", "unknown flag: --bogus"},
		{"replay", "toybox replay needs a command: bisect, convert, cut, diff, export, info, join, show, stats, verify"},
		{"replay bogus", `unknown command "bogus" for "toybox replay"`},
		{"replay verify", "toybox replay verify needs at least one FILE"},
		{"replay info", "toybox replay info needs at least one FILE"},
		{"replay verify --bogus " + match, "unknown flag: --bogus"},
		{"replay verify --game chess " + match, `no game "chess"; there are: toy`},
		{"replay info --game chess " + match, `no game "chess"; there are: toy`},
		{"replay verify --expect 0x12 " + match + " " + match, "--expect goes with exactly one file, not 2"},
		{"replay verify --expect 0xZZ " + match, `invalid argument "0xZZ" for "--expect" flag: not a checksum such as 0x1B977CCD`},
		{"replay verify --expect= " + match, `invalid argument "" for "--expect" flag`},
		{"sim --seed 13 --record " + out, "--seed 13: 13 is bad luck"},
		{"sim --seed 4294967296 --record " + out, "--seed 4294967296: a recording cannot hold that seed"},
		{"sim --players 3 --record " + out, "--record: toy for 3 players cannot be recorded"},
		{"sim --players 4", "--players 4: toy is for 2 to 3 players"},
		{"sim --frames -1 --record " + out, `invalid argument "-1" for "--frames"`},
		{"sim --script nonsense --record " + out, `toy has no script "nonsense"; there are: count, random, fidget, quitter, crasher`},
		{"sim --game chess --record " + out, `no game "chess"`},
		{"sim surplus --record " + out, `unknown command "surplus" for "toybox sim"`},
		{"sim --record=", "--record needs the name of a file"},
		{"sim --seed 0 --record " + out, "--seed 0: a recording cannot hold that seed"},
		{"version surplus", `unknown command "surplus" for "toybox version"`},
	} {
		stdout, stderr, code := run(t, nil, strings.Fields(c.args)...)
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
		"", "match", "toy", "replay", "replay info", "replay verify", "replay bisect", "replay diff", "replay cut", "replay join",
		"replay convert", "replay export", "replay stats", "replay show", "replay states", "sim", "version", "licenses",
	} {
		stdout, stderr, code := run(t, nil, append(strings.Fields(command), "--help")...)
		if code != 0 || stderr != "" || !strings.Contains(stdout, "Usage:\n  toybox") {
			t.Errorf("%s --help: %d, %q, %q", command, code, stdout, stderr)
		}
	}
}

// Another game's binary has its own name, games, checksums and tick rate.
func TestAnyGamesOwnBinary(t *testing.T) {
	match := record(t, 5)
	stdout, stderr, code := run(t, nil, "replay", "verify", match)
	want := toy{5}
	for range 75 {
		want.add(0, 0)
	}
	if code != 0 || !strings.Contains(stdout, fmt.Sprintf("0x%08X", uint32(want.Sum))) {
		t.Error(code, stdout, stderr)
	}
	if stdout, _, _ := run(t, nil, "replay", "info", match); !strings.Contains(stdout, " 1.5s ") {
		t.Errorf("75 frames at 50 a second are 1.5 s:\n%s", stdout)
	}
	if stdout, _, _ := run(t, nil, "--help"); !strings.Contains(stdout, "toy        adds up what is pressed") {
		t.Errorf("the games are not listed:\n%s", stdout)
	}
	stdout, _, code = run(t, nil, "version")
	if code != 0 || !strings.Contains(stdout, "toybox ") || !strings.Contains(stdout, runtime.Version()) || !strings.Contains(stdout, "games: toy") {
		t.Error(code, stdout)
	}
}

func TestStandardInput(t *testing.T) {
	content, err := os.ReadFile(record(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"verify", "info"} {
		stdout, stderr, code := run(t, bytes.NewReader(content), "replay", command, "-")
		if code != 0 || !strings.Contains(stdout, "75") {
			t.Error(command, code, stdout, stderr)
		}
	}
}

// A seed that the game refuses is a fault of the file.
func TestRecordingOfABadSeed(t *testing.T) {
	match := record(t, 13)
	_, stderr, code := run(t, nil, "replay", "verify", match)
	if want := "toybox: " + match + ": 13 is bad luck\n"; code != 1 || stderr != want {
		t.Errorf("exit code %d, stderr %q, want %q", code, stderr, want)
	}
}

// brokenPipe is an output that cannot be written.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("nobody listens") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--help"}, {"sim", "--json"}, {"replay", "verify", record(t, 1)}} {
		var errs bytes.Buffer
		code := cli.Run(t.Context(), "toybox", args, nil, brokenPipe{}, &errs, toyGame())
		if want := "toybox: writing the output: nobody listens\n"; code != 1 || errs.String() != want {
			t.Errorf("%v: exit code %d, stderr %q", args, code, errs.String())
		}
	}
}

// A recording that fails leaves what was there before as it was.
func TestRecordingThatFails(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "such", "dir.rplk")
	if _, stderr, code := run(t, nil, "sim", "--record", missing); code != 1 || stderr != "toybox: "+missing+": no such file or directory\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if _, stderr, code := run(t, nil, "sim", "--record", dir); code != 1 || stderr != "toybox: "+dir+": is a directory\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}

	// A link leads to the file that is replaced, and stays a link.
	target, link := filepath.Join(dir, "target.rplk"), filepath.Join(dir, "link.rplk")
	if err := errors.Join(os.WriteFile(target, nil, 0o666), os.Symlink(target, link)); err != nil {
		t.Skip("no links here: ", err)
	}
	_, stderr, code := run(t, nil, "sim", "--record", link)
	if content, err := os.ReadFile(target); code != 0 || err != nil || len(content) != 32+4*3600 {
		t.Errorf("exit code %d, stderr %q, %d bytes, %v", code, stderr, len(content), err)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error("the link was replaced: ", err)
	}

	// What replaces a private file is private.
	if err := os.Chmod(target, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, nil, "sim", "--record", target)
	if info, err := os.Stat(target); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A game that panics fails the file that made it, and says where.
func TestPanicOfTheGameFailsTheFile(t *testing.T) {
	broken := toySpec()
	start := broken.Start
	broken.Start = func(p tickback.Parameters) (func(*toy), error) {
		if p.Seed == 1 {
			panic("out of fuel")
		}
		return start(p)
	}
	var out, errs bytes.Buffer
	args := []string{"replay", "verify", "--json", record(t, 1), record(t, 4)}
	code := cli.Run(t.Context(), "toybox", args, nil, &out, &errs, cli.NewGame(broken))
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if code != 1 || len(lines) != 1 || strings.Count(out.String(), `"ok":true`) != 1 {
		t.Fatalf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
	if want := "the game panicked: out of fuel (cli_test.go:"; !strings.Contains(lines[0], want) {
		t.Errorf("line %q, want %q", lines[0], want)
	}
}

// What the simulated game does wrong is one line too.
func TestPanicOfASimulatedGame(t *testing.T) {
	_, stderr, code := run(t, nil, "sim", "--script", "crasher")
	if want := "toybox: the game panicked: out of fuel (toy_test.go:"; code != 1 || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}

// The game may end a simulated match before its time.
func TestSimEndsWhenTheGameDoes(t *testing.T) {
	stdout, stderr, code := run(t, nil, "sim", "--script", "quitter", "--players", "3", "--json")
	if code != 0 || !strings.Contains(stdout, `"frames":61,`) {
		t.Error(code, stdout, stderr)
	}
}

// A recording and the result printed into one file would spoil each other.
func TestRecordingIntoTheOutputIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var errs bytes.Buffer
	code := cli.Run(t.Context(), "toybox", []string{"sim", "--record", path}, nil, out, &errs, toyGame())
	if code != 2 || !strings.Contains(errs.String(), "that is where the result is printed") {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
}

// A file that somebody else calls FILE.part is none of our business.
func TestRecordingTouchesNoOtherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "match.rplk")
	theirs := path + ".part"
	if err := os.WriteFile(theirs, []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := run(t, nil, "sim", "--record", path); code != 0 {
		t.Error(stderr)
	}
	if content, err := os.ReadFile(theirs); string(content) != "theirs" {
		t.Errorf("%q, %v", content, err)
	}
}

// Names with line breaks and control sequences stay on one line.
func TestFileNamesCannotDriveTheTerminal(t *testing.T) {
	_, stderr, code := run(t, nil, "replay", "info", "a\x1b[2J\n\"b\" c\xff")
	if want := `toybox: a\x1b[2J\n"b" c\xff: no such file or directory` + "\n"; code != 1 || stderr != want {
		t.Errorf("exit code %d, stderr %q, want %q", code, stderr, want)
	}
}

// An interrupt ends the wait for input that never comes.
func TestInterruptOfABlockedRead(t *testing.T) {
	for _, command := range []string{"verify", "info"} {
		never, writer := io.Pipe()
		defer writer.Close()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		var errs bytes.Buffer
		code := cli.Run(ctx, "toybox", []string{"replay", command, "-"}, never, io.Discard, &errs, toyGame())
		if code != 1 || errs.String() != "toybox: interrupted\n" {
			t.Errorf("%s: exit code %d, stderr %q", command, code, errs.String())
		}
	}
}

// A game that is not complete is a mistake in the program, said at once.
func TestIncompleteGamesPanic(t *testing.T) {
	for _, c := range []struct {
		change func(*cli.Spec[toy, press])
		want   string
	}{
		{func(s *cli.Spec[toy, press]) { s.Bots = nil }, "it needs ID, About, Game and Bots"},
		{func(s *cli.Spec[toy, press]) { s.Bots[0].New = nil }, "a Bot needs Name and New"},
		{func(s *cli.Spec[toy, press]) { s.Scripts[0].Name = "" }, "a Script needs Name and New"},
		{func(s *cli.Spec[toy, press]) { s.MaxPlayers = 9 }, "2 to 9 players, not 2 to 8"},
		{func(s *cli.Spec[toy, press]) { s.Checksum = nil }, "Classic needs"},
		{func(s *cli.Spec[toy, press]) { s.Screen.Keys = nil }, "Screen needs"},
		{func(s *cli.Spec[toy, press]) { s.Game = rollback.OwnMemory[toy, toy, press]{} }, "Classic needs a rollback.Game"},
		{func(s *cli.Spec[toy, press]) { s.Build = strings.Repeat("b", 65) }, "at most 64 bytes"},
	} {
		spec := toySpec()
		c.change(&spec)
		panics(t, c.want, func() { cli.NewGame(spec) })
	}
	start := func(games ...cli.Game) func() {
		return func() { cli.Run(t.Context(), "toybox", nil, nil, io.Discard, io.Discard, games...) }
	}
	panics(t, "no game", start())
	panics(t, `two games have the ID "toy"`, start(toyGame(), toyGame()))
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
