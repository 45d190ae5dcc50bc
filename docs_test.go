package tickback_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var pages = []string{"README.md", "docs/first-game.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/engine.md", "docs/sessions.md", "docs/online.md", "docs/transports.md", "docs/membership.md", "docs/desync.md", "docs/observability.md", "docs/fleet.md", "docs/membership.md", "docs/WIRE.md", "docs/recordings.md", "docs/REPLAY.md", "docs/determinism.md", "docs/benchmarks.md", "docs/mutation.md", "docs/reference/trust.md"}

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

// Every line of Go in the README and in the guides to sessions, to online play and to observing stands in a compiled
// example as well. (Blocks of "go ebitengine" need a library that is not there.)
func TestPagesShowCompiledCode(t *testing.T) {
	compiled := map[string]bool{}
	for _, source := range []string{"example_test.go", "example_session_test.go", "example_observe_test.go", "example_spectate_test.go", "example_replay_test.go", "example_membership_test.go", "examples/online/main.go", "metrics/example_test.go", "online/example_test.go"} {
		for line := range strings.Lines(readFile(t, source)) {
			compiled[statement(line)] = true
		}
	}
	for _, page := range []string{"README.md", "docs/sessions.md", "docs/online.md", "docs/observability.md"} {
		blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readFile(t, page), -1)
		if len(blocks) < 2 {
			t.Fatalf("only %d blocks of Go in %s", len(blocks), page)
		}
		for _, block := range blocks {
			for line := range strings.Lines(block[1]) {
				if s := statement(line); s != "" && !compiled[s] {
					t.Errorf("%s shows what no example has: %s", page, s)
				}
			}
		}
	}
}

// A whole online match of two, with errors, events, pace and drawing, takes 27
// lines.
func TestTheOnlineGameIsShort(t *testing.T) {
	source := readFile(t, "examples/online/main.go")
	_, play, _ := strings.Cut(source, "\nfunc play(")
	play, _, found := strings.Cut(play, "\n}\n")
	if lines := strings.Count(play, "\n") + 2; !found || lines > 27 {
		t.Errorf("it has %d lines", lines)
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

// Each test that the page of promises names is there.
func TestPromisesNameTestsThatExist(t *testing.T) {
	declared := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(readFile(t, path), -1) {
				declared[m[1]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(readFile(t, "docs/reference/trust.md"), -1)
	if len(named) < 20 {
		t.Errorf("the page names only %d tests", len(named))
	}
	for _, m := range named {
		if !declared[m[1]] {
			t.Errorf("the page names a test that is not there: %s", m[1])
		}
	}
}
