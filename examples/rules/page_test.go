package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// read returns what the files have, one after the other.
func read(t *testing.T, files ...string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range files {
		content, err := os.ReadFile(name)
		must(t, err)
		all.Write(content)
	}
	return all.String()
}

func page(t *testing.T) string { return read(t, "../../docs/rules-of-determinism.md") }

// sources is all code here.
func sources(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	must(t, err)
	return read(t, files...)
}

// Rule: every block of code of the page stands in a compiled file, as a whole and unchanged.
func TestThePageShowsCompiledCode(t *testing.T) {
	code := sources(t)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(page(t), -1)
	if len(blocks) < len(rules) {
		t.Errorf("only %d blocks", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(code, "\n"+b[1]) {
			t.Errorf("this is not compiled as it stands:\n%s", b[1])
		}
	}
}

// Rule: each duty has a row that says who notices, and a section with both forms.
func TestThePageSaysWhoNotices(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\| \[([^\]]+)\]\(#([^)]+)\) \|[^|]+\| ([^|]+) \|$`).FindAllStringSubmatch(page(t), -1)
	if len(rows) != len(rules) {
		t.Fatalf("%d rows for %d duties", len(rows), len(rules))
	}
	for i, r := range rules {
		name, anchor, noticed := rows[i][1], rows[i][2], rows[i][3]
		if name != r.name || anchor != strings.ReplaceAll(strings.ToLower(r.name), " ", "-") || noticed != r.noticed {
			t.Errorf("the row says %q, %q, %q; the duty is %q, noticed by %s", name, anchor, noticed, r.name, r.noticed)
		}
		_, section, _ := strings.Cut(page(t), "\n### "+r.name+"\n")
		section, _, _ = strings.Cut(section, "\n### ")
		for _, part := range []string{"// WRONG: ", "// RIGHT: ", "\n**Why**: ", "\n**Noticed**: "} {
			if !strings.Contains(section, part) {
				t.Errorf("%s has no %q", r.name, part)
			}
		}
	}
}
