package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/floor"
)

// BenchmarkVerify measures "replay verify" with a file of a million frames of random play, from the arguments to the
// line of output; one operation is one frame. The floor is the bare step with the same inputs in memory.
func BenchmarkVerify(b *testing.B) {
	const frames = 1_000_000
	file := filepath.Join(b.TempDir(), "match.rplk")
	command(b, "sim", "--frames", "1000000", "--record", file)
	content, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	floor.CompareWhole(b, frames, bareSteps(b, content), func() { command(b, "replay", "verify", "--json", file) })
}

// BenchmarkVerifyRecording measures the same for a recording in our format, with hashes once a second and keyframes, on
// one core.
func BenchmarkVerifyRecording(b *testing.B) {
	const frames = 1_000_000
	dir := b.TempDir()
	old, file := filepath.Join(dir, "match.rplk"), filepath.Join(dir, "match.tbr")
	command(b, "sim", "--frames", "1000000", "--record", old)
	command(b, "replay", "convert", old, "-o", file)
	content, err := os.ReadFile(old)
	if err != nil {
		b.Fatal(err)
	}
	floor.CompareWhole(b, frames, bareSteps(b, content), func() { command(b, "replay", "verify", "--json", "-j", "1", file) })
}

// bareSteps runs the bare step with the inputs of a RPLK recording, in memory.
func bareSteps(b *testing.B, content []byte) func() {
	recording, err := rplk.Decode(content)
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		s, _ := duel.New(recording.Seed)
		for _, f := range recording.Frames {
			duel.Step(&s, [2]duel.Input{duel.Input(f[0]), duel.Input(f[1])})
		}
	}
}

func command(b *testing.B, args ...string) {
	var stderr bytes.Buffer
	if code := cli.Run(b.Context(), "tickback", args, strings.NewReader(""), io.Discard, &stderr, games()...); code != 0 {
		b.Fatal(stderr.String())
	}
}
