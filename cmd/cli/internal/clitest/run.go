package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/strict/rewrite"
	"github.com/tickback/tickback/internal/tracecheck"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// A strict build makes the go command run the building program again, for its tools. In tests, that program is the test
// binary.
func init() {
	switch {
	case len(os.Args) > 1 && os.Args[1] == rewrite.Name:
		os.Exit(rewrite.Tool(os.Args[2:]))
	case len(os.Args) > 1 && os.Args[1] == "test": // for a test that builds itself for another target
		os.Exit(cli.Run(context.Background(), "toybox", os.Args[1:], os.Stdin, os.Stdout, os.Stderr, ToyGame()))
	}
}

// Run runs the command line of the toy game.
func Run(t *testing.T, stdin io.Reader, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), "toybox", args, stdin, &out, &errs, ToyGame())
	return out.String(), errs.String(), code
}

// Record writes a recording of the toy game and returns its path.
func Record(t *testing.T, seed uint32) string {
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

// ContextWithCancel returns a context that ends with the test at the latest.
func ContextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

// RunWith runs the command line of the toy game until ctx ends, and returns the exit code.
func RunWith(ctx context.Context, stderr io.Writer, args ...string) int {
	return cli.Run(ctx, "toybox", args, strings.NewReader(""), io.Discard, stderr, ToyGame())
}

// Object runs a command with --json, which must print one object, and returns it.
func Object(t *testing.T, code int, args ...string) map[string]any {
	t.Helper()
	stdout, stderr, got := Run(t, nil, append(args, "--json")...)
	var o map[string]any
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || got != code {
		t.Fatalf("%v: exit code %d, want %d; %v\n%s%s", args, got, code, err, stdout, stderr)
	}
	return o
}

// ToyMatch writes a recording of a match of three players of the toy game. It has orders, a player who leaves, and a
// name that must not be printed to a terminal unchanged.
func ToyMatch(t *testing.T, hashEvery int) string {
	t.Helper()
	return ToyMatchOn(t, hashEvery, "")
}

// ToyMatchOn is like ToyMatch, with a platform in the recording.
func ToyMatchOn(t *testing.T, hashEvery int, platform string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "three.tbr")
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, tbr.Header{
		Game: "toy", Shape: agreed.Shape{Players: 3, InputSize: 2, MaxOrders: 8}, TickRate: 50, Seed: 1 << 40, HashEvery: hashEvery,
		Info: tbr.Info{Build: "a \x1b[31mbuild", Platform: platform, Created: 1700000000000, Meta: []tbr.Field{{Key: "stage\n", Value: "\x07moon"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var s Toy
	s.Sum = 1 << 40
	for n := range uint32(500) {
		f := &agreed.Frame{Number: n, Inputs: []byte{byte(n / 50), 0, 1, 0, 0, 0}}
		if n >= 200 {
			f.Gone = 4
		}
		if n == 300 {
			f.Orders = [][]byte{nil, {0xAB, 0xCD}, nil}
		}
		s.Add(Press(n/50), 1)
		if err := w.Frame(f); err != nil {
			t.Fatal(err)
		}
		if hashEvery > 0 {
			if err := w.Hash(n+1, s.Hash()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(tbr.End{Reason: "over"}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Converted writes a recording of the toy game, of 75 frames, in our own format.
func Converted(t *testing.T, seed uint32) string {
	t.Helper()
	old := Record(t, seed)
	file := filepath.Join(filepath.Dir(old), fmt.Sprintf("match-%d.tbr", seed))
	if stdout, stderr, code := Run(t, nil, "replay", "convert", old, "-o", file); code != 0 {
		t.Fatal(stdout, stderr)
	}
	return file
}

// Spectator runs a spectator's command.
func Spectator(t *testing.T, g cli.Game, args ...string) Ended {
	return Player(t.Context(), t, g, append([]string{"spectate", "--json", "--listen", "127.0.0.1:0", "--delay", "3"}, args...))
}

// Recorded opens a recording, which must be complete.
func Recorded(t *testing.T, path string) *tbr.Reader {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// Ticks returns the number of ticks in a trace.
func Ticks(t *testing.T, path string) (n int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	events, err := tracecheck.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Name == "tick" {
			n++
		}
	}
	return n
}
