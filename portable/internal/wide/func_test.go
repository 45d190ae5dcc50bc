package wide

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"testing"
)

// functions are the functions of one float in points.txt.
var functions = map[string]func(x float64) Num{
	"exp":   func(x float64) Num { return Of(x).Exp() },
	"expm1": func(x float64) Num { return Of(x).Expm1() },
	"log":   func(x float64) Num { return Of(x).Log() },
	"log1p": func(x float64) Num { return Of(x).Log1p() },
	"sqrt":  func(x float64) Num { return Of(x).Sqrt() },
	"atan":  func(x float64) Num { return Of(x).Atan() },
	"sin": func(x float64) Num {
		r, q := Trig(x)
		return [...]Num{r.Sin(), r.Cos(), r.Sin().Neg(), r.Cos().Neg()}[q]
	},
	"cos": func(x float64) Num {
		r, q := Trig(x)
		return [...]Num{r.Cos(), r.Sin().Neg(), r.Cos().Neg(), r.Sin()}[q]
	},
	"tan": func(x float64) Num {
		r, q := Trig(x)
		if q&1 == 0 {
			return r.Sin().Quo(r.Cos())
		}
		return r.Cos().Quo(r.Sin()).Neg()
	},
}

// Rule: functions are rounded as another library rounds them, with 2,400 bits (mpmath), over their whole ranges.
func TestFunctions(t *testing.T) {
	f, err := os.Open("testdata/points.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var name string
		var in, out uint64
		if _, err := fmt.Sscanf(s.Text(), "%s %x %x", &name, &in, &out); err != nil {
			t.Fatal(err)
		}
		x, want := math.Float64frombits(in), math.Float64frombits(out)
		got, ok := Round(functions[name](x), Float64, Sure)
		if !ok || math.Float64bits(got) != out {
			t.Errorf("%s(%v) = %v, %v, must be %v", name, x, got, ok, want)
		}
		seen[name]++
	}
	for name := range functions {
		if seen[name] < 100 {
			t.Errorf("%d points of %s", seen[name], name)
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	for name, f := range functions {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f(0.7)
			}
		})
	}
}
