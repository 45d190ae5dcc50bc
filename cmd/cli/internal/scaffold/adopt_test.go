package scaffold_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// adoptable writes a module with a game into a new folder, and returns the folder.
func adoptable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.org/toy\n\ngo 1.26.0\n",
		"main.go": "package main\n\nimport \"time\"\n\ntype game struct {\n\tat   float64\n\tdone chan bool\n}\n\nfunc (g *game) update(dt float64) { g.at += dt * float64(time.Now().Second()) }\n\nfunc main() { new(game).update(1) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Rule: adopt lists what a game is made of, and writes two files that were not there; it changes none, and tells how the
// module requires Tickback.
func TestAdopt(t *testing.T) {
	checkout, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(adoptable(t))
	t.Setenv("GOWORK", "off")
	stdout, stderr, code := clitest.Run(t, nil, "adopt", "--checkout", checkout)
	if code != 0 || stderr != "" {
		t.Fatalf("%d, %q, %q", code, stdout, stderr)
	}
	for _, want := range []string{
		"toy.game.update (main.go:10) computes a frame, with 1 function.", "game.done (main.go:7): a channel", "clock",
		"online.go gives the game to Tickback", "online_test.go tests it", "has to require Tickback", "go mod edit -replace github.com/tickback/tickback=" + filepath.ToSlash(checkout), "1 place with floats differs",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("there is no %q in\n%s", want, stdout)
		}
	}
	before, err := os.ReadFile("online.go")
	if err != nil || !strings.Contains(string(before), `canon.Leave("game.done")`) {
		t.Errorf("%v: %s", err, before)
	}
	if _, stderr, code := clitest.Run(t, nil, "adopt"); code != 1 || !strings.Contains(stderr, "online.go exists already, and nothing was written") {
		t.Errorf("a second time: %d, %q", code, stderr)
	}
	if err := os.Remove("online.go"); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := clitest.Run(t, nil, "adopt"); code != 1 || !strings.Contains(stderr, "online_test.go exists already") {
		t.Errorf("with the test of another: %d, %q", code, stderr)
	}
	if _, err := os.Lstat("online.go"); !os.IsNotExist(err) {
		t.Errorf("the code was left behind without its test: %v", err)
	}
	if stdout, _, code := clitest.Run(t, nil, "adopt", "--out", "-"); code != 0 || stdout != string(before) {
		t.Errorf("to the output: %d, %q", code, stdout)
	}
}

// Rule: wrong usage says what is right, with exit code 2; what cannot be read fails with 1.
func TestAdoptRefuses(t *testing.T) {
	dir := adoptable(t)
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"adopt", ".", "."}, 2, "needs one PACKAGE, not 2"},
		{[]string{"adopt", "./..."}, 2, "is more than one package"},
		{[]string{"adopt", "--stp", "x"}, 2, "--step"},
		{[]string{"adopt", "--step", "toy.game.fly"}, 1, "toy.game.fly: there is no such function"},
		{[]string{"adopt", "./nowhere"}, 1, "nowhere"},
		{[]string{"adopt", "--out", "nowhere/online.go"}, 1, "cannot write the code"},
	} {
		if stdout, stderr, code := clitest.Run(t, nil, test.args...); code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: %d, %q, %q; want %d and %q", test.args, code, stdout, stderr, test.code, test.want)
		}
	}
	if err := os.WriteFile("main.go", []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := clitest.Run(t, nil, "adopt"); code != 2 || !strings.Contains(stderr, "say so with --step") {
		t.Errorf("without a step: %d, %q", code, stderr)
	}
	if left, _ := filepath.Glob("online*"); len(left) > 0 {
		t.Errorf("something was written: %q", left)
	}
}
