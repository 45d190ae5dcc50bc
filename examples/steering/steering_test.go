package steering

import (
	"errors"
	"math"
	"os"
	"testing"

	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// frozen is the digest of a minute, on every machine.
const frozen = 0x41d149f1225bfed8

// minute is what that minute is.
var minute = tickbacktest.Options[Input]{Players: Seats, Frames: 3600, Inputs: script}

// Rule: a minute of play comes to the same states on every machine.
func TestFrozenMinute(t *testing.T) {
	strictly(t)
	tickbacktest.Frozen(t, Game, minute, frozen)
}

// Negative control: the same game, built otherwise, does not, where the compiler fuses products.
func TestAPlainBuildComesToOtherFloats(t *testing.T) {
	if _, err := strict.Proof(); err == nil || !fused() {
		t.Skip("products are not fused here")
	}
	plain := Game
	plain.Floats, plain.AllowFloats = 0, true
	if tickbacktest.Failure(t, func(t testing.TB) { tickbacktest.Frozen(t, plain, minute, frozen) }) == "" {
		t.Error("a build that fuses products comes to the states of one that does not: the minute shows nothing")
	}
}

// Rule: a program that was not built for it is refused, and told how to build.
func TestAPlainBuildIsRefused(t *testing.T) {
	if _, err := strict.Proof(); err == nil {
		t.Skip("this is a strict build")
	}
	if _, err := rollback.New(Game, rollback.Config{Players: 2, Local: 1}); !errors.Is(err, strict.ErrNot) {
		t.Errorf("%v", err)
	}
}

// Rule: the step comes to the same states when it goes back and simulates again, and in a second instance.
func TestDeterminism(t *testing.T) {
	strictly(t)
	opts := tickbacktest.Options[Input]{Players: Seats, Frames: 60, Longest: 300}
	if testing.Short() {
		opts = tickbacktest.Options[Input]{Players: Seats, Frames: 300, Inputs: script}
	}
	tickbacktest.Check(t, Game, opts)
}

// Rule: sheep flee from dogs, and stay on the field, whatever dogs do.
func TestSheepFleeAndStay(t *testing.T) {
	strictly(t)
	match, err := rollback.NewStepper(Game, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	nearest := math.Inf(1)
	for f := range rollback.Frame(1800) {
		in := []Input{script(0, f), script(1, f)}
		in[0].Run = true
		if err := match.Run(in, 0); err != nil {
			t.Fatal(err)
		}
		for _, w := range match.State().Sheep {
			if w.At.X() < 0 || w.At.Y() < 0 || w.At.X() > Field || w.At.Y() > Field || math.IsNaN(w.At.X()) {
				t.Fatalf("frame %d: a sheep is at %v", f, w.At)
			}
			nearest = min(nearest, w.At.Sub(match.State().Dogs[0].At).Len())
		}
	}
	if nearest > 10 {
		t.Errorf("no sheep was nearer to a dog than %v: they have not met", nearest)
	}
}

// strictly skips a test in a program whose floats may differ from those of other machines.
func strictly(t *testing.T) {
	t.Helper()
	if _, err := strict.Proof(); err != nil {
		t.Skip("this is not a strict build: in the checkout, it is make test-strict")
	}
}

// fused reports whether the compiler has fused a product with a sum.
func fused() bool {
	x := 1 + float64(len(os.Args))*0x1p-30
	return rounded(x, x, -float64(x*x)) != 0
}

//go:noinline
func rounded(x, y, z float64) float64 { return x*y + z }

// script is what a player does in a frame: something for half a second, and then something else.
func script(p rollback.Player, f rollback.Frame) Input {
	n := ((uint64(f)+7*uint64(p))/30*Seats + uint64(p) + 1) * 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n ^= n >> 27
	return Input{Left: n&3 == 1, Right: n&3 == 2, Run: n>>2&1 == 0}
}
