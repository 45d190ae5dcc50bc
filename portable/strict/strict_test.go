package strict

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/portable"
)

// Rule: a program that was not built for strict floats has no proof, and the error names the command.
func TestNoProof(t *testing.T) {
	if proof != "" {
		t.Skip("this program is built for strict floats")
	}
	if p, err := Proof(); p != "" || !errors.Is(err, ErrNot) || !strings.Contains(err.Error(), "tickback build --strict") {
		t.Errorf("%q, %v", p, err)
	}
}

// Rule: the values that the probe expects of package math are those of package portable; and some values of Go's own package
// differ, which the probe finds.
func TestTheProbe(t *testing.T) {
	of := map[string]func(float64) float64{
		"Acos": portable.Acos, "Asin": portable.Asin, "Atan": portable.Atan, "Cbrt": portable.Cbrt, "Cos": portable.Cos, "Cosh": portable.Cosh,
		"Exp": portable.Exp, "Exp2": portable.Exp2, "Expm1": portable.Expm1, "Log": portable.Log, "Log10": portable.Log10, "Log1p": portable.Log1p,
		"Log2": portable.Log2, "Sin": portable.Sin, "Sinh": portable.Sinh, "Tan": portable.Tan, "Tanh": portable.Tanh,
	}
	var names []string
	others := 0
	for _, h := range hard {
		names = append(names, h.name)
		for i, x := range h.at {
			if got := of[h.name](x); math.Float64bits(got) != math.Float64bits(h.want[i]) {
				t.Errorf("%s(%v) = %v, the probe expects %v", h.name, x, got, h.want[i])
			}
			if h.of(x) != h.want[i] {
				others++
			}
		}
	}
	if want := slices.Sorted(maps.Keys(of)); !slices.Equal(names, want) {
		t.Errorf("the probe looks at %v, want %v", names, want)
	}
	if err := probe(); (err != nil) != (proof == "") || proof == "" && others == 0 {
		t.Errorf("the probe says %v, and Go's own package math differs at %d points", err, others)
	}
}
