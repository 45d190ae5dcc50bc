package portable

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"
)

// one and two are the functions that are rounded correctly, with those of package math.
var (
	one = map[string][2]func(x float64) float64{
		"Exp": {Exp, math.Exp}, "Exp2": {Exp2, math.Exp2}, "Expm1": {Expm1, math.Expm1},
		"Log": {Log, math.Log}, "Log2": {Log2, math.Log2}, "Log10": {Log10, math.Log10}, "Log1p": {Log1p, math.Log1p},
		"Sin": {Sin, math.Sin}, "Cos": {Cos, math.Cos}, "Tan": {Tan, math.Tan},
		"Asin": {Asin, math.Asin}, "Acos": {Acos, math.Acos}, "Atan": {Atan, math.Atan},
		"Sinh": {Sinh, math.Sinh}, "Cosh": {Cosh, math.Cosh}, "Tanh": {Tanh, math.Tanh}, "Cbrt": {Cbrt, math.Cbrt},
		"Asinh": {Asinh, math.Asinh}, "Acosh": {Acosh, math.Acosh}, "Atanh": {Atanh, math.Atanh},
	}
	two = map[string][2]func(x, y float64) float64{
		"Pow": {Pow, math.Pow}, "Hypot": {Hypot, math.Hypot}, "Atan2": {Atan2, math.Atan2},
	}
)

// Rule: functions are rounded as another library rounds them, with 2,600 bits and more (mpmath), over their whole
// ranges, including exact results, results in the middle between two floats, and results smaller than any float.
func TestPoints(t *testing.T) {
	f, err := os.Open("testdata/points.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var name, second string
		var a, b, out uint64
		if _, err := fmt.Sscanf(s.Text(), "%s %x %s %x", &name, &a, &second, &out); err != nil {
			t.Fatal(err)
		}
		x, want := math.Float64frombits(a), math.Float64frombits(out)
		var got float64
		if second == "-" {
			got = one[name][0](x)
		} else {
			fmt.Sscanf(second, "%x", &b)
			got = two[name][0](x, math.Float64frombits(b))
		}
		if math.Float64bits(got) != out {
			t.Errorf("%s(%v, %v) = %v, must be %v", name, x, math.Float64frombits(b), got, want)
		}
		seen[name]++
	}
	for name := range one {
		if seen[name] < 50 {
			t.Errorf("%d points of %s", seen[name], name)
		}
	}
	for name := range two {
		if seen[name] < 80 {
			t.Errorf("%d points of %s", seen[name], name)
		}
	}
}

// special are values with special rules, and some values next to them.
func special() []float64 {
	list := []float64{math.NaN()}
	for _, x := range []float64{
		0, 1, 0.5, 2, 3, 4, 1e3, 1e-3, math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1040, math.Inf(1), 1 << 53, 1<<53 - 1,
		1<<52 + 0.5, 0x1p-60, 709.8, 745.2, 1024, 1074, 1075, 1e300, 0x1.fffffffffffffp-1, 0x1.0000000000001p0, 5, 1.0 / 3,
	} {
		list = append(list, x, -x)
	}
	return list
}

// Rule: special cases are those of package math: zeros, infinities and NaN, overflow, and arguments out of range.
func TestSpecialCases(t *testing.T) {
	if runtime.GOARCH == "s390x" {
		t.Skip("package math's assembly has other special cases there: its Atan2 loses the sign of what is too small")
	}
	check := func(name string, got, want float64, args ...float64) {
		t.Helper()
		plain := want == want && want != 0 && !math.IsInf(want, 0)
		for _, x := range args {
			plain = plain && x == x && x != 0 && !math.IsInf(x, 0)
		}
		same := math.Float64bits(got) == math.Float64bits(want) || got != got && want != want
		early := want == 0 && math.Abs(got) == math.SmallestNonzeroFloat64 || math.IsInf(want, 0) && math.Abs(got) > 0x1p1023 // theirs end there
		if !plain && !same && !early {
			t.Errorf("%s%v = %v, and in package math %v", name, args, got, want)
		}
	}
	for _, x := range special() {
		for name, f := range one {
			check(name, f[0](x), f[1](x), x)
		}
		for _, y := range special() {
			for name, f := range two {
				check(name, f[0](x, y), f[1](x, y), x, y)
			}
		}
	}
}
