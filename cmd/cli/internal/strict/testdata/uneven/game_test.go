// Package game_test has games that come to other states in one build than in another, and one that does not.
package game_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"drawn/fast"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

type state struct {
	Frame int32
	Sum   struct{ Near, Far float64 }
}

type game = rollback.Game[state, int8]

// factors multiply to something that needs rounding; the third is minus the rounded product.
var factors = [3]float64{1 + 0x1p-30, 1 + 0x1p-30, -(1 + 0x1p-29)}

// adding is a game that adds one value in frame at, and others in all frames.
func adding(at int32, value func() float64) game {
	return game{Floats: tickback.Strict, Step: func(s *state, t *rollback.Tick[int8]) {
		s.Sum.Near = math.Sin(s.Sum.Near) + float64(t.Input(0))/3
		if s.Frame == at {
			s.Sum.Far += value()
		}
		s.Frame++
	}}
}

var (
	even     = adding(7, func() float64 { return sum(factors[0], factors[1], factors[2]) })
	assembly = adding(7, func() float64 { return fast.Axpy(factors[0], factors[1], factors[2]) })
	options  = tickbacktest.Options[int8]{Frames: 20, Longest: 20}
)

// sum is fused with GOAMD64=v3 and on arm64, but in strict builds.
//
//go:noinline
func sum(x, y, z float64) float64 { return x*y + z }

func TestEven(t *testing.T) { tickbacktest.Check(t, even, options) }

func TestAssembly(t *testing.T) { tickbacktest.Check(t, assembly, options) }

// Two games in one test, in a folder of its own, and in subtests with names that patterns of tests know otherwise.
func TestTwo(t *testing.T) {
	t.Chdir(t.TempDir())
	tickbacktest.Builds(t, even, options)
	for _, name := range []string{"a (b|c)/[d", "a (b|c)/[d"} {
		t.Run(name, func(t *testing.T) {
			tickbacktest.Builds(t, even, options)
			text := tickbacktest.Failure(t, func(t testing.TB) {
				tickbacktest.Builds(t, adding(3, func() float64 { return fast.Axpy(factors[0], factors[1], factors[2]) }), options)
			})
			if os.Getenv("TICKBACK_TEST_TASK") == "" && !strings.Contains(text, "frame 3 came out differently") {
				t.Errorf("%q", text)
			}
		})
	}
}

// The other build panics, in one game, and begins differently, in another.
func TestEnds(t *testing.T) {
	tickbacktest.Builds(t, adding(5, func() float64 {
		if fast.Axpy(factors[0], factors[1], factors[2]) != 0 {
			panic("there \x1b[31mis a difference")
		}
		return 0
	}), options)
}

func TestBegins(t *testing.T) {
	g := even
	g.Init = func(s *state) { s.Sum.Far = fast.Axpy(factors[0], factors[1], factors[2]) }
	tickbacktest.Builds(t, g, options)
}

// A plain build is compared by name, with other floats.
func TestPlain(t *testing.T) {
	g := even
	g.Floats, g.AllowFloats = 0, true
	idle := options
	idle.Inputs = func(rollback.Player, rollback.Frame) int8 { return 0 }
	tickbacktest.Builds(t, g, idle)
}

func TestReplay(t *testing.T) { tickbacktest.Replay(t, assembly, os.Getenv("LINE")) }

// What is tested besides is not, in another build.
func TestMain(m *testing.M) {
	if os.Getenv("HOSTILE") != "" && os.Getenv("TICKBACK_TEST_TASK") != "" {
		hostile()
	}
	os.Exit(m.Run())
}
