package detlint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// breaches are examples of what a package examined as a whole must not have, each with the rule that finds it, and of
// code that looks similar but keeps the rules. The comment "//!" marks the line.
var breaches = []struct{ source, rule string }{
	{"type S struct{ X float64 } //!", "anyfloat"},
	{"type S struct{ X [4]float64 } //!", "anyfloat"},
	{"type S struct{ X []float32 } //!", "anyfloat"},
	{"type S struct{ X map[int32]float64 } //!", "anyfloat"},
	{"type S struct{ X *float64 } //!", "anyfloat"},
	{"type F float32; func f(a, b F) F { return a * b } //!", "anyfloat"},
	{"type S struct{ V V } //!\ntype V struct{ X, Y float64 } //!", "anyfloat"},
	{"func f[T ~float64](a, b, c T) T { return a*b + c } //!", "anyfloat"},
	{"type number interface{ ~int | ~float32 }\nfunc f[T number](a T) T { return a * a } //!", "anyfloat"},
	{"func f(a int64) int64 { return int64(float64(a) * 1.5) } //!", "anyfloat"},
	{"func f(a float64) bool { return math.Sqrt(a) > 1 } //!", "anyfloat"},
	{"func f(c complex128) {} //!", "anyfloat"},
	{"func f(x int64) float64 { return float64(x) } //!", "anyfloat"},
	{"func f() { go f() } //!", "concurrency"},
	{"func f() { select {} } //!", "concurrency"},
	{"func f(c chan int) {} //!", "concurrency"},
	{"type S struct{ done chan bool } //!", "concurrency"},
	{"func f(m map[int]int) (n int) { for k := range m { n = k }; return n } //!", "maporder"},
	{"type M map[int]int; func f(m M) (n int) { for k := range m { n = n*3 + k }; return n } //!", "maporder"},
	{"func f[M ~map[int]int](m M) (n int) { for k := range m { n = k }; return n } //!", "maporder"},
	{"func f(m map[int]int) (n int) { for k := range maps.Keys(m) { n = k }; return n } //!", "maporder"},
	{"func f(m map[int]int) (n int) { for _, k := range reflect.ValueOf(m).MapKeys() { n += int(k.Int()) }; return n } //!", "maporder"},
	{"func f() int64 { return time.Now().Unix() } //!", "clock"},
	{"var start = time.Now() //!", "clock"},
	{"func init() { println(time.Now().Unix()) } //!", "clock"},
	{"func f() { time.AfterFunc(1, nil) } //!", "clock"},
	{"func f() int { return rand.IntN(6) } //!", "random"},
	{"func f() int { return os.Getpid() } //!", "environment"},
	{"func f() string { return net.JoinHostPort(os.Args[0], \"\") } //!", "environment"},
	{"var n int; func f() { n++ } //!", "globals"},
	{"var n int; func f() { n = 3 } //!", "globals"},
	{"var n [3]int; func f() { n[1] += 2 } //!", "globals"},
	{"var n struct{ a int }; func f() { n.a-- } //!", "globals"},
	{"//tickback:drawing\nfunc f(x int64) float64 { return float64(x) }\nfunc step() bool { return f(1) > 0 } //!", "anyfloat"},
	{"//tickback:drawing\nfunc f(x int64) int64 { return int64(float64(x) * 1.1) } //!", "anyfloat"},
	{"//tickback:drawing\nfunc f(x int64) (float64, int64) { return float64(x), x } //!", "anyfloat"},
	{"//tickback:drawing\nfunc f(x *int64) { *x = int64(float64(*x) * 1.1) } //!", "anyfloat"},

	{"func f(d time.Duration) int { return rand.New(rand.NewPCG(1, uint64(d))).IntN(6) }", ""},
	{"func f(d time.Duration) string { return d.Round(time.Second).String() }", ""},
	{"//tickback:drawing\nfunc f(x int64) float64 { return float64(x) }", ""},
	{"const half = 0.5; func f(m map[int]int) int64 { for range 3 { m[1]++ }; return half * 4 }", ""},
	{"func f() int64 { return math.MaxInt64 }", ""},
	{"var table = [3]int{1, 2, 3}; func f(i int) int { t := table[i]; t++; return t }", ""},
	{"type list struct{ next *list; v []int }; func f(l *list) { for range l.v { l = l.next } }", ""},
	{"func f[T ~int64 | ~int32](s []T) T { return slices.Max(s) }", ""},
	{"func f(m map[int]int) (n int) { for _, v := range m { n += v }; return n }", ""},
}

// Rule: in a package examined as a whole, without floats, every breach is found on its line, whether or not anything
// calls the function; code that keeps the rules passes.
func TestEveryBreachInAWholePackageIsFound(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module breaches\n\ngo 1.26.0\n")
	for i, b := range breaches {
		head := "package p; "
		for _, path := range []string{"time", "math/rand/v2", "math", "maps", "reflect", "net", "os", "slices"} {
			if strings.Contains(b.source, filepath.Base(strings.TrimSuffix(path, "/v2"))+".") {
				head += fmt.Sprintf("import %q; ", path)
			}
		}
		write(fmt.Sprintf("p%d/p.go", i), head+"\n"+b.source+"\n")
	}
	write("elsewhere/p.go", "package p\n")
	write("elsewhere/p_plan9.go", "package p\n")
	write("elsewhere/p.s", "\n")

	r, err := detlint.Run(detlint.Options{
		Dir: dir, Patterns: []string{"./..."}, Roots: []string{"breaches/..."}, NoFloats: true,
		Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CGO_ENABLED=0"),
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range r.Findings {
		at, _ := filepath.Rel(dir, f.Position.Filename)
		at = fmt.Sprintf("%s:%d", filepath.ToSlash(at), f.Position.Line)
		found[at] += " " + f.Rule
	}
	for i, b := range breaches {
		for n, line := range strings.Split(b.source, "\n") {
			at := fmt.Sprintf("p%d/p.go:%d", i, n+2)
			switch wanted := strings.HasSuffix(line, "//!"); {
			case wanted && !strings.Contains(found[at]+" ", " "+b.rule+" "):
				t.Errorf("%s\nfound%s, want %s", line, found[at], b.rule)
			case !wanted && found[at] != "" && (b.rule == "" || found[at] != strings.Repeat(" "+b.rule, strings.Count(found[at], " "))):
				t.Errorf("%s\nfound%s, want nothing", line, found[at])
			}
		}
	}
	for _, at := range []string{"elsewhere/p_plan9.go:1", "elsewhere/p.s:1"} {
		if found[at] != " foreign" {
			t.Errorf("%s: found%s, want foreign", at, found[at])
		}
	}
}
