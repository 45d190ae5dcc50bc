package tickbacktest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// Rule: a package with a game is examined with everything that it imports, and problems are reported with their place
// and the calls that lead there; a package without a game is not examined at all.
func TestLintFindsWhatTheGameReaches(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds detlint")
	}
	l := linter{goCommand: goCommand(t)}
	r, err := l.run([]string{"../detlint/testdata/spread/moves"})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(r.Findings)
	for _, want := range []string{"tick.go:7:", ": clock: ", "\n\tMark of moves.Step: moves.Step, at ", "\n\t  calls tick.Now, at "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if r.Roots != 2 || len(r.Findings) < 4 {
		t.Errorf("%d roots, %d findings", r.Roots, len(r.Findings))
	}
	if _, err := l.run([]string{"../fixed"}); err == nil || !strings.Contains(err.Error(), "nothing was examined") {
		t.Errorf("a package without a game: %v", err)
	}
	if _, err := l.run([]string{"./nowhere"}); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a package that is not there: %v", err)
	}
}

func goCommand(t *testing.T) string {
	t.Helper()
	name, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	return name
}

// Rule: if go.mod has no detlint, the one of the same version of Tickback is used; if that is not known either, the
// error says what to do.
func TestLintSaysWhereItHasDetlintFrom(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module game\n\ngo 1.26.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	l := linter{goCommand: goCommand(t)}
	if _, err := l.program(); err == nil || !strings.Contains(err.Error(), "go get -tool "+detlint) {
		t.Errorf("without a version: %v", err)
	}
	l.version = "v1.2.3"
	if p, err := l.program(); err != nil || p != detlint+"@v1.2.3" {
		t.Errorf("with a version: %s, %v", p, err)
	}
	if _, err := l.run(nil); err == nil || !strings.Contains(err.Error(), "without a network") {
		t.Errorf("without a network: %v", err)
	}
}

func TestVersionOfABuild(t *testing.T) {
	for _, c := range []struct {
		m    debug.Module
		want string
	}{
		{debug.Module{Path: tickback, Version: "v1.2.3"}, "v1.2.3"},
		{debug.Module{Path: tickback, Version: "v1.2.3", Replace: &debug.Module{Path: "../"}}, ""},
		{debug.Module{Path: tickback, Version: "v0.0.0"}, ""},
		{debug.Module{Path: tickback, Version: "(devel)"}, ""},
		{debug.Module{Path: "other", Version: "v1.0.0"}, ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Path: "game", Version: "(devel)"}, Deps: []*debug.Module{&c.m}}
		if got := versionOf(info, true); got != c.want {
			t.Errorf("%+v: %q, want %q", c.m, got, c.want)
		}
	}
	if got := versionOf(nil, false); got != "" {
		t.Error(got)
	}
}
