package detlint_test

import (
	"fmt"
	"go/format"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// term is an expression of the fixed.Num variables x, y and z and plain counts, written by somebody who forgets that * and
// / are not meant for Num, together with the value that was intended.
type term struct {
	code  string
	value float64
	wrong bool // an operator stands between two Nums
	prec  int  // 1 for a sum, 2 for a product, 3 for everything else
	rough bool // an intermediate Num is so small or so large that its 16 bits spoil the value
}

// numbers are the values of x, y and z.
var numbers = map[string]float64{"x": 7.5, "y": 2, "z": 1.5}

// draw draws a term whose result is a Num.
func draw(r *rand.Rand, depth int) term {
	if depth == 0 {
		name := []string{"x", "y", "z"}[r.IntN(3)]
		return term{name, numbers[name], false, 3, false}
	}
	a := draw(r, r.IntN(depth))
	switch r.IntN(8) {
	case 0: // a count
		n := 2 + r.IntN(3)
		if r.IntN(2) == 0 {
			return joined(term{fmt.Sprintf("%s * %d", within(a, 2), n), a.value * float64(n), a.wrong, 2, a.rough})
		}
		return joined(term{fmt.Sprintf("%s / %d", within(a, 2), n), a.value / float64(n), a.wrong, 2, a.rough})
	case 1:
		n := 2 + r.IntN(3)
		return joined(term{fmt.Sprintf("%d * %s", n, within(a, 3)), a.value * float64(n), a.wrong, 2, a.rough})
	case 2:
		b := draw(r, r.IntN(depth))
		sum := a.value + b.value
		cancels := math.Abs(sum) < max(math.Abs(a.value), math.Abs(b.value))/4
		return joined(term{within(a, 1) + " + " + within(b, 2), sum, a.wrong || b.wrong, 1, a.rough || b.rough || cancels})
	case 3:
		return term{"-" + within(a, 3), -a.value, a.wrong, 3, a.rough}
	case 4, 5:
		b := draw(r, r.IntN(depth))
		return joined(term{within(a, 2) + " / " + within(b, 3), a.value / b.value, true, 2, a.rough || b.rough})
	default:
		b := draw(r, r.IntN(depth))
		return joined(term{within(a, 2) + " * " + within(b, 3), a.value * b.value, true, 2, a.rough || b.rough})
	}
}

// joined marks a term as rough if its own value is too small or too large.
func joined(t term) term {
	t.rough = t.rough || math.Abs(t.value) > 2000 || math.Abs(t.value) < 0.05
	return t
}

// within puts parentheses around a term that binds more loosely than its place needs.
func within(t term, prec int) string {
	if t.prec < prec || strings.HasPrefix(t.code, "-") && prec == 3 {
		return "(" + t.code + ")"
	}
	return t.code
}

// spots are the places where a term can stand; # is its number.
var spots = []string{
	"\ts.out[#] = %s /* # */\n",
	"\ts.out[#] = identity(%s) /* # */\n",
	"\tif v := %s; true /* # */ {\n\t\ts.out[#] = v\n\t}\n",
	"\ts.out[#] = pair{%s, 1}.a /* # */\n",
	"\ts.out[#] = func() fixed.Num { return %s /* # */ }()\n",
	"\ts.out[#] = fixed.One\n\ts.out[#] *= %s /* # */\n",
}

// raw matches an operator between two Nums, with or without counts in between. -fix leaves it where a ratio makes a count
// of one of them: x / (y / z) is a Num.
var raw = regexp.MustCompile(`[xyz)]( ?[*/] ?\d+)* ?[*/] ?\(*-?[xyz(]`)

// mendable is how many terms are mended.
const mendable = 500

// Rule: all of the five hundred expressions that -fix=all mends compile, and have the intended value; what it leaves alone
// is unchanged; comments stay; and a second run changes nothing.
func TestFiveHundredMendedExpressionsComeToWhatIsMeant(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a large program some times")
	}
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("TICKBACK_SEED"), 10, 64); err == nil {
		seed = n // other expressions
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var body, calls strings.Builder
	var terms []term
	for len(terms) < mendable*3/2 {
		v := draw(r, 4)
		if !v.wrong || v.rough || strings.Count(v.code, "/") > 3 {
			continue
		}
		place := strings.ReplaceAll(spots[r.IntN(len(spots))], "#", fmt.Sprint(len(terms)))
		if len(terms)%20 == 0 {
			fmt.Fprintf(&body, "}\n\nfunc part%d(s *State) {\n\tx, y, z := s.x, s.y, s.z\n\t_, _, _ = x, y, z\n", len(terms)/20)
			fmt.Fprintf(&calls, "\tpart%d(s)\n", len(terms)/20)
		}
		fmt.Fprintf(&body, place, v.code)
		terms = append(terms, v)
	}
	source := fmt.Sprintf("package game\n\nimport \"github.com/tickback/tickback/fixed\"\n\ntype State struct {\n\tx, y, z fixed.Num\n\tout [%d]fixed.Num\n}\n\ntype pair struct{ a, b fixed.Num }\n\nfunc identity(n fixed.Num) fixed.Num { return n }\n\n//tickback:deterministic\nfunc Step(s *State) {\n%s%s}\n", len(terms), calls.String(), body.String())
	formatted, err := format.Source([]byte(source))
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	dir, env := standsAlone(t, map[string]string{"game.go": string(formatted)})
	name := filepath.Join(dir, "game.go")
	once := fixed(t, name, detlint.Options{Dir: dir, Env: env})
	if twice := fixed(t, name, detlint.Options{Dir: dir, Env: env}); twice != once {
		t.Errorf("seed %d: the second time makes something else", seed)
	}
	line := func(text string, i int) string {
		at := strings.Index(text, fmt.Sprintf("/* %d */", i))
		if at < 0 {
			t.Fatalf("seed %d: the comment of %s is lost", seed, terms[i].code)
		}
		return text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	}
	mended := 0
	var checks strings.Builder
	for i, v := range terms {
		if line(once, i) != line(string(formatted), i) && !strings.Contains(line(once, i), "*=") && !raw.MatchString(line(once, i)) {
			mended++
			fmt.Fprintf(&checks, "\t{%d, %v, %q},\n", i, v.value, v.code)
			continue
		}
		t.Logf("not mended: %s", line(once, i))
		if strings.Contains(line(once, i), "].Mul(") {
			once = strings.Replace(once, line(once, i), fmt.Sprintf("\ts.out[%d] = x ", i), 1)
			continue
		}
		left := line(once, i) // wrong code may divide by zero
		once = strings.Replace(once, left+fmt.Sprintf("/* %d */", i), strings.Replace(left, strings.TrimSpace(code(left)), "x", 1)+fmt.Sprintf("/* %d */", i), 1)
	}
	t.Logf("seed %d: %d of %d are mended", seed, mended, len(terms))
	if mended < mendable {
		t.Errorf("only %d are mended", mended)
	}
	if err := os.WriteFile(name, []byte(once), 0o600); err != nil {
		t.Fatal(err)
	}
	check := "package game\n\nimport (\n\t\"math\"\n\t\"testing\"\n)\n\nvar list = []struct {\n\ti int\n\twant float64\n\tcode string\n}{\n" + checks.String() + `}

func TestValues(t *testing.T) {
	s := State{x: 7.5 * 65536, y: 2 * 65536, z: 1.5 * 65536}
	Step(&s)
	for _, v := range list {
		if got := float64(s.out[v.i]) / 65536; math.Abs(got-v.want) > 0.01+math.Abs(v.want)/500 {
			t.Errorf("%s: %v, want %v", v.code, got, v.want)
		}
	}
}
`
	if err := os.WriteFile(filepath.Join(dir, "game_test.go"), []byte(check), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("seed %d: %s\n%s", seed, out, once)
	}
}

// fixed mends a program of one file and returns the file.
func fixed(t *testing.T, name string, o detlint.Options) string {
	t.Helper()
	done, err := detlint.Fix(o, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range done.Refused {
		t.Errorf("%s: the edits %v do not compile", f.Position, f.Edits)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// code is the term in a line: what follows the assignment, without what is around it.
func code(line string) string {
	for _, sep := range []string{"*= ", "return ", "identity(", "pair{", ":= ", "= "} {
		_, behind, ok := strings.Cut(line, sep)
		if !ok {
			continue
		}
		for _, end := range []string{", 1}.a", "; true"} {
			behind, _, _ = strings.Cut(behind, end)
		}
		if sep == "identity(" {
			behind = behind[:strings.LastIndexByte(behind, ')')]
		}
		return behind
	}
	return line
}
