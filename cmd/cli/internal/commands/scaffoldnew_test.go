package commands_test

import (
	"bufio"
	"bytes"
	"context"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// root is the tested checkout.
var root = func() string {
	dir, err := filepath.Abs("../../../..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// told adds the checkout to the arguments of "new" if this test was built with -trimpath: then the program does not
// know where its sources are.
func told(args []string) []string {
	if _, file, _, _ := runtime.Caller(0); filepath.IsAbs(file) || args[0] != "new" || slices.Contains(args, "--checkout") {
		return args
	}
	return append(slices.Clone(args), "--checkout", root)
}

// run runs the command line in a directory of its own.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return clitest.Run(t, nil, told(args)...)
}

// failed fails the test unless a command ended with this exit code and one error line with these words, and left
// nothing new in the directory.
func failed(t *testing.T, dir string, code int, words string, args ...string) {
	t.Helper()
	before := list(t, dir)
	stdout, stderr, got := run(t, args...)
	line, _, _ := strings.Cut(stderr, "\n")
	if got != code || stdout != "" || !strings.HasPrefix(line, "toybox: ") || !strings.Contains(line, words) {
		t.Errorf("%q: exit code %d, stdout %q, stderr %q; want %d, %q", args, got, stdout, stderr, code, words)
	}
	if after := list(t, dir); !slices.Equal(before, after) {
		t.Errorf("%q leaves %q", args, after)
	}
}

// list are all files below a directory.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// execute runs a program in a directory, which must succeed, and returns its output. The go command has the flags of
// this build (GOFLAGS), so that it does not compile everything again.
func execute(t *testing.T, dir string, environment []string, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOWORK=off", "PWD="+dir), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// Rule: the module that new writes in each form passes go vet and its tests, can be played, and has a page that builds,
// with only the commands of its README. What has to be linked takes longest, so that the form with least and the one with
// most stand for all in that; a test in play plays the pages of all of them.
func TestANewModuleBuildsAndPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("a module takes some seconds to build")
	}
	for _, form := range [][]string{nil, {"--server"}, {"--world"}, {"--server", "--world"}} {
		t.Run(strings.Join(form, " "), func(t *testing.T) { buildsAndPasses(t, form) })
	}
}

func buildsAndPasses(t *testing.T, form []string) {
	t.Chdir(t.TempDir())
	stdout, stderr, code := run(t, append([]string{"new", "example.org/games/my-starter/v2"}, form...)...)
	if code != 0 || stderr != "" || !strings.Contains(stdout, "  cd my-starter\n") {
		t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
	}
	dir, err := filepath.Abs("my-starter")
	if err != nil {
		t.Fatal(err)
	}
	served := slices.Contains(form, "--server")
	if strings.Contains(stdout, "go run . serve") != served {
		t.Errorf("it says %q", stdout)
	}
	for _, name := range list(t, dir) {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // a directory
		}
		if text := string(b); strings.Contains(text, "internal/scaffold") || regexp.MustCompile(`(^|[^-])\bstarter`).MatchString(text) {
			t.Errorf("%s still has the name of the template", name)
		}
		if filepath.Ext(name) != ".go" {
			continue
		}
		if formatted, err := format.Source(b); err != nil || !bytes.Equal(formatted, b) {
			t.Errorf("%s is not formatted: %v", name, err)
		}
	}
	if out := execute(t, dir, nil, "go", "mod", "tidy", "-diff"); out != "" {
		t.Errorf("go.mod is not tidy:\n%s", out)
	}
	execute(t, dir, nil, "go", "vet", "./...")
	execute(t, dir, []string{"GOOS=js", "GOARCH=wasm"}, "go", "vet", "./page")
	if out := execute(t, dir, nil, "go", "test", "./..."); !strings.Contains(out, "ok  \texample.org/games/my-starter/v2/rules") {
		t.Errorf("go test: %s", out)
	}
	if len(form) == 1 {
		return
	}
	program := filepath.Join(t.TempDir(), "my-starter")
	execute(t, dir, nil, "go", "build", "-o", program, ".")
	end := `player \d wins`
	if served {
		end = "3600 " // the frames of a match in which nobody wins for good
	}
	if out := execute(t, dir, nil, program, "sim", "--seed", "7"); !regexp.MustCompile(`my-starter +seeker .*` + end).MatchString(out) {
		t.Errorf("sim: %s", out)
	}
	if out := execute(t, dir, nil, program, "vet", "-unproved", "./rules"); !strings.Contains(out, "0 findings") {
		t.Errorf("vet: %s", out)
	}
	if served {
		plays(t, dir, program)
	}
	execute(t, dir, nil, "go", "run", "./pack")
	if out := execute(t, dir, nil, program, "play", "--web", "web", "--check"); !strings.Contains(out, "ok: the page and 3 files of it are served") {
		t.Errorf("play --check: %s", out)
	}
	if out := execute(t, dir, nil, "git", "init", "-q"); out != "" {
		t.Log(out)
	}
	if out := execute(t, dir, nil, "git", "status", "--porcelain", "--untracked-files=all"); strings.Contains(out, ".wasm") {
		t.Errorf("what is built would be committed:\n%s", out)
	}
}

// plays has bots play at the server of a new game, and ends it by an interrupt: all end in order, and the recording of
// the server verifies.
func plays(t *testing.T, dir, program string) {
	t.Helper()
	server, heard := started(t, dir, program, "serve", "--listen", "127.0.0.1:0", "--record", "match.tbr", "--status", "100ms")
	join := heard(`join with: my-starter join ([0-9.:]+)$`)
	bots, _ := started(t, dir, program, "bots", join, "--count", "2", "--quiet")
	heard(`frame \d+: (2) of 4 places taken`)
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []*exec.Cmd{server, bots} {
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%q: %v", cmd.Args, err)
		}
	}
	execute(t, dir, nil, program, "replay", "verify", "match.tbr")
}

// started starts a program, and returns a function that waits until it has said on its standard error what matches an
// expression, and returns the group in it.
func started(t *testing.T, dir, program string, args ...string) (cmd *exec.Cmd, heard func(expression string) string) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1<<10)
	go func() {
		defer close(lines)
		for all := bufio.NewScanner(said); all.Scan(); {
			select {
			case lines <- all.Text():
			default: // nobody waits for so many
			}
		}
	}()
	return cmd, func(expression string) string {
		t.Helper()
		var all []string
		for line := range lines {
			all = append(all, line)
			if m := regexp.MustCompile(expression).FindStringSubmatch(line); m != nil {
				return m[1]
			}
		}
		t.Fatalf("%q does not say %q: %q, %v", args, expression, all, cmd.Wait())
		return ""
	}
}

// Rule: with --window there is a program with a window in every form, which builds where the libraries of the system are
// there, and says how to use it in the README; without it nothing requires Ebitengine.
func TestANewModuleWithAWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("a window takes half a minute to build")
	}
	for _, form := range [][]string{nil, {"--server"}, {"--world"}, {"--server", "--world"}} {
		t.Run(strings.Join(form, " "), func(t *testing.T) { hasAWindow(t, form) })
	}
	t.Chdir(t.TempDir())
	if stdout, stderr, code := run(t, "new", "pea"); code != 0 {
		t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
	}
	if b, err := os.ReadFile("pea/go.mod"); err != nil || strings.Contains(string(b), "ebiten") {
		t.Errorf("without a window: %v\n%s", err, b)
	}
	if _, err := os.Lstat("pea/window"); err == nil {
		t.Error("a module without a window has one")
	}
}

func hasAWindow(t *testing.T, form []string) {
	t.Chdir(t.TempDir())
	if stdout, stderr, code := run(t, append([]string{"new", "potato", "--window"}, form...)...); code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
	}
	dir, err := filepath.Abs("potato")
	if err != nil {
		t.Fatal(err)
	}
	start := "go run ./window http"
	if slices.Contains(form, "--server") {
		start = "go run ./window 'LINK'"
	}
	for name, want := range map[string]string{
		"go.mod": "hajimehoshi/ebiten", "README.md": start, "window/main.go": "room.Open(os.Args[1], w)", "window/window.go": "oto.NewContext",
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), want) || strings.Contains(string(b), "starter") {
			t.Errorf("%s: %v\n%s", name, err, b)
		}
	}
	if out := execute(t, dir, nil, "go", "mod", "tidy", "-diff"); out != "" {
		t.Errorf("go.mod is not tidy:\n%s", out)
	}
	// The window of a system that needs no C compiler.
	execute(t, dir, []string{"GOOS=js", "GOARCH=wasm"}, "go", "vet", "./window")
	if len(form) == 1 {
		return // the form with least and the one with most are linked
	}
	if err := exec.Command("pkg-config", "--exists", "gl", "x11", "alsa").Run(); err != nil && os.Getenv("TICKBACK_WINDOW") != "required" {
		t.Skipf("what a window needs is not installed here: %v", err)
	}
	execute(t, dir, []string{"CGO_ENABLED=1"}, "go", "build", "-o", filepath.Join(t.TempDir(), "window"), "./window")
}

// An empty module has a go.mod with the checkout, and nothing else.
func TestAnEmptyModule(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	stdout, stderr, code := run(t, "new", "potato", "--empty")
	if code != 0 || stderr != "" || strings.Contains(stdout, "go run") {
		t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
	}
	b, err := os.ReadFile("potato/go.mod")
	if err != nil || len(list(t, "potato")) != 2 {
		t.Fatalf("%v, %q", err, list(t, "potato"))
	}
	for _, want := range []string{"module potato\n", "\tgithub.com/tickback/tickback => ", "\tgithub.com/tickback/tickback/detlint => "} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
	if strings.Contains(string(b), "require (") {
		t.Errorf("it requires what nothing imports:\n%s", b)
	}
}

// Mistakes are reported in a line that names the remedy, and nothing is left behind.
func TestMistakesOfNew(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("there", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		code  int
		words string
	}{
		{nil, 2, "toybox new needs one NAME, not 0"},
		{[]string{"one", "two"}, 2, "needs one NAME, not 2"},
		{[]string{""}, 2, `"": a name is letters, digits`},
		{[]string{"../potato"}, 2, "a name is letters"},
		{[]string{"/potato"}, 2, "a name is letters"},
		{[]string{"hot potato"}, 2, "a name is letters"},
		{[]string{"potato/"}, 2, "a name is letters"},
		{[]string{"kartöffel"}, 2, "a name is letters"},
		{[]string{".potato"}, 2, "a name is letters"},
		{[]string{"potato."}, 2, "a name is letters"},
		{[]string{"a\nb"}, 2, "a name is letters"},
		{[]string{"example.org/internal"}, 2, `"internal" means something else`},
		{[]string{"Nul.game"}, 2, `"Nul.game" means something else`},
		{[]string{"main"}, 2, `"main" means something else`},
		{[]string{"fmt"}, 2, "the standard library has a package fmt"},
		{[]string{"net/potato"}, 2, "the standard library has a package net"},
		{[]string{strings.Repeat("x", 201)}, 2, "too long: at most 200"},
		{[]string{strings.Repeat("x", 65)}, 2, "has 65 bytes, and may have 64"},
		{[]string{"github.com/tickback/tickback/mine"}, 2, "is Tickback itself"},
		{[]string{"potato", "--empty", "--window"}, 2, "--empty writes no game, and --window chooses which one: leave out one of them"},
		{[]string{"potato", "--empty", "--server", "--world"}, 2, "--empty writes no game, and --server --world chooses"},
		{[]string{"potato", "--serve"}, 2, "toybox new has no flag --serve; did you mean --server?"},
		{[]string{"there"}, 1, "there exists already: give another name, or another --dir"},
		{[]string{"potato", "--dir", "."}, 1, ". exists already"},
		{[]string{"potato", "--dir", "not/there"}, 1, "cannot make not/there: not: no such file or directory"},
		{[]string{"potato", "--checkout", "."}, 1, "--checkout .: there is no checkout of Tickback"},
	} {
		failed(t, dir, c.code, c.words, append([]string{"new"}, c.args...)...)
	}
}

// A module inside the checkout would count as a part of it.
func TestNothingIsMadeInTheCheckout(t *testing.T) {
	failed(t, ".", 1, "in the checkout of Tickback in ", "new", "potato")
}

// Without the go command, the error says where to get it; if the go command fails, its output is quoted.
func TestTheGoCommandIsMissingOrFails(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	t.Setenv("PATH", bin)
	failed(t, dir, 1, "new needs the go command, and there is none in PATH: https://go.dev/dl", "new", "potato")
	script := "#!/bin/sh\n[ \"$1\" = env ] && { echo /nowhere; exit; }\necho go: no route to host >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell here: ", err)
	}
	failed(t, dir, 1, "go mod tidy: exit status 1: go: no route to host", "new", "potato")
}

// An interrupt ends the command, and nothing is left.
func TestNewIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := cli.Run(ctx, "toybox", told([]string{"new", "potato"}), nil, &out, &errs, clitest.ToyGame())
	if code != 1 || errs.String() != "toybox: interrupted\n" || len(list(t, dir)) != 1 {
		t.Errorf("exit code %d, %q, %q", code, errs.String(), list(t, dir))
	}
}

// If a workspace above does not include the new module, the output says so.
func TestAWorkspaceAboveIsTold(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GOWORK", "")
	if err := os.WriteFile("go.work", []byte("go 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := run(t, "new", "potato", "--empty"); code != 0 || !strings.Contains(stdout, `go.work does not list it: run "go work use ." in it`) {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}
