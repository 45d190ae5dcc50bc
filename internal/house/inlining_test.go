package house

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// The functions that a step calls thousands of times compile to instructions
// in place, not to calls. Some of them only just fit the compiler's budget, so
// an edit that looks harmless can lose it.
func TestHotFunctionsInline(t *testing.T) {
	for _, c := range []struct {
		room      string
		functions []string
	}{
		{"./fixed", []string{"Num.Add", "Num.Sub", "Num.Mul", "Num.Neg", "Num.Clamp", "Num.Floor", "FromInt", "Vec2.Add"}},
		{"./rng", []string{"(*Xorshift32).Next", "(*Xorshift128Plus).Next"}},
		{"./canon", []string{"NewFNV32", "FNV32.Add", "FNV32.Sum"}},
	} {
		// The output is kept in the build cache with the package.
		out, err := exec.Command("go", "build", "-gcflags=-m", c.room).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, f := range c.functions {
			if strconv.IntSize == 32 && f == "Num.Mul" {
				continue // bits.Mul64 is no instruction there, and does not fit
			}
			if !strings.Contains(string(out), "can inline "+f+"\n") {
				t.Errorf("%s: %s is not inlined", c.room, f)
			}
		}
	}
}
