package strict_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// module makes a module of these files that requires Tickback, and works in it from now on.
func module(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums := read(t, filepath.Join(root, "go.sum"))
	const path = "github.com/tickback/tickback"
	_, needs, _ := strings.Cut(string(read(t, filepath.Join(root, "go.mod"))), "\nrequire")
	all := map[string]string{
		"go.sum": string(sums),
		"go.mod": "module drawn\n\ngo 1.26.0\n\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n\nrequire" + needs,
	}
	for name, text := range files {
		all[name] = all[name] + text
	}
	dir = filepath.Join(t.TempDir(), "a game's folder")
	for name, text := range all {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	return dir
}

// strictly runs the go command with --strict.
func strictly(t *testing.T, code int, words ...string) (output string) {
	t.Helper()
	stdout, stderr, got := clitest.Run(t, nil, append([]string{words[0], "--strict"}, words[1:]...)...)
	if got != code {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", words, got, code, stdout, stderr)
	}
	return stdout + stderr
}

// Rule: conversions are changed in packages of any language version, and wherever they are; line numbers and file names stay as they
// are, and so do tests, coverage and compiler errors.
func TestSourcesAreChangedWhereConversionsAre(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := module(t, map[string]string{
		"go.mod": "\nrequire old v0.0.0\n\nreplace old => ./old\n",
		"main.go": `package main

import (
	"fmt"
	"math"

	_ "github.com/tickback/tickback/portable/strict"
	"old"
)

type count int32

func main() {
	fmt.Println(values(math.NaN(), 1e10), old.Values(math.NaN(), 1e10))
	defer func() { recover(); panic("here") }() // line 15
}

func values(nan, large float64) []any {
	float64 := func(x int) int { return x } // a name of one's own
	_ = float64
	sizes := map[string]int16{"x": 1}
	sizes["x"] += int16(large)
	var many [3]int
	many[int8(nan)] = 1
	return []any{count(large), uint8(nan), int32(float32(large)) / 2, uint64(-large), sizes, many, int64(int32(large) + int32(1e5*(nan-nan))), math.Copysign(3, -nan), into[uint32](large)}
}

func into[T ~uint32 | ~float32, F ~float64 | ~int](x F) T { return T(x) }
`,
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestValues(t *testing.T) {\n\tif v := values(1, 2); v[0] != count(2) {\n\t\tt.Error(v)\n\t}\n}\n",
		"old/go.mod":   "module old\n\ngo 1.12\n",
		"old/old.go":   "//go:build go1.9\n\npackage old\n\nvar unsafe, len int\n\nfunc Values(nan, large float64) [3]int64 { return [3]int64{int64(nan), int64(int32(-large)), int64(uint16(large))} }\n",
		"bad/bad.go":   "package bad\n\nvar x int8 = int8(y)\n",
		"own/own.go":   "package own\n\ntype uint64 struct{}\n\nfunc Cell(x float64) int { return int(x) }\n",
	})
	program := filepath.Join(dir, "program")
	strictly(t, 0, "build", "-trimpath", "-o", program, ".")
	out, err := exec.Command(program).CombinedOutput()
	const want = "[2147483647 0 1073741823 0 map[x:0] [1 0 0] 2147483647 3 4294967295] [0 -2147483648 65535]\n"
	if err == nil || !bytes.HasPrefix(out, []byte(want)) || !bytes.Contains(out, []byte("drawn/main.go:15")) {
		t.Errorf("%v\n%swant %s", err, out, want)
	}
	built := read(t, program)
	for _, ours := range []string{"strict0_", "go-build"} { // otherwise each build would give a different program
		if at := bytes.Index(built, []byte(ours)); at >= 0 {
			t.Errorf("the program names what only its build has: %q", built[max(at-40, 0):at+40])
		}
	}
	if out := strictly(t, 0, "test", "-cover", "."); !strings.Contains(out, "coverage: ") {
		t.Errorf("test -cover: %s", out)
	}
	if out := strictly(t, 1, "build", "./bad"); !strings.Contains(out, "bad/bad.go:3:19: undefined: y") {
		t.Errorf("what does not compile: %s", out)
	}
	if out := strictly(t, 1, "build", "./own"); !strings.Contains(out, "own.go:3:6: the package has its own uint64") || strings.Contains(out, "helpers") {
		t.Errorf("a type of the language that has another meaning: %s", out)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Rule: packages with C are built, and their Go code is changed as well.
func TestPackagesWithCAreBuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler here")
	}
	dir := module(t, map[string]string{
		"main.go": "package main\n\n// static double twice(double x) { return 2*x; }\nimport \"C\"\n\nimport (\n\t\"fmt\"\n\n\t_ \"github.com/tickback/tickback/portable/strict\"\n)\n\nfunc main() { fmt.Println(int16(C.twice(5e9)), int8(C.double(1e300)*C.twice(0.5))) }\n",
	})
	t.Setenv("CGO_ENABLED", "1")
	program := filepath.Join(dir, "program")
	strictly(t, 0, "build", "-o", program, ".")
	if out, err := exec.Command(program).CombinedOutput(); err != nil || string(out) != "-1 -1\n" {
		t.Errorf("%v, %q", err, out)
	}
}

// Rule: a program in which C code has made the processor treat denormal numbers as 0, as code built with -ffast-math does when it is
// loaded, or has changed the rounding mode, has no proof.
func TestProcessorsThatCHasChangedHaveNoProof(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no C compiler here, or another control register")
	}
	const program = "package main\n\n// #include <xmmintrin.h>\n// __attribute__((constructor)) static void loaded(void) { %s; }\nimport \"C\"\n\n" +
		"import (\n\t\"fmt\"\n\n\t\"github.com/tickback/tickback/portable/strict\"\n)\n\nfunc main() { fmt.Println(strict.Proof()) }\n"
	dir := module(t, nil)
	t.Setenv("CGO_ENABLED", "1")
	for _, c := range [][2]string{
		{"_mm_setcsr(_mm_getcsr() | 0x8000)", "takes the least numbers for 0"}, // those that come out
		{"_mm_setcsr(_mm_getcsr() | 0x0040)", "takes the least numbers for 0"}, // those that go in
		{"_mm_setcsr(_mm_getcsr() | 0x2000)", "does not round to the nearest"},
		{"_mm_setcsr(_mm_getcsr() | 0x4000)", "does not round to the nearest"},
		{"_mm_setcsr(_mm_getcsr() | 0x6000)", "does not round to the nearest"},
	} {
		if err := os.WriteFile("main.go", fmt.Appendf(nil, program, c[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		strictly(t, 0, "build", "-o", "program", ".")
		if out, err := exec.Command(filepath.Join(dir, "program")).CombinedOutput(); err != nil || !strings.Contains(string(out), c[1]) {
			t.Errorf("%s: %v, %q", c[0], err, out)
		}
	}
}

// Rule: the tool explains itself to people who call it directly, and passes on the output of the tools that it runs.
func TestTheToolIsForTheGoCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		code  int
		said  string
	}{
		{nil, 2, "for the go command"},
		{[]string{filepath.Join(t.TempDir(), "nowhere")}, 1, "nowhere"},
		{[]string{"go", "tool", "nonsense"}, 2, `no such tool "nonsense"`},
	} {
		cmd := exec.Command(self, append([]string{"toolexec"}, c.words...)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.said) {
			t.Errorf("%v: exit code %d, %s", c.words, cmd.ProcessState.ExitCode(), out)
		}
	}
}
