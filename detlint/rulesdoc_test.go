package detlint_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
	"github.com/tickback/tickback/detlint/internal/programs"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
)

var rewrite = flag.Bool("rewrite", false, "write the copy of the page of rules")

const (
	thePage       = "internal/rules/rules.md"
	copyOfThePage = "../docs/reference/detlint-rules.md"
)

// Rule: for each rule, the page says which shapes of code are covered, taken from the programs and the corpus that
// measure it, and by which kinds of call they are reached; the page in the documentation is a copy.
func TestThePageOfRulesSaysWhatIsCovered(t *testing.T) {
	b, err := os.ReadFile(thePage)
	if err != nil {
		t.Fatal(err)
	}
	page := covered(t, string(b))
	if *rewrite {
		for _, name := range []string{thePage, copyOfThePage} {
			if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{thePage, copyOfThePage} {
		if b, err := os.ReadFile(name); err != nil || string(b) != page {
			t.Errorf("%s is out of date (%v): run this test with -rewrite", name, err)
		}
	}
}

// coveredStart begins the paragraph of a section that says which shapes are covered, and waysStart the paragraph of the
// page that says how they are reached. Both are generated.
const (
	coveredStart = "**Covered**: "
	waysStart    = "**The ways** "
)

// covered is a page with these paragraphs as they should be.
func covered(t *testing.T, page string) string {
	t.Helper()
	cases := map[string][]string{}
	for _, s := range readCorpus(t, "testdata").cases {
		for _, r := range s.rules {
			if name := "`" + s.name + "`"; !slices.Contains(cases[r], name) {
				cases[r] = append(cases[r], name)
			}
		}
	}
	cases[rules.Unproved] = nil // games as a whole, by their packages
	for name, verdict := range verdicts(t) {
		if verdict == report.ProvedBut {
			cases[rules.Unproved] = append(cases[rules.Unproved], "`"+name+"`")
		}
	}
	slices.Sort(cases[rules.Unproved])
	sections := strings.Split(page, "\n## ")
	for i, s := range sections {
		name, _, _ := strings.Cut(s, "\n")
		start, text := coveredStart, ""
		if i == 0 {
			start, text = waysStart, ways()
		} else {
			var list []string
			for _, shape := range programs.Covered(name) {
				if _, own, ok := strings.Cut(shape, ": "); ok {
					shape = own
				}
				if !slices.Contains(list, shape) {
					list = append(list, shape)
				}
			}
			list = append(list, cases[name]...)
			text = coveredStart + strings.Join(list, ", ") + "."
		}
		before, _, _ := strings.Cut(s, "\n"+start)
		sections[i] = strings.TrimRight(before, "\n") + "\n\n" + folded(text) + "\n"
	}
	return strings.Join(sections, "\n## ")
}

// ways is the text about how code is reached.
func ways() string {
	code, games := programs.Ways()
	return waysStart + "in which code is reached do not depend on the rule. The programs that measure the rules have these, in any order and up to " +
		"several in a row: " + strings.Join(code, ", ") + ". The game itself is made by: " + strings.Join(games, ", ") + ". A section ends with the shapes in " +
		"which its flaw is covered: those of the programs, and, as code, the names of the cases in detlint/testdata."
}

// folded breaks a paragraph into lines.
func folded(text string) string {
	var b strings.Builder
	length := 0
	for i, word := range strings.Fields(text) {
		switch n := len(word); {
		case i == 0:
			length = n
		case length+1+n > 110:
			b.WriteByte('\n')
			length = n
		default:
			b.WriteByte(' ')
			length += 1 + n
		}
		b.WriteString(word)
	}
	return b.String()
}

// blocks are the examples in a section: WRONG and RIGHT.
func blocks(section string) map[string]string {
	found := map[string]string{}
	for _, b := range regexp.MustCompile("(?s)```go\n// (WRONG|RIGHT): (.*?)```").FindAllStringSubmatch(section, -1) {
		found[b[1]] = "// " + b[1] + ": " + b[2]
	}
	return found
}

// Rule: for each rule, the page has a section, listed in its table of contents, with a reason and with wrong and right
// code.
func TestEachRuleHasASection(t *testing.T) {
	for _, r := range rules.All() {
		section := r.Section()
		b := blocks(section)
		if !strings.Contains(section, "\n**Why**: ") || b["WRONG"] == "" || b["RIGHT"] == "" {
			t.Errorf("%s has no reason, no WRONG or no RIGHT", r.Name)
		}
		if !strings.Contains(rules.Page, fmt.Sprintf("[%s](#%[1]s)", r.Name)) {
			t.Errorf("%s is not in the table of contents", r.Name)
		}
	}
	if n := strings.Count(rules.Page, "\n## "); n != len(rules.All()) {
		t.Errorf("%d sections, want %d", n, len(rules.All()))
	}
}

// imports are the packages that the examples use, by the names they use for them.
var imports = map[string]string{
	"bytes": "bytes", "cmp": "cmp", "fmt": "fmt", "log": "log", "maps": "maps", "math": "math", "os": "os", "reflect": "reflect", "runtime": "runtime", "slices": "slices",
	"strings": "strings", "sync": "sync", "time": "time", "rand": "math/rand", "maphash": "hash/maphash", "binary": "encoding/binary", "gob": "encoding/gob",
	"format": "go/format", "tickback": "github.com/tickback/tickback", "canon": "github.com/tickback/tickback/canon", "fixed": "github.com/tickback/tickback/fixed",
	"portable": "github.com/tickback/tickback/portable", "math32": "github.com/tickback/tickback/portable/math32", "rng": "github.com/tickback/tickback/rng", "rollback": "github.com/tickback/tickback/rollback",
}

var (
	used      = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)
	stepStart = regexp.MustCompile(`(?m)^func step\(`)
	noBody    = regexp.MustCompile(`(?m)^func \w+\([^)]*\) \w+$`)
)

// example writes a package of the page's types and a block, and returns the line where the block begins.
func example(t *testing.T, dir, block string) {
	t.Helper()
	_, types, _ := strings.Cut(rules.Page, "```go\n")
	types, _, _ = strings.Cut(types, "```")
	body := types + "\n" + stepStart.ReplaceAllString(block, "//tickback:deterministic\nfunc step(")
	var code strings.Builder
	code.WriteString("package example\n\nimport (\n")
	list := map[string]bool{}
	for _, m := range used.FindAllStringSubmatch(body, -1) {
		if path := imports[m[1]]; path != "" {
			list[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&code, "\t%q\n", path)
	}
	code.WriteString(")\n\n" + body)
	write(t, filepath.Join(dir, "example.go"), code.String())
	if noBody.MatchString(block) {
		write(t, filepath.Join(dir, "empty.s"), "// It lets functions have no body.\n")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// module makes a module that uses this copy of tickback.
func module(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	write(t, filepath.Join(dir, "go.mod"), "module example\n\ngo 1.26.0\n\nrequire github.com/tickback/tickback v0.0.0\n\nreplace github.com/tickback/tickback => "+root+"\n")
	return dir
}

// Rule: of the code on the page, everything marked WRONG is found by its rule, and nothing is found in what is marked
// RIGHT.
func TestThePageOfRulesIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 100 packages")
	}
	dir := module(t)
	for _, r := range rules.All() {
		for kind, b := range blocks(r.Section()) {
			example(t, filepath.Join(dir, strings.ToLower(kind), r.Name), b)
		}
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	found := map[string][]string{} // by kind and rule
	run := func(noFloats bool, patterns ...string) {
		r, err := detlint.Run(detlint.Options{Dir: dir, Patterns: patterns, Env: env, NoFloats: noFloats})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(r.Findings, r.Unproved...) {
			at, err := filepath.Rel(dir, filepath.Dir(f.Position.Filename))
			if err != nil {
				t.Fatal(err)
			}
			at = filepath.ToSlash(at)
			found[at] = append(found[at], f.Rule)
		}
	}
	run(false, "./...")
	run(true, "./wrong/anyfloat", "./right/anyfloat")
	for _, r := range rules.All() {
		if got := found["wrong/"+r.Name]; !slices.Contains(got, r.Name) {
			t.Errorf("what is WRONG about %s is found by %v", r.Name, got)
		}
		if got := found["right/"+r.Name]; len(got) > 0 {
			t.Errorf("what is RIGHT about %s is found by %v", r.Name, got)
		}
	}
}
