package portable

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// negativeNaN is a NaN as amd64 computes it, with additional bits set.
var negativeNaN = math.Float64frombits(0xFFF8000000000123)

// Rule: there is only one NaN, with one sign and one set of bits.
func TestNaN(t *testing.T) {
	for _, x := range []float64{math.NaN(), negativeNaN, math.Float64frombits(0x7FF0000000000001)} {
		if Signbit(x) || Float64bits(x) != math.Float64bits(math.NaN()) || Float64bits(Copysign(x, -1)) != nanBits || Copysign(-3, x) != 3 {
			t.Errorf("%x shows its sign or bits", math.Float64bits(x))
		}
		if a, b := Max(x, 2), Min(2, x); a == a || b == b || Max(x, math.Inf(1)) != math.Inf(1) || Min(math.Inf(-1), x) != math.Inf(-1) {
			t.Errorf("Max and Min of %x and numbers are %v and %v", math.Float64bits(x), a, b)
		}
	}
	if !Signbit(math.Copysign(0, -1)) || Float64bits(-2.5) != math.Float64bits(-2.5) || Copysign(3, -0.5) != -3 || Signbit(Copysign(-3, 0)) {
		t.Error("numbers must keep their signs and bits")
	}
}

// Rule: the exact functions return the same as those of package math.
func TestExact(t *testing.T) {
	same := func(name string, got, want float64, args ...float64) {
		t.Helper()
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Errorf("%s%v = %v, and in package math %v", name, args, got, want)
		}
	}
	for _, x := range special() {
		for name, f := range map[string][2]func(float64) float64{
			"Abs": {Abs, math.Abs}, "Ceil": {Ceil, math.Ceil}, "Floor": {Floor, math.Floor}, "Trunc": {Trunc, math.Trunc}, "Round": {Round, math.Round},
			"RoundToEven": {RoundToEven, math.RoundToEven}, "Sqrt": {Sqrt, math.Sqrt}, "Logb": {Logb, math.Logb},
			"Frexp": {func(x float64) float64 { f, e := Frexp(x); return f + float64(e) }, func(x float64) float64 { f, e := math.Frexp(x); return f + float64(e) }},
			"Modf":  {func(x float64) float64 { i, f := Modf(x); return i - f }, func(x float64) float64 { i, f := math.Modf(x); return i - f }},
			"Ilogb": {func(x float64) float64 { return float64(Ilogb(x)) }, func(x float64) float64 { return float64(math.Ilogb(x)) }},
			"Ldexp": {func(x float64) float64 { return Ldexp(x, -3) }, func(x float64) float64 { return math.Ldexp(x, -3) }},
			"bits":  {func(x float64) float64 { return Float64frombits(Float64bits(x)) }, func(x float64) float64 { return x }},
		} {
			same(name, f[0](x), f[1](x), x)
		}
		for _, y := range special() {
			for name, f := range map[string][2]func(x, y float64) float64{
				"Dim": {Dim, math.Dim}, "Max": {Max, math.Max}, "Min": {Min, math.Min}, "Mod": {Mod, math.Mod},
				"Nextafter": {Nextafter, math.Nextafter}, "Remainder": {Remainder, math.Remainder},
			} {
				same(name, f[0](x, y), f[1](x, y), x, y)
			}
			same("FMA", FMA(x, y, 0.3), math.FMA(x, y, 0.3), x, y)
		}
		if IsNaN(x) != math.IsNaN(x) || IsInf(x, 1) != math.IsInf(x, 1) || IsInf(x, 0) != math.IsInf(x, 0) {
			t.Errorf("%v is taken for another kind", x)
		}
	}
	if !IsNaN(NaN()) || !IsInf(Inf(-1), -1) {
		t.Error("NaN or Inf is something else")
	}
	for n := -330; n < 320; n++ {
		want, _ := strconv.ParseFloat(fmt.Sprintf("1e%d", n), 64)
		if got := Pow10(n); got != want {
			t.Errorf("Pow10(%d) = %v", n, got)
		}
	}
}

// Rule: conversions that are out of range give the nearest integer, and NaN gives 0; in range they are those of the
// language.
func TestConversions(t *testing.T) {
	for _, c := range []struct {
		x   float64
		i64 int64
		i32 int32
		u64 uint64
		u32 uint32
	}{
		{math.NaN(), 0, 0, 0, 0},
		{math.Inf(1), math.MaxInt64, math.MaxInt32, math.MaxUint64, math.MaxUint32},
		{math.Inf(-1), math.MinInt64, math.MinInt32, 0, 0},
		{-1, -1, -1, 0, 0},
		{-0.9, 0, 0, 0, 0},
		{2.9, 2, 2, 2, 2},
		{-2.9, -2, -2, 0, 0},
		{1 << 31, 1 << 31, math.MaxInt32, 1 << 31, 1 << 31},
		{1<<31 - 0.5, 1<<31 - 1, math.MaxInt32, 1<<31 - 1, 1<<31 - 1},
		{-1<<31 - 0.5, -1 << 31, math.MinInt32, 0, 0},
		{1<<32 - 0.5, 1<<32 - 1, math.MaxInt32, 1<<32 - 1, 1<<32 - 1},
		{1 << 32, 1 << 32, math.MaxInt32, 1 << 32, math.MaxUint32},
		{1 << 63, math.MaxInt64, math.MaxInt32, 1 << 63, math.MaxUint32},
		{1<<63 - 1024, 1<<63 - 1024, math.MaxInt32, 1<<63 - 1024, math.MaxUint32},
		{1<<64 - 2048, math.MaxInt64, math.MaxInt32, 1<<64 - 2048, math.MaxUint32},
		{1 << 64, math.MaxInt64, math.MaxInt32, math.MaxUint64, math.MaxUint32},
		{-1 << 63, math.MinInt64, math.MinInt32, 0, 0},
	} {
		if Int64(c.x) != c.i64 || Int32(c.x) != c.i32 || Uint64(c.x) != c.u64 || Uint32(c.x) != c.u32 {
			t.Errorf("%v becomes %d, %d, %d, %d", c.x, Int64(c.x), Int32(c.x), Uint64(c.x), Uint32(c.x))
		}
		if want := c.i64; strconv.IntSize == 64 && int64(Int(c.x)) != want || strconv.IntSize == 32 && int32(Int(c.x)) != c.i32 {
			t.Errorf("Int(%v) = %d", c.x, Int(c.x))
		}
	}
}

// Rule: unexported names in this package do not occur in package math, so that its sources can be merged into that
// package.
func TestNames(t *testing.T) {
	mine := declared(t, ".")
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no sources of the standard library: ", err)
	}
	theirs := declared(t, filepath.Join(strings.TrimSpace(string(root)), "src/math"))
	if len(theirs) < 50 {
		t.Fatalf("package math declares %d names", len(theirs))
	}
	for name := range mine {
		if !ast.IsExported(name) && theirs[name] {
			t.Errorf("package math has %s", name)
		}
	}
}

// declared returns what the files of a folder declare, without tests.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = true
						}
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					}
				}
			}
		}
	}
	return names
}
