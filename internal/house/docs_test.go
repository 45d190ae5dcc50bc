package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages are all pages in Markdown, each with slashes.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	err := filepath.WalkDir("docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			list = append(list, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil || len(list) < 20 {
		t.Fatalf("%d pages, %v", len(list), err)
	}
	return list
}

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

// Every line of Go in the README and in the guides to sessions, from GGPO, to online play, to observing, to prediction, to servers and to worlds stands
// in a compiled example as well. (Blocks of "go ebitengine" need a library that is not there.)
func TestPagesShowCompiledCode(t *testing.T) {
	compiled := map[string]bool{}
	for _, source := range []string{"example_test.go", "example_session_test.go", "example_observe_test.go", "example_spectate_test.go", "example_replay_test.go", "example_membership_test.go", "example_served_test.go", "example_journal_test.go", "compat/ggpo/example_test.go", "compat/ggpo/ikemen/example_test.go", "examples/battle/main.go", "examples/online/main.go", "online/example_test.go", "online/metrics/example_test.go", "predict/example_test.go", "tickbacktest/example_prediction_test.go", "world/example_test.go"} {
		for line := range strings.Lines(readFile(t, source)) {
			compiled[statement(line)] = true
		}
	}
	for _, page := range []string{"README.md", "docs/sessions.md", "docs/ggpo.md", "docs/online.md", "docs/observability.md", "docs/predict.md", "docs/server.md", "docs/world.md"} {
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
	for _, page := range pages(t) {
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

// Every page stands in the index, so that a reader finds it.
func TestTheIndexHasEveryPage(t *testing.T) {
	index := readFile(t, "docs/README.md")
	for _, page := range pages(t) {
		below, inDocs := strings.CutPrefix(page, "docs/")
		if inDocs && below != "README.md" && !strings.Contains(index, "]("+below+")") {
			t.Errorf("docs/README.md does not name %s", below)
		}
	}
	if !strings.Contains(readFile(t, "README.md"), "](docs/README.md)") {
		t.Error("README.md does not name the index")
	}
}

// Comments, scripts and other pages name no page that is not there.
func TestPathsOfPagesExist(t *testing.T) {
	named := regexp.MustCompile(`\bdocs/[A-Za-z0-9/_-]+\.md\b`)
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "bin" || name == "node_modules" || name == ".git"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".md", ".sh", ".txt", ""}, filepath.Ext(name)):
			return nil
		}
		for _, page := range named.FindAllString(readFile(t, path), -1) {
			seen++
			if _, err := os.Stat(page); err != nil {
				t.Errorf("%s names %s: %v", path, page, err)
			}
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d names of pages, %v", seen, err)
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

// Each test that a page of reference, or one of guarantees, names is there.
func TestReferencesNameTestsThatExist(t *testing.T) {
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
	for page, least := range map[string]int{"docs/reference/trust.md": 20, "docs/rules-of-determinism.md": 20, "docs/reference/duel.md": 5} {
		tests := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(readFile(t, page), -1)
		if len(tests) < least {
			t.Errorf("%s names only %d tests", page, len(tests))
		}
		for _, m := range tests {
			if !declared[m[1]] {
				t.Errorf("%s names a test that is not there: %s", page, m[1])
			}
		}
	}
}

// Whoever pins the known answers of the duel stands on its page, in the list of what to write
// them into after a deliberate change.
func TestThePageOfTheDuelNamesWhereItsAnswersArePinned(t *testing.T) {
	_, list, _ := strings.Cut(readFile(t, "docs/reference/duel.md"), "### After a deliberate change")
	pinned := regexp.MustCompile("0x(41B73DB7|D72EE391)")
	seen := 0
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || path == "docs_test.go" || !pinned.MatchString(readFile(t, path)) {
			return err
		}
		if seen++; !strings.Contains(list, "](../../"+filepath.ToSlash(path)+")") {
			t.Errorf("%s pins an answer, and the page does not name it", path)
		}
		return nil
	})
	if err != nil || seen < 4 {
		t.Errorf("%d files, %v", seen, err)
	}
}
