package strict_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// uneven is a module with games that compute different states in some builds.
func uneven(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds tests for several targets")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" || !fused(t) {
		t.Skip("its assembly is for GOAMD64=v3, which this machine does not run")
	}
	files := map[string]string{}
	for _, pattern := range []string{"*", "*/*"} {
		list, err := filepath.Glob(filepath.Join("testdata/uneven", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range list {
			if info, err := os.Stat(file); err == nil && info.IsDir() {
				continue
			}
			files[strings.TrimPrefix(file, "testdata/uneven/")] = string(read(t, file))
		}
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	_, required, _ := strings.Cut(string(read(t, filepath.Join(root, "go.mod"))), "\nrequire ")
	files["go.mod"] = "\nrequire " + required
	module(t, files)
}

// tested runs the tests of the module, and returns their output.
func tested(t *testing.T, code int, words ...string) string {
	t.Helper()
	stdout, stderr, got := clitest.Run(t, nil, append([]string{"test", "-v", "-vet=off"}, words...)...)
	if got != code {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", words, got, code, stdout, stderr)
	}
	return stdout + stderr
}

// contains fails for each of the parts that a text lacks.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in\n%s", p, text)
		}
	}
}

// Rule: Check compares strict builds. If one computes something else, the report names the first frame and field, with
// both values, and the package that strictness does not cover. The line that it prints plays the match again.
func TestBuildsOfAGameAreCompared(t *testing.T) {
	uneven(t)
	text := tested(t, 0, "--strict", "-count=2", "-run=TestEven|TestTwo", ".")
	if n := strings.Count(text, "came out in the build for amd64 v1 as in the builds for amd64 v3"); n != 2*4 {
		t.Errorf("%d comparisons, want 8:\n%s", n, text)
	}
	text = tested(t, 1, "--strict", "-run=TestAssembly", ".")
	contains(t, text, "--- PASS: TestAssembly/Purity", "--- FAIL: TestAssembly/Builds",
		"tickbacktest.Builds: frame 7 came out differently in the build for amd64 v3; this one is for amd64 v1",
		"state 8 ", "Sum.Far ", "8.673617379884035e-19",
		"package drawn/fast has assembly (axpy_v3_amd64.s) for amd64 v3 only", "-tags=purego")
	if strings.Contains(text, "Sum.Near") || strings.Contains(text, "xxh3") || strings.Contains(text, "no strict build") {
		t.Errorf("it names what is the same:\n%s", text)
	}
	line := regexp.MustCompile(`tb1\.[\w-]+`).FindString(text)
	t.Setenv("LINE", line)
	contains(t, tested(t, 1, "--strict", "-run=TestReplay", "."), "--- FAIL: TestReplay", "frame 7 came out differently in the build for amd64 v3", line)
	text = tested(t, 1, "--strict", "-run=TestEnds|TestBegins", ".")
	contains(t, text, "frame 5 panicked: there [31mis a difference in the build for amd64 v3", "the game begins differently in the build for amd64 v3", "state 0 ")
	if strings.Contains(text, "\x1b") {
		t.Errorf("what another build says reaches the terminal: %q", text)
	}
}

// Rule: called directly, the comparison also covers plain builds, and says that they are plain; strict builds of the
// same game are equal. Without the command, and with -short, it is skipped, with the reason and the remedy.
func TestPlainBuildsAreComparedByName(t *testing.T) {
	uneven(t)
	contains(t, tested(t, 1, "-run=TestPlain", "."), "frame 7 came out differently in the build for amd64 v3", "this is no strict build", "Sum.Far")
	contains(t, tested(t, 0, "--strict", "-run=TestPlain", "."), "came out in the build for amd64 v1 as in the builds for amd64 v3")
	contains(t, tested(t, 0, "--strict", "-short", "-run=TestAssembly", "."), "--- SKIP: TestAssembly/Builds", "-short")
	contains(t, tested(t, 0, "-run=TestPlain", "game_test.go", "hostile_test.go"), "--- SKIP: TestPlain", "built from files")
	t.Setenv("TICKBACK_TEST_BUILT_BY", "")
	out, err := goCommand("test", "-v", "-vet=off", "-run=TestPlain", ".")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	contains(t, out, "--- SKIP: TestPlain", `run it by "go run github.com/tickback/tickback/cmd/tickback test --strict"`)
}

// Rule: the reply of another build may contain anything; an invalid one is refused, with the reason.
func TestRepliesOfOtherBuildsAreRefused(t *testing.T) {
	uneven(t)
	for _, c := range []struct{ reply, want string }{
		{"nothing", "the test has not come to this call there"},
		{"{", "its reply: unexpected end of JSON input"},
		{`{"Numbers":[[[1,2,3,4]]]}`, "its reply has 1 matches, and not 8"},
		{`{"Numbers":[[],[],[],[],[],[],[],[]]}`, "its reply has 0 states of a match that has 21 here"},
		{`{"Failure":"\u001b[31mno"}`, "its reply has 0 matches"},
		{`{"Numbers":[[]],"Failure":"cannot \u001b[31mrun"}`, "cannot [31mrun in the build for amd64 v3"},
	} {
		t.Setenv("HOSTILE", c.reply)
		contains(t, tested(t, 1, "--strict", "-run=TestEven", "."), c.want, "--- FAIL: TestEven/Builds")
	}
}

// goCommand runs the go command without the variables that it sets for tests.
func goCommand(words ...string) (string, error) {
	out, err := exec.Command("go", words...).CombinedOutput()
	return string(out), err
}
