package strict_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Rule: a program with a game whose step reaches C or assembly is refused, by name, wherever it is built. It is not refused if the
// step does not reach the C, or if a comment gives a reason.
func TestStepsThatReachCAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no C compiler here, or other assembly")
	}
	const game = `package main

import (
	"fmt"

	"drawn/device"
	"drawn/engine"
	"drawn/spring"
)

type state struct{ X, V float64 }

var game = engine.Define(step)

func step(s *state, _ *engine.Tick) {
	s.V = spring.Pull(s.X)
	s.X += s.V
}

func main() { fmt.Println(device.Open(), game.Floats, spring.Pull(3)) }
`
	const engine = `package engine

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

type Tick = rollback.Tick[uint8]

func Define[S any](step func(*S, *Tick)) rollback.Game[S, uint8] {
	return rollback.Game[S, uint8]{Step: step, Floats: tickback.Strict}
}
`
	files := map[string]string{
		"engine/engine.go": engine, // so that the game itself imports nothing from Tickback
		"game_test.go":     "package main\n\nimport (\n\t\"testing\"\n\n\t\"github.com/tickback/tickback/tickbacktest\"\n)\n\nfunc TestGame(t *testing.T) { _ = tickbacktest.Options[uint8]{} }\n",
		"device/device.go": "package device\n\n// static int open(void) { return 5; }\nimport \"C\"\n\nfunc Open() int { return int(C.open()) }\n",
	}
	for _, c := range []struct {
		name, spring, assembly, comment, named string
	}{
		{"C", "package spring\n\n// static double pull(double x) { return -x / 8; }\nimport \"C\"\n\nfunc Pull(x float64) float64 { return float64(C.pull(C.double(x))) }\n", "", "", "C.pull is not Go"},
		{"assembly", "package spring\n\nfunc Pull(x float64) float64\n", "TEXT ·Pull(SB), 4, $0-16\n\tMOVQ x+0(FP), AX\n\tMOVQ AX, ret+8(FP)\n\tRET\n", "", "Pull has no body in Go"},
		{"with a reason", "package spring\n\nfunc Pull(x float64) float64\n", "TEXT ·Pull(SB), 4, $0-16\n\tMOVQ x+0(FP), AX\n\tMOVQ AX, ret+8(FP)\n\tRET\n", " //detlint:ignore foreign it moves bits and computes nothing", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := files
			files["main.go"], files["spring/spring.go"] = strings.Replace(game, "s.X)\n", "s.X)"+c.comment+"\n", 1), c.spring
			delete(files, "spring/spring_amd64.s")
			if c.assembly != "" {
				files["spring/spring_amd64.s"] = c.assembly
			}
			dir := module(t, files)
			t.Setenv("CGO_ENABLED", "1")
			code := 0
			if c.named != "" {
				code = 1
			}
			ways := [][]string{{"build", "-o", dir + "/program", "."}}
			if c.name == "C" {
				ways = [][]string{{"run", "main.go"}, {"test", "."}, {"build", "-buildmode=c-shared", "-o", filepath.Join(dir, "game.so"), "."}}
			}
			for _, words := range ways {
				out := strictly(t, code, words...)
				if strings.Contains(out, "step") != (c.named != "") || !strings.Contains(out, c.named) {
					t.Errorf("%v: %s", words, out)
				}
			}
		})
	}
}

// Rule: the standard library's SIMD instructions are refused in a step, like assembly.
func TestStepsThatReachSIMDAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the standard library for an experiment")
	}
	if _, err := os.Stat(filepath.Join(goroot(t), "src", "simd", "archsimd")); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("this version of Go has none, or none for this machine")
	}
	module(t, map[string]string{"main.go": `package main

import (
	"simd/archsimd"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

type state struct{ X [4]float64 }

var game = rollback.Game[state, uint8]{Floats: tickback.Strict, Step: func(s *state, _ *rollback.Tick[uint8]) {
	v := archsimd.LoadFloat64x4(&s.X)
	v.MulAdd(v, v).Store(&s.X)
}}

func main() { _ = rollback.FloatsOf(game) }
`})
	t.Setenv("GOEXPERIMENT", "simd")
	if out := strictly(t, 1, "build", "-o", filepath.Join(t.TempDir(), "program"), "."); !strings.Contains(out, "Float64x4.MulAdd") {
		t.Errorf("it says %s", out)
	}
}
