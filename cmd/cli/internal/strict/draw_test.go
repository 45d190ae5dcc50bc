package strict_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// drawn is a random program of floats: a function of three floats, with products and sums in the shapes that occur in games
// and compilers.
type drawn struct {
	r    *rand.Rand
	text strings.Builder
}

// drawnProgram is a program of n such functions. It prints a line for each: the sum of all its results.
func drawnProgram(seed uint64, n int) string {
	var b strings.Builder
	b.WriteString(drawnHead)
	for i := range n {
		d := drawn{r: rand.New(rand.NewPCG(seed, uint64(i)))}
		d.function(i)
		b.WriteString(d.text.String())
	}
	b.WriteString("\nvar programs = []func(a, b, c float64) sum{\n")
	for i := range n {
		fmt.Fprintf(&b, "\tprogram%d,\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}

const drawnHead = `package main

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/tickback/tickback/portable/strict"
)

type float interface{ float32 | float64 }

type vector[F float] struct{ X, Y, Z F }

func (v vector[F]) dot(w vector[F]) F         { return v.X*w.X + v.Y*w.Y + v.Z*w.Z }
func (v vector[F]) plus(w vector[F], k F) vector[F] { return vector[F]{v.X + w.X*k, v.Y + k*w.Y, v.Z - w.Z*k} }

func lerp[F float](a, b, t F) F { return a + (b-a)*t }

func mixed[C complex64 | complex128](a, b, c C) C { return a*b + c/b }

func product(a, b float64) float64 { return a * b }

//go:noinline
func apart(a, b float64) float64 { return a*b - b }

func poly(x float64, c ...float64) (s float64) {
	for _, v := range c {
		s = s*x + v
	}
	return s
}

// finite keeps a program from ending in NaNs soon.
func finite(x float64) float64 {
	if math.Abs(x) < 1e150 {
		return x
	}
	return 0.7
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func converted[I integer, F float](x F) I { return I(x) }

func any2[T, F integer | float](x F) T { return T(x) }

func pick[F float](b bool, x, y F) F {
	if b {
		return x
	}
	return y
}

func count(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

var (
	tenth, third, small, denormal, large = 0.1, 1.0 / 3, 1e-300, 0x1p-1070, 1e300
	small32, large32                     = float32(1e-40), float32(1e38)
)

var five int64 = 5

type sum uint64

func (s *sum) add(n uint64) {
	for range 8 {
		*s = (*s ^ sum(n&255)) * 1099511628211
		n >>= 8
	}
}

func main() {
	proof, _ := strict.Proof()
	fmt.Println("proof", proof)
	inputs := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, -2.5, 3.75, 1e-5, 1e-310, 5e-324, -1e-308, 1e10, 123456.789, -98765.4321, 9007199254740993, 1e18, -1e19,
		2147483648.5, 1e38, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.Pi, -math.E,
	}
	for _, p := range programs {
		s := sum(14695981039346656037)
		for i := range inputs {
			s.add(uint64(p(inputs[i], inputs[(i*7+3)%len(inputs)], inputs[(i*11+5)%len(inputs)])))
		}
		fmt.Printf("%016x\n", uint64(s))
	}
}
`

func (d *drawn) line(format string, args ...any) { fmt.Fprintf(&d.text, "\t"+format+"\n", args...) }

func (d *drawn) any(of ...string) string { return of[d.r.IntN(len(of))] }

func (d *drawn) function(i int) {
	fmt.Fprintf(&d.text, "\nfunc program%d(a, b, c float64) (s sum) {\n", i)
	d.line("p, q := float32(b), float32(c)")
	d.line("i, j := int64(3), int64(len(\"seven..\"))")
	d.line("z, w := complex(a, c), complex(b, 0.5)")
	d.line("list, table := [4]float64{a, b, c, 1}, map[string]float64{\"x\": a, \"y\": b}")
	d.line("v, u := vector[float64]{a, b, c}, vector[float32]{p, q, 2}")
	d.line("next := func() int { i++; return int(i & 3) }")
	for range 5 + d.r.IntN(10) {
		d.statement(2)
	}
	d.line("for _, f := range []float64{a, b, c, float64(p), float64(q), real(z), imag(z), real(w), imag(w), list[0], list[1], list[2], list[3], table[\"x\"], table[\"y\"], v.X, v.Y, v.Z} {\n\t\ts.add(math.Float64bits(f))\n\t}")
	d.line("for _, f := range []float32{p, q, u.X, u.Y, u.Z} {\n\t\ts.add(uint64(math.Float32bits(f)))\n\t}")
	d.line("s.add(uint64(i))\n\ts.add(uint64(j + int64(next())))")
	d.line("return s\n}")
}

func (d *drawn) statement(depth int) {
	switch n := d.r.IntN(17); {
	case n < 4:
		d.line("%s = %s", d.any("a", "b", "c"), d.float(3))
	case n == 4:
		d.line("%s = %s", d.any("p", "q"), d.single(3))
	case n == 5:
		d.line("%s = %s", d.any("z", "w"), d.complex(2))
	case n == 6:
		d.line("%s = %s", d.any("i", "j"), d.integer(2))
	case n == 7:
		d.line("list[%s] %s= %s", d.any("next()", "i&3", "2"), d.any("+", "-", "*", "/"), d.float(2))
	case n == 8:
		d.line("table[%s] %s= %s", d.any(`"x"`, `"y"`), d.any("+", "-", "*", "/"), d.float(2))
	case n == 9:
		d.line("v = v.plus(vector[float64]{%s, %s, b}, %s)", d.float(1), d.float(1), d.float(1))
	case n == 10:
		d.line("u = u.plus(vector[float32]{%s, q, %s}, %s)", d.single(1), d.single(1), d.single(1))
	case n == 11:
		d.line("%s %s= %s", d.any("a", "b", "c"), d.any("+", "-", "*", "/"), d.float(2))
	case n == 12:
		d.line("%s %s= %s", d.any("p", "q"), d.any("+", "-", "*", "/"), d.single(2))
	case n == 13:
		d.line("a, b = finite(a), finite(b)")
	case depth == 0:
		d.line("c = %s", d.float(2))
	case n == 14:
		d.line("for k := 0; k < %d; k++ {", 1+d.r.IntN(6))
		d.statement(depth - 1)
		d.line("a = a*b + float64(k)*c")
		d.statement(depth - 1)
		d.line("}")
	case n == 15:
		d.line("if %s {", d.condition())
		d.statement(depth - 1)
		d.line("} else {")
		d.statement(depth - 1)
		d.line("}")
	default:
		d.line("func() {\n\t\tx := %s\n\t\tc = c*x + %s\n\t}()", d.float(2), d.float(1))
	}
}

func (d *drawn) condition() string {
	switch d.r.IntN(4) {
	case 0:
		return d.single(1) + d.any("<", "<=", ">", ">=", "==", "!=") + d.single(1)
	case 1:
		return "math.Signbit(" + d.float(1) + ")"
	case 2:
		return d.any("z", "w") + d.any("==", "!=") + d.complex(1)
	}
	return d.float(1) + d.any("<", "<=", ">", ">=", "==", "!=") + d.float(1)
}

// functions are the functions of package math with one float as argument.
var functions = []string{
	"Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cbrt", "Ceil", "Cos", "Cosh", "Erf", "Erfc", "Erfinv", "Exp", "Exp2", "Expm1", "Floor", "Gamma", "J0", "J1", "Log",
	"Log10", "Log1p", "Log2", "Logb", "Round", "RoundToEven", "Sin", "Sinh", "Sqrt", "Tan", "Tanh", "Trunc", "Y0", "Y1",
}

func (d *drawn) float(depth int) string {
	if depth == 0 {
		return d.any("a", "b", "c", "a", "b", "c", "list[i&3]", "table[\"x\"]", "v.X", "v.Y", "tenth", "third", "small", "denormal", "large")
	}
	x, y, z := d.float(depth-1), d.float(depth-1), d.float(depth-1)
	switch d.r.IntN(26) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s*%s + %s)", x, y, z)
	case 3:
		return fmt.Sprintf("(%s - %s*%s)", x, y, z)
	case 4:
		return fmt.Sprintf("(%s*%s - %s)", x, d.any(y, "0.1", "3", "1e-310", "1.5"), z)
	case 5:
		return fmt.Sprintf("(%s/%s + %s)", x, d.any("2", "4", "0.5", "3", "1024"), z)
	case 6:
		return fmt.Sprintf("(%s / %s)", x, y)
	case 7:
		return fmt.Sprintf("(-(%s * %s) + %s)", x, y, z)
	case 8:
		return fmt.Sprintf("(product(%s, %s) + %s)", x, y, z)
	case 9:
		return fmt.Sprintf("(%s - apart(%s, %s))", x, y, z)
	case 10:
		return fmt.Sprintf("lerp(%s, %s, %s)", x, y, z)
	case 11:
		return fmt.Sprintf("poly(%s, 1, %s, %s)", x, y, z)
	case 12, 13, 14:
		return fmt.Sprintf("math.%s(%s)", functions[d.r.IntN(len(functions))], x)
	case 15:
		return fmt.Sprintf("math.%s(%s, %s)", d.any("Atan2", "Copysign", "Dim", "Hypot", "Max", "Min", "Mod", "Nextafter", "Pow", "Remainder"), x, y)
	case 16:
		return d.any("real", "imag", "cmplx.Abs", "cmplx.Phase") + "(" + d.complex(depth-1) + ")"
	case 17:
		return "float64(" + d.single(depth-1) + ")"
	case 18:
		return "float64(" + d.integer(depth-1) + ")"
	case 19:
		return fmt.Sprintf("math.FMA(%s, %s, %s)", x, y, z)
	case 20:
		return fmt.Sprintf("math.Float64frombits(math.Float64bits(%s)^%d)", x, d.r.IntN(64))
	case 21:
		return fmt.Sprintf("pick(%s, %s, %s*%s)", d.condition(), x, y, z)
	case 22:
		return fmt.Sprintf("v.dot(vector[float64]{%s, %s, %s})", x, y, z)
	case 23:
		return fmt.Sprintf("%s(%s, %s)", d.any("max", "min"), x, y)
	case 24:
		return fmt.Sprintf("math.Ldexp(%s, int(%s&15))", x, d.integer(depth-1))
	}
	return fmt.Sprintf("func() float64 { f, g := math.%s(%s); return %s }()", d.any("Modf", "Sincos"), x, d.any("f*2 + g", "g - f*3"))
}

func (d *drawn) single(depth int) string {
	if depth == 0 {
		return d.any("p", "q", "p", "q", "u.X", "u.Y", "float32(a)", "float32(tenth)", "small32", "large32")
	}
	x, y, z := d.single(depth-1), d.single(depth-1), d.single(depth-1)
	switch d.r.IntN(9) {
	case 0, 1:
		return fmt.Sprintf("(%s*%s + %s)", x, y, z)
	case 2:
		return fmt.Sprintf("(%s/%s - %s)", x, d.any("2", "q", "0.25"), z)
	case 3:
		return fmt.Sprintf("lerp(%s, %s, %s)", x, y, z)
	case 4:
		return fmt.Sprintf("float32(%s)", d.float(depth-1))
	case 5:
		return fmt.Sprintf("float32(math.%s(float64(%s)))", d.any("Sqrt", "Sin", "Exp", "Floor", "Log"), x)
	case 6:
		return fmt.Sprintf(d.any("float32(%s)", "any2[float32](%s)", "float32(uint64(%s))"), d.integer(depth-1))
	case 7:
		return fmt.Sprintf("u.dot(vector[float32]{%s, %s, %s})", x, y, z)
	}
	return fmt.Sprintf("(%s - %s*%s)", x, y, z)
}

func (d *drawn) integer(depth int) string {
	if depth == 0 {
		return d.any("i", "j", "i", "j", "five")
	}
	switch d.r.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s*%s + %s)", d.integer(depth-1), d.any("i", "3"), d.integer(depth-1))
	case 1:
		return fmt.Sprintf("int64(math.Float64bits(%s)>>%d)", d.float(depth-1), d.r.IntN(60))
	case 2:
		return fmt.Sprintf("count(%s)", d.condition())
	case 3:
		return fmt.Sprintf("int64(math.Float32bits(%s))", d.single(depth-1))
	}
	to := d.any("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
	switch d.r.IntN(5) {
	case 0:
		return fmt.Sprintf("int64(converted[%s](%s))", to, d.float(depth-1))
	case 1:
		return fmt.Sprintf("int64(any2[%s](%s))", to, d.single(depth-1))
	case 2:
		return fmt.Sprintf("int64(%s(%s))", to, d.single(depth-1))
	}
	return fmt.Sprintf("int64(%s(%s))", to, d.float(depth-1))
}

func (d *drawn) complex(depth int) string {
	if depth == 0 {
		return d.any("z", "w", "z", "w", "z", "w", "(1+2i)", "complex(a, b)", "complex(large*large, large*large-large*large)")
	}
	x, y := d.complex(depth-1), d.complex(depth-1)
	switch d.r.IntN(7) {
	case 0, 1:
		return fmt.Sprintf("(%s*%s + z)", x, y)
	case 2:
		return fmt.Sprintf("(%s/%s - w)", x, y)
	case 3:
		return fmt.Sprintf("mixed(%s, %s, w)", x, y)
	case 4:
		return fmt.Sprintf("complex(%s, %s)", d.float(depth-1), d.float(depth-1))
	case 5:
		return fmt.Sprintf("complex128(mixed(complex64(%s), complex64(%s), 1))", x, y)
	}
	return fmt.Sprintf("cmplx.%s(%s)", d.any("Exp", "Sqrt", "Log", "Conj", "Sin"), x)
}
