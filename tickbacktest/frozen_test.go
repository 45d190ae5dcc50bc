package tickbacktest

import (
	"runtime"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// fuses reports whether this machine rounds x*y+z once; see docs/determinism.md.
func fuses() bool {
	return fusedByLevel || slices.Contains([]string{"arm64", "loong64", "ppc64", "ppc64le", "riscv64", "s390x"}, runtime.GOARCH)
}

// drift is a state of a float.
type drift struct{ X float64 }

// floatGame computes x*y+z, which gives the same on all machines of one kind.
var floatGame = rollback.Game[drift, pad]{
	AllowFloats: true,
	Step: func(s *drift, t *rollback.Tick[pad]) {
		push := float64(t.Input(0).Stick)/3 + 0.1
		old := s.X / 1.7
		s.X = old*1.6 + push
	},
}

// Negative control: floats pass all tests on one machine, and a digest that was recorded on another kind of machine
// detects them.
func TestFrozenFindsFloatsThatAreFused(t *testing.T) {
	const apart, fused uint64 = 0xd1ca7244030b431b, 0x2beca3410b795f61
	mine, others := apart, fused
	if fuses() {
		mine, others = fused, apart
	}
	SyncTest(t, floatGame, Options[pad]{})
	Purity(t, floatGame, Options[pad]{})
	passes(t, func(t testing.TB) { Frozen(t, floatGame, Options[pad]{}, mine) })
	reports(t, func(t testing.TB) { Frozen(t, floatGame, Options[pad]{}, others) }, "digest", "floats", "x*y+z")
}

// The match that Frozen makes up is the same for ever, on every machine.
func TestFrozenMatchOfFrozen(t *testing.T) {
	Frozen(t, comboGame, Options[pad]{}, 0x649939ed6a0a9d94)
	Frozen(t, worlds(), Options[pad]{Players: 3, Frames: 500}, 0x21b9eeada900e683)
	given := func(p rollback.Player, f rollback.Frame) pad { return pad{Stick: int16(f) * int16(p+1)} }
	Frozen(t, comboGame, Options[pad]{Inputs: given}, 0xc37d8a525d9a247b)
}

// Without a digest, the test prints one to copy.
func TestFrozenSaysWhatToRecord(t *testing.T) {
	reports(t, func(t testing.TB) { Frozen(t, comboGame, Options[pad]{}, 0) }, "nothing is recorded", "0x")
	idle := rollback.Game[drift, pad]{AllowFloats: true, Step: func(*drift, *rollback.Tick[pad]) {}}
	reports(t, func(t testing.TB) { Frozen(t, idle, Options[pad]{}, 1) }, "in every frame")
}
