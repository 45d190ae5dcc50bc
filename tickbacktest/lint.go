package tickbacktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

const (
	tickback = "github.com/tickback/tickback"
	detlint  = tickback + "/detlint/cmd/detlint"
)

// Lint runs detlint on the package under test, the packages below it, their tests, and everything that they import.
// Each place that can make machines diverge, and that a function of a game can reach, is a test error. Arguments are
// those of the command: "-floats=none", or "-baseline=detlint.txt", or packages in place of these.
//
// It runs the go command, with the version of detlint in go.mod, or else that of Tickback. The first run builds
// detlint, and downloads it unless it is in go.mod; after that, no network is needed. To pin it: go get -tool
// github.com/tickback/tickback/detlint/cmd/detlint. The test fails if detlint cannot be run, and if nothing in the
// packages is a function of a game, so that nothing is examined. A test binary for another system than that of the go
// command cannot run it, and skips.
func Lint(t testing.TB, args ...string) {
	t.Helper()
	if inOtherBuild() {
		return
	}
	goCommand, err := exec.LookPath("go")
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skipf("Lint runs the go command, and %s runs none", runtime.GOOS)
	}
	if err != nil {
		t.Fatalf("Lint needs the go command in the PATH: %v", err)
	}
	l := linter{goCommand: goCommand, version: versionOf(debug.ReadBuildInfo())}
	r, err := l.run(args)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Error(f)
	}
}

// versionOf returns the version of Tickback in a program, or "" for a checkout.
func versionOf(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == tickback && m.Replace == nil && strings.HasPrefix(m.Version, "v") && m.Version != "v0.0.0" {
			return m.Version
		}
	}
	return ""
}

// linter runs detlint.
type linter struct{ goCommand, version string }

// linted has the findings of detlint, from its JSON output.
type linted struct {
	Findings []lintFinding
	Roots    int
}

type lintPosition struct {
	Filename     string
	Line, Column int
}

type lintFinding struct {
	Rule, Message, Fix, Role, Game string
	Position, Within               lintPosition
	Chain                          []struct {
		Func     string
		Position lintPosition
	}
}

// String returns the position as compilers print it: file:line:column.
func (p lintPosition) String() string { return fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column) }

// String returns a finding with the calls that lead to it.
func (f lintFinding) String() string {
	text := fmt.Sprintf("%v: %s: %s", f.Position, f.Rule, f.Message)
	if f.Fix != "" {
		text += "\n\tfix: " + f.Fix
	}
	for i, s := range f.Chain {
		what := "calls"
		if i == 0 {
			what = f.Role + " of " + f.Game + ":"
		}
		text += fmt.Sprintf("\n\t%s%s %s, at %v", strings.Repeat("  ", i), what, s.Func, s.Position)
	}
	if f.Within.Line > 0 {
		text += fmt.Sprintf("\n\tfound at %v", f.Within)
	}
	return text
}

// program returns the arguments with which the go command runs detlint: its path if the module here has it, or else
// the path with a version.
func (l linter) program() (string, error) {
	_, listed := l.output("list", "-find", detlint)
	switch {
	case listed == nil:
		return detlint, nil
	case l.version != "":
		return detlint + "@" + l.version, nil
	}
	return "", fmt.Errorf("Lint needs detlint, which go.mod does not have: run go get -tool %s (%w)", detlint, listed)
}

func (l linter) run(args []string) (*linted, error) {
	program, err := l.program()
	if err != nil {
		return nil, err
	}
	out, err := l.output(append([]string{"run", program, "-json", "-tests"}, args...)...)
	var failed *exec.ExitError
	r := &linted{}
	if json.Unmarshal(out, r) == nil { // the exit code is 1 if there are findings, which is not an error
		return r, nil
	}
	if errors.As(err, &failed) && strings.Contains(program, "@") {
		err = fmt.Errorf("%w\nwithout a network, it has to be in go.mod: go get -tool %s", err, program)
	}
	return nil, fmt.Errorf("Lint has no result of detlint: %w", err)
}

// output runs the go command for the machine that it is on. Errors include the command's output.
func (l linter) output(args ...string) ([]byte, error) {
	cmd := exec.Command(l.goCommand, args...)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GOOS=") && !strings.HasPrefix(e, "GOARCH=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return out.Bytes(), nil
}
