package detlint_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// Rule: every rule can be explained, and what is not a rule is wrong usage.
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
	for _, args := range [][]string{{"explain", "nothing"}, {"explain"}, {"-floats", "few"}, {"-nonsense"}} {
		if code := detlint.Main(args, &list, &errs); code != 2 {
			t.Errorf("%v: %d, want 2", args, code)
		}
	}
}
