package detlint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// products are expressions of the fixed.Num variables x, y and z and the int64 n, with what is meant by them, in
// floats.
var products = []struct{ code, meant string }{
	{"x * y", "x * y"},
	{"x * y / 2", "x * y / 2"},
	{"x * y * 2", "x * y * 2"},
	{"2 * x * y", "2 * x * y"},
	{"x / y", "x / y"},
	{"x / y / 2", "x / y / 2"},
	{"x * y * z / 4", "x * y * z / 4"},
	{"x * (y * z)", "x * (y * z)"},
	{"(x * y) / z", "(x * y) / z"},
	{"(x + y) * z", "(x + y) * z"},
	{"-x * y", "-x * y"},
	{"x*y + y*z", "x*y + y*z"},
	{"x * y / fixed.Num(n)", "x * y / n"},
	{"x * /* speed */ y", "x * y"},
}

// Rule: -fix=all turns products and quotients of fixed.Num into what is meant by them, and changes nothing else; comments
// stay, and a second run changes nothing.
func TestMendedProductsComeToWhatIsMeant(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a program some times")
	}
	var source, meant strings.Builder
	source.WriteString("package game\n\nimport \"github.com/tickback/tickback/fixed\"\n\ntype State struct { x, y, z fixed.Num; n int64; out [100]fixed.Num }\n\n//tickback:deterministic\nfunc Step(s *State) {\n\tx, y, z, n := s.x, s.y, s.z, s.n\n\t_ = n\n")
	for i, p := range products {
		fmt.Fprintf(&source, "\ts.out[%d] = %s\n", i, p.code)
		fmt.Fprintf(&meant, "\t\t%s,\n", p.meant)
	}
	source.WriteString("\ts.out[50] = x\n\ts.out[50] *= y * z\n\ts.out[51] = x\n\ts.out[51] /= y\n}\n")
	check := fmt.Sprintf(`package game

import (
	"math"
	"testing"

	"github.com/tickback/tickback/fixed"
)

func TestValues(t *testing.T) {
	x, y, z, n := 7.5, 2.0, 1.5, 3.0
	_ = n
	want := []float64{
%s	}
	s := State{x: fixed.Num(x * 65536), y: fixed.Num(y * 65536), z: fixed.Num(z * 65536), n: 3}
	Step(&s)
	list := append(s.out[:len(want):len(want)], s.out[50], s.out[51])
	want = append(want, x*y*z, x/y)
	for i, v := range list {
		if got := float64(v) / 65536; math.Abs(got-want[i]) > 0.001 {
			t.Errorf("%%d: %%v, want %%v", i, got, want[i])
		}
	}
}
`, meant.String())
	dir, env := standsAlone(t, map[string]string{"game.go": source.String(), "game_test.go": check})
	test := func() string {
		cmd := exec.Command("go", "test", "./...")
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err == nil {
			return ""
		}
		return string(out)
	}
	if test() == "" {
		t.Fatal("the products are right as they stand")
	}
	for range 2 {
		if _, err := detlint.Fix(detlint.Options{Dir: dir, Env: env}, true); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "game.go"))
		if err != nil {
			t.Fatal(err)
		}
		if out := test(); out != "" || !strings.Contains(string(text), "/* speed */") {
			t.Fatalf("%s\n%s", out, text)
		}
	}
}
