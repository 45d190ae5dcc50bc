package detlint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// floatTerms are statements with floats that a plain build may fuse, and what -fix turns them into.
var floatTerms = []struct{ before, after string }{
	{"s.x = s.x*s.y + s.z", "s.x = float64(s.x*s.y) + s.z"},
	{"s.x = s.z - s.x*s.y", "s.x = s.z - float64(s.x*s.y)"},
	{"s.x = s.x*s.y + s.y*s.z", "s.x = float64(s.x*s.y) + float64(s.y*s.z)"},
	{"s.x = (s.x*s.y + s.y*s.z) * s.x + 1", "s.x = float64((float64(s.x*s.y)+float64(s.y*s.z))*s.x) + 1"},
	{"s.x = (s.x * s.y) + s.z", "s.x = float64(s.x*s.y) + s.z"},
	{"s.x = -(s.x * s.y) + s.z", "s.x = -float64(s.x*s.y) + s.z"},
	{"s.x = s.x*s.y*s.z + 1", "s.x = float64(s.x*s.y*s.z) + 1"},
	{"s.x = s.y/4096 + s.z", "s.x = float64(s.y/4096) + s.z"},
	{"s.x = s.y/3 + s.z", ""},
	{"s.x = 2*s.y + s.z", ""},
	{"s.x += s.y * s.z", "s.x += float64(s.y * s.z)"},
	{"s.x -= s.y * /* far */ s.z", "s.x -= float64(s.y * /* far */ s.z)"},
	{"s.x *= s.y\n\ts.x += s.z", "s.x = float64(s.x * s.y)\n\ts.x += s.z"},
	{"s.x *= s.y + 1\n\ts.x += s.z", "s.x = float64(s.x * (s.y + 1))\n\ts.x += s.z"},
	{"s.x /= 4096\n\ts.x -= s.z", "s.x = float64(s.x / 4096)\n\ts.x -= s.z"},
	{"p := s.x * s.y\n\ts.x = p + s.z", "p := float64(s.x * s.y)\n\ts.x = p + s.z"},
	{"s.f = s.f*s.g + 1", "s.f = float32(s.f*s.g) + 1"},
	{"s.f += s.f * s.g", "s.f += float32(s.f * s.g)"},
	{"s.a = s.a*s.b + 1", "s.a = angle(s.a*s.b) + 1"},
	{"s.t = s.t*s.t + 1", "s.t = units.Metre(s.t*s.t) + 1"},
	{"m[k()%2] += s.x * s.y", "m[k()%2] += float64(s.x * s.y)"},
	{"m[1] *= s.y\n\ts.x = m[1] + s.z", ""},
	{"list[k()&1] *= s.y\n\tlist[k()&1] += s.z", "{\n\t\tp := &list[k()&1]\n\t\t*p = float64(*p * s.y)\n\t}\n\tlist[k()&1] += s.z"},
	{"list[k()&1] *= s.y\n\tlist[1] += s.z", "{\n\t\tp := &list[k()&1]\n\t\t*p = float64(*p * s.y)\n\t}\n\tlist[1] += s.z"},
	{"at(s).x *= s.y\n\ts.x += s.z", "{\n\t\tp := &at(s).x\n\t\t*p = float64(*p * s.y)\n\t}\n\ts.x += s.z"},
	{"at(s).x *= s.y + 1\n\tat(s).x += s.z", "{\n\t\tp := &at(s).x\n\t\t*p = float64(*p * (s.y + 1))\n\t}\n\tat(s).x += s.z"},
	{"*at(s).point() *= s.y\n\ts.x += s.z", "{\n\t\tp := &*at(s).point()\n\t\t*p = float64(*p * s.y)\n\t}\n\ts.x += s.z"},
	{"m[k()] *= s.y\n\tm[k()] += s.z", ""},
	{"at(s).x *= product(s.y, s.z)\n\ts.x += s.z", "at(s).x *= product(s.y, s.z)\n\ts.x = float64(s.x) + s.z"},
	{"s.c = s.c * s.d", "s.c = portable.MulComplex(s.c, s.d)"},
	{"s.c = s.c*s.d*2 + s.d", "s.c = portable.MulComplex(portable.MulComplex(s.c, s.d), 2) + s.d"},
	{"s.c *= s.d + 1", "s.c = portable.MulComplex(s.c, s.d+1)"},
	{"s.x = real(s.c*s.d) + s.y", "s.x = real(portable.MulComplex(s.c, s.d)) + s.y"},
	{"s.e = s.e * /* far */ s.e", "s.e = math32.MulComplex(s.e /* far */, s.e)"},
	{"s.w = s.w * s.w", "s.w = wave(portable.MulComplex(complex128(s.w), complex128(s.w)))"},
	{"s.w *= s.w", "s.w = wave(portable.MulComplex(complex128(s.w), complex128(s.w)))"},
	{
		"mc := map[int]complex128{3: s.c}\n\tmc[k()] *= s.d\n\ts.c = mc[3]",
		"mc := map[int]complex128{3: s.c}\n\t{\n\t\tp := k()\n\t\tmc[p] = portable.MulComplex(mc[p], s.d)\n\t}\n\ts.c = mc[3]",
	},
	{
		"p := &s.c\n\tswitch {\n\tcase s.n > 0:\n\t\tat(s).c *= *p\n\t}",
		"p := &s.c\n\tswitch {\n\tcase s.n > 0:\n\t\t{\n\t\t\tplace := &at(s).c\n\t\t\t*place = portable.MulComplex(*place, *p)\n\t\t}\n\t}",
	},
	{"at(s).c *= s.d", "{\n\t\tp := &at(s).c\n\t\t*p = portable.MulComplex(*p, s.d)\n\t}"},
	{"s.c = twice(s.c)", ""},
	{"s.e = twice(s.e)", ""},
	{"m[k()%2] *= s.y", ""},
	{"list[s.n&1] *= s.y\n\tlist[s.n&1] += s.z", "list[s.n&1] = float64(list[s.n&1] * s.y)\n\tlist[s.n&1] += s.z"},
	{"s.x = lerp(s.x, s.y, s.z)", ""},
	{"s.f = lerp(s.f, s.g, s.f)", ""},
	{"s.x = product(s.x, s.y) + s.z", "s.x = float64(product(s.x, s.y)) + s.z"},
	{"p := product(s.x, s.y)\n\tp += s.z\n\ts.x = p", "p := product(s.x, s.y)\n\tp = float64(p) + s.z\n\ts.x = p"},
	{"s.x = plus(s.x*s.y, s.z)", "s.x = plus(float64(s.x*s.y), s.z)"},
	{"s.x = math.Dim(s.x*s.y, s.z)", "s.x = math.Dim(float64(s.x*s.y), s.z)"},
	{"s.x = real(complex(s.x*s.y, 1)) + s.z", "s.x = real(complex(float64(s.x*s.y), 1)) + s.z"},
	{"v := vec{s.x, s.y}.scale(s.z)\n\ts.x = v.X + s.y", "v := vec{s.x, s.y}.scale(s.z)\n\ts.x = float64(v.X) + s.y"},
	{"func() {\n\t\tfloat64 := func(x, y float64) float64 { return x - y }\n\t\ts.x = s.x*s.y + float64(1, 2)\n\t}()", ""},
}

const floatHelpers = `
func lerp[T float32 | float64](a, b, t T) T { return a + (b-a)*t }

func plus(x, y float64) float64 { return x + y }

func product(x, y float64) float64 { return x * y }

type vec struct{ X, Y float64 }

func (v vec) scale(k float64) vec { return vec{v.X * k, v.Y * k} }

func k() int { return 3 }

func at(s *State) *State { return s }

func (s *State) point() *float64 { return &s.x }

type wave complex128

func twice[C complex64 | complex128](z C) C { return z * z }
`

// floatProgram is a program with all terms, which prints the values of its floats after each.
func floatProgram() map[string]string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"math\"\n\n\t\"game/units\"\n)\n\ntype angle float64\n\ntype State struct {\n\tx, y, z float64\n\tf, g float32\n\ta, b angle\n\tc, d complex128\n\te complex64\n\tw wave\n\tt units.Metre\n\tn int\n}\n")
	b.WriteString(floatHelpers)
	var calls strings.Builder
	for i, term := range floatTerms {
		fmt.Fprintf(&b, "\n//tickback:deterministic\nfunc step%d(s *State, m map[int]float64, list []float64) {\n\t%s\n}\n", i, term.before)
		fmt.Fprintf(&calls, "\tstep%d(&s, m, list)\n\tshow(&s, m, list)\n", i)
	}
	fmt.Fprintf(&b, `
func main() {
	s, m, list := State{x: 0.1, y: 0.7, z: 0.3, f: 0.1, g: 0.7, a: 0.3, b: 0.9, t: 0.1, c: complex(0.3, 0.7), d: complex(0.9, -0.1), e: complex(0.3, 0.7), w: complex(0.1, 0.9)}, map[int]float64{0: 0.1, 1: 0.7}, []float64{0.3, 0.9}
%s}

func show(s *State, m map[int]float64, list []float64) {
	println(math.Float64bits(s.x), math.Float32bits(s.f), math.Float64bits(float64(s.a)), math.Float64bits(float64(s.t)),
		math.Float64bits(m[0]), math.Float64bits(m[1]), math.Float64bits(list[0]), math.Float64bits(list[1]), math.Float64bits(real(s.c)), math.Float64bits(imag(s.c)),
		math.Float32bits(real(s.e)), math.Float32bits(imag(s.e)), math.Float64bits(real(s.w)), math.Float64bits(imag(s.w)))
	s.x, s.y, s.n = s.x/8+0.2, s.y+0.01, s.n+1
}
`, calls.String())
	return map[string]string{"main.go": b.String(), "units/units.go": "// Package units has a type.\npackage units\n\n// Metre is a length.\ntype Metre float64\n"}
}

// Rule: -fix rounds each product that may be fused where it is computed, or else where it is added, by a conversion to the type
// that it has. The result is formatted, has no such finding, is not changed by a second run, computes the same on amd64, and has no
// fused instruction on arm64.
func TestFusedProductsAreRoundedAndNothingElseChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a program some times")
	}
	dir, env := standsAlone(t, floatProgram())
	run := func() string {
		t.Helper()
		cmd := exec.Command("go", "run", ".")
		cmd.Dir, cmd.Env = dir, append(env, "GOARCH=amd64", "GOAMD64=v1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	before := run()
	shadowed := fmt.Sprint("main.step", len(floatTerms)-1)
	once := ""
	for range 2 {
		done, err := detlint.Fix(detlint.Options{Dir: dir, Patterns: []string{"./..."}, Env: env}, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range done.Left.Findings {
			if f.Chain[0].Func != shadowed { // where float64 is no type
				t.Errorf("left is %s %s", f.Position, f.Text())
			}
		}
		if len(done.Refused) > 0 {
			t.Errorf("refused are %v", done.Refused)
		}
		b, err := os.ReadFile(filepath.Join(dir, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		if once != "" && string(b) != once {
			t.Errorf("the second time makes\n%s", b)
		}
		once = string(b)
	}
	shown := once
	for i, term := range floatTerms {
		want := term.after
		if want == "" {
			want = term.before
		}
		if want = fmt.Sprintf("func step%d(s *State, m map[int]float64, list []float64) {\n\t%s\n}\n", i, want); !strings.Contains(once, want) {
			t.Errorf("%s\tis not in\n%s", want, shown)
			shown = "the same"
		}
	}
	if !strings.Contains(once, "{ return a + T((b-a)*t) }") {
		t.Error("the generic function is not mended")
	}
	if after := run(); after != before {
		t.Errorf("it comes to\n%s\nand came to\n%s", after, before)
	}
	cmd := exec.Command("go", "build", "-o", os.DevNull, "-gcflags=-S", ".")
	cmd.Dir, cmd.Env = dir, append(env, "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	within, fused := "", map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if name, _, starts := strings.Cut(line, " STEXT "); starts {
			within = name
		} else if fusing.MatchString(line) {
			fused[within] = true
		}
	}
	for _, name := range []string{shadowed, shadowed + ".func1", "main.main", "main.show"} {
		delete(fused, name) // float64 is not a type there; and its callers, and what is not examined
	}
	if len(fused) > 0 || within == "" {
		t.Errorf("fused are, for arm64, instructions of %v", fused)
	}
}

const leftSides = `package main

type State struct {
	x, y float64
	c    complex128
	e    complex64
}

func at(s *State) *State { return s }

func all(s *State) map[int]complex128 { return map[int]complex128{0: s.c} }

func turned(c complex128) complex128 { return complex(imag(c), real(c)) }

//tickback:deterministic
func step(s *State) {
	at(s).c *= turned(s.c)
	if at(s).e *= s.e; s.x > 0 {
		s.x = s.y
	}
	at(s).c *= /* by itself */ s.c
	all(s)[0] *= s.c
}

func main() { step(new(State)) }
`

// Rule: where the left side of x *= y calls a function, and -fix cannot make it be called just once, it changes nothing, and the
// finding says what to do.
func TestLeftSidesThatStaySayWhy(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a program some times")
	}
	dir, env := standsAlone(t, map[string]string{"main.go": leftSides})
	done, err := detlint.Fix(detlint.Options{Dir: dir, Patterns: []string{"./..."}, Env: env}, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(done.Mended) > 0 || len(done.Refused) > 0 {
		t.Errorf("mended is %v, and refused %v", done.Mended, done.Refused)
	}
	var how []string
	for _, f := range done.Left.Findings {
		if _, place, ok := strings.Cut(f.Fix, "p := &x, and round there: "); ok {
			round, _, _ := strings.Cut(place, " (-fix does so")
			how = append(how, round)
		} else {
			t.Errorf("%s says %s", f.Position, f.Fix)
		}
	}
	const product = "*p = portable.MulComplex(*p, y)"
	if want := []string{product, "*p = math32.MulComplex(*p, y)", product, product}; !slices.Equal(how, want) {
		t.Errorf("they say %q", how)
	}
}

// fusing are the instructions of arm64 that round once where Go would otherwise round twice.
var fusing = regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)

const unportable = `package main

import (
	"fmt"
	"math"
	m "math"

	"game/units"
)

type State struct {
	x, y, z float64
	f       float32
	n       int32
	u       uint8
	wide    int64
	big     uint64
	t       units.Metre
}

//tickback:deterministic
func step(s *State) {
	s.x = math.Sin(s.y) + m.Exp(s.z) // both of them
	s.f = float32(math.Pow(float64(s.f), 1.5))
	curve := math.Tanh
	s.y = curve(s.y)
	s.z = math.Gamma(s.z)
	s.n = int32(s.x * 100)
	s.u = uint8(s.f)
	s.wide = int64(s.t)
	s.big = uint64(s.y * 3)
	s.f = float32(s.wide)
	s.t = units.Metre(float32(s.big))
	s.wide ^= int64(math.Float64bits(s.x-s.y)) + int64(math.Float32bits(s.f))
	if math.Signbit(s.x) {
		s.n++
	}
}

func other(portable float64) float64 { return math.Log(portable) }

//tickback:deterministic
func named(s *State) { s.x = other(s.x) }

func main() {
	s := State{x: 0.1, y: 0.7, z: 1.3, f: 0.5, t: 12}
	step(&s)
	named(&s)
	fmt.Println(s.n, s.u, s.wide>>60, s.big, s.f, s.t)
}
`

// Rule: -fix=all replaces functions of package math, and conversions that may not fit, with functions of package portable; it adds
// the imports that this needs and removes those no longer used. What portable does not have stays, and so does a call where another
// name is in the way. Plain -fix does none of this: it only converts integers to the float32 that they become on amd64.
func TestPortableFunctionsAreCalledInstead(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a program some times")
	}
	const single = "package main\n\nimport \"math\"\n\n//tickback:deterministic\nfunc single(s *State) { s.x = math.Cos(s.y) }\n"
	dir, env := standsAlone(t, map[string]string{"main.go": unportable, "single.go": single, "units/units.go": floatProgram()["units/units.go"]})
	mended := func(all bool) string {
		t.Helper()
		done, err := detlint.Fix(detlint.Options{Dir: dir, Patterns: []string{"./..."}, Env: env}, all)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range done.Refused {
			t.Errorf("refused is %s: %v", f.Text(), f.Edits)
		}
		b, err := os.ReadFile(filepath.Join(dir, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	few := mended(false)
	want := strings.Replace(unportable, "s.f = float32(s.wide)", "s.f = math32.FromInt64(s.wide)", 1)
	want = strings.Replace(want, "units.Metre(float32(s.big))", "units.Metre(math32.FromUint64(s.big))", 1)
	want = strings.Replace(want, "\t\"game/units\"\n", "\t\"game/units\"\n\n\t\"github.com/tickback/tickback/portable/math32\"\n", 1)
	if few != want {
		t.Errorf("-fix makes\n%s", few)
	}
	all := mended(true)
	for _, line := range []string{
		"s.x = portable.Sin(s.y) + portable.Exp(s.z) // both of them", "s.f = float32(portable.Pow(float64(s.f), 1.5))", "curve := portable.Tanh",
		"s.z = math.Gamma(s.z)", "s.n = portable.Int32(s.x * 100)", "s.u = uint8(portable.Int32(float64(s.f)))",
		"s.wide = portable.Int64(float64(s.t))", "s.big = portable.Uint64(s.y * 3)", "int64(portable.Float64bits(s.x-s.y)) + int64(math32.Float32bits(s.f))",
		"if portable.Signbit(s.x) {", "return math.Log(portable)", "\t\"math\"\n", "\"github.com/tickback/tickback/portable\"\n",
	} {
		if !strings.Contains(all, line) {
			t.Errorf("%s is not in what -fix=all makes:\n%s", line, all)
		}
	}
	if strings.Contains(all, "m \"math\"") {
		t.Errorf("an import that is not used is left:\n%s", all)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "single.go")); err != nil ||
		string(b) != strings.NewReplacer(`"math"`, `"github.com/tickback/tickback/portable"`, "math.Cos", "portable.Cos").Replace(single) {
		t.Errorf("a file with one import becomes\n%s", b)
	}
	if again := mended(true); again != all {
		t.Errorf("the second time makes\n%s", again)
	}
	cmd := exec.Command("go", "vet", ".")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
