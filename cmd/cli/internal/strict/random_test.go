package strict_test

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/cmd/cli/internal/strict"
)

// Rule: random programs give the same results, to the bit, on every target that this machine can run, if they are built for
// strict floats; without that, many of them do not where products are fused.
func TestRandomProgramsComeToTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs for several targets")
	}
	// Other seeds, and more programs, can be examined by environment variables.
	seed, n := number("TICKBACK_SEED", 1), int(number("TICKBACK_PROGRAMS", 300))
	text := drawnProgram(seed, n)
	formatted, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	module(t, map[string]string{"main.go": string(formatted)})
	out := filepath.Join(t.TempDir(), "program")
	sumsOf := func(g target, words ...string) []string {
		t.Helper()
		if stdout, stderr, code := clitest.Run(t, nil, append(append([]string{"build"}, words...), "-o", out, ".")...); code != 0 {
			t.Fatalf("seed %d: exit code %d\n%s%s", seed, code, stdout, stderr)
		}
		command := g.command(out)
		b, err := exec.Command(command[0], command[1:]...).Output()
		lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		if err != nil || len(lines) != n+1 || (lines[0] != "proof ") != slices.Contains(words, "--strict") {
			t.Fatalf("seed %d: %v, %d lines, %s", seed, err, len(lines), lines[0])
		}
		return lines[1:]
	}
	want, plain := sumsOf(target{}, "--strict"), sumsOf(target{})
	same := func(t *testing.T, g target) {
		t.Helper()
		for i, sum := range sumsOf(g, "--strict") {
			if sum != want[i] {
				_, code, _ := strings.Cut(text, "\nfunc program"+strconv.Itoa(i)+"(")
				code, _, _ = strings.Cut(code, "\n}\n")
				t.Errorf("seed %d, program %d comes to %s, here to %s:\nfunc program%d(%s\n}", seed, i, sum, want[i], i, code)
			}
		}
	}
	for _, g := range targets(t) {
		t.Run(g.name, func(t *testing.T) {
			g.needed(t)
			same(t, g)
			if g.name != "amd64 v3" { // it fuses like other processors, and is not an emulator
				return
			}
			other := 0
			for i, sum := range sumsOf(g) {
				if sum != plain[i] {
					other++
				}
			}
			t.Logf("%d of %d plain programs come to something else", other, n)
			if other < n/4 {
				t.Errorf("seed %d: only %d of %d plain programs come to something else", seed, other, n)
			}
			// As for a compiler without a flag to turn off fusing.
			t.Setenv(strict.BySources, "1")
			same(t, g)
		})
	}
}

// number returns the value of an environment variable.
func number(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}
