//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const page = "../../docs/first-game.md"

// fence is a block of code on the page: its language, its file, its lines.
var fence = regexp.MustCompile("(?ms)^```(\\S*) ?(\\S*)\n(.*?)^```$")

// blocks returns the blocks that the page has for a file, in order.
func blocks(t *testing.T, file string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		if m[2] == file {
			list = append(list, m[3])
		}
	}
	if len(list) == 0 {
		t.Fatalf("the page has nothing of %s", file)
	}
	return list
}

var empty = regexp.MustCompile(`\n\n+`)

// tidy returns text without empty lines, which only the page has.
func tidy(text string) string { return strings.TrimSpace(empty.ReplaceAllString(text, "\n")) }

// source returns a file as the reader has it: in a separate module, without the differences that distinguish the steps
// here.
func source(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^//go:build.*\n`).ReplaceAllString(string(b), "")
	return tidy(strings.ReplaceAll(text, "github.com/tickback/tickback/play/tutorial/game", "potato/game"))
}

// difference returns the first lines in which two texts differ, "" if they are the same.
func difference(want, got string) string {
	if want == got {
		return ""
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "the source has\n\t" + w[i] + "\nand the page\n\t" + g[i]
		}
	}
	return "one of them is longer"
}

// The negative control of the test below.
func TestADifferenceIsFound(t *testing.T) {
	text := tidy("a\n\n\nb\nc\n")
	for other, want := range map[string]string{"a\nb\nc": "", "a\nB\nc": "B", "a\nb": "longer", "a\nb\nc\nd": "longer"} {
		if d := difference(text, other); (d == "") != (want == "") || !strings.Contains(d, want) {
			t.Errorf("%q and %q: %q", text, other, d)
		}
	}
}

// The blocks of the page, one after another, are the files that are compiled here, completely, line by line.
func TestThePageIsTheSource(t *testing.T) {
	steps := blocks(t, "main.go")
	for file, shown := range map[string][]string{
		"game/game.go": blocks(t, "game/game.go"), "game/game_test.go": blocks(t, "game/game_test.go"),
		"view.go": blocks(t, "view.go"), "alone.go": steps[:1], "main.go": steps[2:],
		"server/main.go": blocks(t, "server/main.go"),
		"web/index.html": blocks(t, "web/index.html"), "web/boot.js": blocks(t, "web/boot.js"),
	} {
		if d := difference(source(t, file), tidy(strings.Join(shown, "\n"))); d != "" {
			t.Errorf("%s: %s", file, d)
		}
	}
	alone, sofa := strings.Split(source(t, "alone.go"), "\n"), strings.Split(source(t, "sofa.go"), "\n")
	var changed []string
	for i, line := range sofa {
		if line != alone[i] {
			changed = append(changed, line)
		}
	}
	if got := tidy(steps[1]); got != strings.TrimSpace(strings.Join(changed, "\n")) {
		t.Errorf("what changes for two on one keyboard is\n%s\nand not\n%s", strings.Join(changed, "\n"), got)
	}
}

// Each step builds for a browser.
func TestEachStepBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("three programs take some seconds")
	}
	for _, tags := range []string{"alone", "sofa", ""} {
		build := exec.Command("go", "build", "-tags="+tags, "-o", filepath.Join(t.TempDir(), "game.wasm"), ".")
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%q: %v: %s", tags, err, out)
		}
	}
}

// The command line has every flag that the page uses.
func TestTheCommandsExist(t *testing.T) {
	if testing.Short() {
		t.Skip("the command line takes some seconds to build")
	}
	help := map[string]string{}
	for _, command := range []string{"play", "new"} {
		out, err := exec.Command("go", "run", "github.com/tickback/tickback/cmd/tickback", command, "--help").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		help[command] = string(out)
	}
	seen := 0
	for _, block := range blocks(t, "") {
		for _, line := range strings.Split(block, "\n") {
			_, args, found := strings.Cut(line, "tickback/bin/tickback ")
			if !found {
				continue
			}
			words := strings.Fields(args)
			for _, arg := range words {
				if help[words[0]] == "" || strings.HasPrefix(arg, "--") && !slices.Contains(strings.Fields(help[words[0]]), arg) {
					t.Errorf("%s: there is no %s", line, arg)
				}
				seen++
			}
		}
	}
	if seen < 9 {
		t.Errorf("only %d words of commands were found", seen)
	}
}

// The changes that the page suggests are noticed by the test that it names.
func TestBreakingItIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("a program takes some seconds to build")
	}
	i := slices.IndexFunc(blocks(t, ""), func(b string) bool { return strings.Contains(b, "rand.IntN") })
	if i < 0 {
		t.Fatal("the page breaks nothing")
	}
	rules, err := os.ReadFile("game/game.go")
	if err != nil {
		t.Fatal(err)
	}
	const before = "\tif s.Fuse--"
	broken := strings.Replace(string(rules), before, blocks(t, "")[i]+before, 1)
	broken = strings.Replace(broken, "import (\n", "import (\n\t\"math/rand/v2\"\n\n", 1)
	dir, here := t.TempDir(), must(t)(os.Getwd())
	file, overlay := filepath.Join(dir, "game.go"), filepath.Join(dir, "overlay.json")
	for path, text := range map[string]string{
		file: broken, overlay: `{"Replace": {"` + filepath.ToSlash(filepath.Join(here, "game", "game.go")) + `": "` + filepath.ToSlash(file) + `"}}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "test", "-overlay", overlay, "./game").CombinedOutput()
	for _, want := range []string{"tickbacktest.SyncTest: frame", "came out differently when it was simulated again", "Fuse ", "math/rand, or starts goroutines"} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v, without %q: %s", err, want, out)
		}
	}
}

func must(t *testing.T) func(string, error) string {
	return func(s string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
