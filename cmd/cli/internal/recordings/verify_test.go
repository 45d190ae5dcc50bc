package recordings_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

func TestStandardInput(t *testing.T) {
	content, err := os.ReadFile(clitest.Record(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"verify", "info"} {
		stdout, stderr, code := clitest.Run(t, bytes.NewReader(content), "replay", command, "-")
		if code != 0 || !strings.Contains(stdout, "75") {
			t.Error(command, code, stdout, stderr)
		}
	}
}

// A seed that the game refuses is an error of the file.
func TestRecordingOfABadSeed(t *testing.T) {
	match := clitest.Record(t, 13)
	_, stderr, code := clitest.Run(t, nil, "replay", "verify", match)
	if want := "toybox: " + match + ": 13 is bad luck\n"; code != 1 || stderr != want {
		t.Errorf("exit code %d, stderr %q, want %q", code, stderr, want)
	}
}

// A game that panics makes the verification of that file fail, with the place of the panic.
func TestPanicOfTheGameFailsTheFile(t *testing.T) {
	broken := clitest.ToySpec()
	start := broken.Start
	broken.Start = func(p tickback.Parameters) (func(*clitest.Toy), error) {
		if p.Seed == 1 {
			panic("out of fuel")
		}
		return start(p)
	}
	var out, errs bytes.Buffer
	args := []string{"replay", "verify", "--json", clitest.Record(t, 1), clitest.Record(t, 4)}
	code := cli.Run(t.Context(), "toybox", args, nil, &out, &errs, cli.NewGame(broken))
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if code != 1 || len(lines) != 1 || strings.Count(out.String(), `"ok":true`) != 1 {
		t.Fatalf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
	if want := "the game panicked: out of fuel (verify_test.go:"; !strings.Contains(lines[0], want) {
		t.Errorf("line %q, want %q", lines[0], want)
	}
}

// Names with line breaks and control sequences stay on one line.
func TestFileNamesCannotDriveTheTerminal(t *testing.T) {
	_, stderr, code := clitest.Run(t, nil, "replay", "info", "a\x1b[2J\n\"b\" c\xff")
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
		code := cli.Run(ctx, "toybox", []string{"replay", command, "-"}, never, io.Discard, &errs, clitest.ToyGame())
		if code != 1 || errs.String() != "toybox: interrupted\n" {
			t.Errorf("%s: exit code %d, stderr %q", command, code, errs.String())
		}
	}
}

// Rule: if a recording was made with different floats and does not verify, the output says that first, with the command that builds
// a program with the same floats; no frame is named, since it would mean nothing.
func TestOtherFloatsAreSaidBeforeAFrame(t *testing.T) {
	const proof = "go1.26.8/3/0f1e2d3c4b5a6978"
	other := clitest.ToySpec()
	other.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(s *clitest.Toy, k *rollback.Tick[clitest.Press]) {
		s.Step(k)
		s.Sum++
	}}
	file := clitest.ToyMatchOn(t, 1, proof)
	for _, command := range []string{"verify", "bisect"} {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), "toybox", []string{"replay", command, file}, nil, &out, &errs, cli.NewGame(other))
		said := errs.String()
		if command == "bisect" {
			said = out.String()
		}
		floats, frame := strings.Index(said, "the floats of a strict build (proof "+proof+")"), strings.Index(strings.ToLower(said), "frame 0 ")
		if code == 0 || floats < 0 || frame < floats || !strings.Contains(said, `"toybox build --strict"`) {
			t.Errorf("%s: exit code %d, says\n%s", command, code, said)
		}
	}
}
