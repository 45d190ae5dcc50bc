package detlint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// Rule: every rule can be explained, and naming something that is not a rule is wrong usage.
func TestRulesAreExplained(t *testing.T) {
	var list, errs bytes.Buffer
	if code := detlint.Main([]string{"rules"}, &list, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	n := 0
	for line := range strings.Lines(list.String()) {
		n++
		var out bytes.Buffer
		if code := detlint.Main([]string{"explain", strings.Fields(line)[0]}, &out, &errs); code != 0 || !strings.Contains(out.String(), "Instead: ") {
			t.Errorf("%s: %d, %s", line, code, out.String())
		}
	}
	if n < 30 {
		t.Errorf("%d rules", n)
	}
	for _, args := range [][]string{{"-floats", "few"}, {"-nonsense"}} {
		if code := detlint.Main(args, &list, &errs); code != 2 {
			t.Errorf("%v: %d, want 2", args, code)
		}
	}
}

// Asking for an explanation without a rule, or with an unknown one, prints the names of the rules.
func TestRulesThatThereAreNot(t *testing.T) {
	for want, args := range map[string][]string{
		`the name of a rule, not "nothing"; there are: maporder, `:  {"explain", "nothing"},
		"the name of a rule, none was given; there are: maporder, ": {"explain"},
	} {
		var out, errs strings.Builder
		if code := detlint.Main(args, &out, &errs); code != 2 || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: %d, %s", args, code, errs.String())
		}
	}
}

// Rule: without arguments, all packages below the working directory are examined; examining nothing is not a success.
func TestPackagesThatNobodyNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/game\n\ngo 1.26\n")
	write("main.go", "package main\n\nfunc main() {}\n")
	t.Chdir(dir)
	run := func() (string, string, int) {
		var out, errs bytes.Buffer
		code := detlint.Main(nil, &out, &errs)
		return out.String(), errs.String(), code
	}
	if out, errs, code := run(); code != 2 || out != "" || !strings.Contains(errs, "nothing was examined") {
		t.Errorf("without a game: %d, %q, %q", code, out, errs)
	}
	write("rules/rules.go", "package rules\n\nimport \"time\"\n\n//tickback:deterministic\nfunc step() int64 { return time.Now().Unix() }\n")
	if out, errs, code := run(); code != 1 || !strings.Contains(out, "clock") {
		t.Errorf("with a game below: %d, %q, %q", code, out, errs)
	}
}
