package tickback_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var pages = []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/engine.md", "docs/determinism.md", "docs/benchmarks.md"}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// statement is a line of code without its comment and indentation.
func statement(line string) string {
	code, _, _ := strings.Cut(line, "//")
	return strings.TrimSpace(code)
}

// Every line of Go in the README stands in the compiled example as well.
func TestREADMEShowsCompiledCode(t *testing.T) {
	compiled := map[string]bool{}
	for line := range strings.Lines(readFile(t, "example_test.go")) {
		compiled[statement(line)] = true
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readFile(t, "README.md"), -1)
	if len(blocks) < 2 {
		t.Fatalf("only %d blocks of Go in the README", len(blocks))
	}
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			if s := statement(line); s != "" && !compiled[s] {
				t.Errorf("not in example_test.go: %s", s)
			}
		}
	}
}

// Links between the pages, and to the code, lead somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#"]+)[)#]`)
	seen := 0
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(readFile(t, page), -1) {
			if strings.HasPrefix(m[1], "https://") {
				continue
			}
			seen++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d links were found", seen)
	}
}

// The two commands of the README are targets of the Makefile.
func TestREADMECommandsExist(t *testing.T) {
	makefile := readFile(t, "Makefile")
	targets := regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)").FindAllStringSubmatch(readFile(t, "README.md")+readFile(t, "CONTRIBUTING.md"), -1)
	if len(targets) < 5 {
		t.Fatalf("only %d commands in the pages", len(targets))
	}
	for _, m := range targets {
		if !strings.Contains(makefile, "\n"+m[1]+":") {
			t.Errorf("the Makefile has no target %s", m[1])
		}
	}
}
