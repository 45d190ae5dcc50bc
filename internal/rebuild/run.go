package rebuild

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"
)

// ErrCannotRun is wrapped by errors about programs that this machine cannot run.
var ErrCannotRun = errors.New("this machine does not run it")

// grace is how long a process may take to end after its time is up.
const grace = 10 * time.Second

// unwanted turn off build flags that need a C compiler for the target, or measure something, and do not affect what a
// step computes. They are necessary because GOFLAGS may contain such flags.
var unwanted = []string{"-race=false", "-msan=false", "-asan=false", "-cover=false", "-vet=off"}

// Build builds the test of a package for a target.
func (c Command) Build(ctx context.Context, pkg string, g Target, program string) error {
	words := []string{"test"}
	if c.Strict {
		words = append(words, "--strict")
	}
	cmd := exec.CommandContext(ctx, c.Program, slices.Concat(words, []string{"-c", "-o=" + program}, unwanted, c.Flags, []string{pkg})...)
	cmd.Dir, cmd.Env = c.Dir, g.environment()
	said, err := run(cmd)
	if err == nil {
		_, err = os.Stat(program)
	}
	return told(err, said)
}

// Run runs a program that was built for the target, in a folder. The settings are added to the environment.
func (g Target) Run(ctx context.Context, program, dir string, args, settings []string) error {
	words := append([]string{program}, args...)
	if g.emulator != "" {
		words = append([]string{g.emulator}, words...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), settings...)
	said, err := run(cmd)
	var exit *exec.ExitError
	switch {
	case err != nil && ctx.Err() == nil && !errors.As(err, &exit):
		return fmt.Errorf("%w: %w", ErrCannotRun, err)
	case err != nil && strings.Contains(said, "microarchitecture support"): // the Go runtime's message about GOAMD64
		return fmt.Errorf("%w: %s", ErrCannotRun, said)
	}
	return told(err, said)
}

// run runs a command, and returns the end of its output.
func run(cmd *exec.Cmd) (said string, err error) {
	var out tail
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // lets its child processes end, too
	cmd.WaitDelay = grace
	err = cmd.Run()
	return Printable(strings.TrimSpace(string(out.bytes))), err
}

func told(err error, said string) error {
	if err == nil || said == "" {
		return err
	}
	return fmt.Errorf("%w:\n%s", err, said)
}

// mostSaid is the maximum number of bytes that are kept of a command's output.
const mostSaid = 4 << 10

// tail is a writer that keeps the end of what is written to it.
type tail struct{ bytes []byte }

// Write drops all but the last mostSaid bytes of what has been written so far. The error is always nil.
func (t *tail) Write(b []byte) (int, error) {
	t.bytes = append(t.bytes, b[max(0, len(b)-mostSaid):]...)
	t.bytes = slices.Delete(t.bytes, 0, max(0, len(t.bytes)-mostSaid))
	return len(b), nil
}

// Printable returns a text from elsewhere without characters that affect a terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "?"))
}

// folder returns the folder with the sources of a package.
func (c Command) folder(ctx context.Context, pkg string) (string, error) {
	out, err := c.list(ctx, Self(), "-find", "-f", "{{.Dir}}", pkg)
	return string(bytes.TrimSpace(out)), err
}

// Holds returns an error unless dir is the folder with the sources of a package of this command's modules.
func (c Command) Holds(ctx context.Context, pkg, dir string) error {
	has, err := c.folder(ctx, pkg)
	if err != nil {
		return err
	}
	if has == "" {
		return fmt.Errorf("%s has no folder", pkg)
	}
	one, err := os.Stat(has)
	if err != nil {
		return err
	}
	other, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !os.SameFile(one, other) {
		return fmt.Errorf("%s is in %s, and this test runs in %s", pkg, has, dir)
	}
	return nil
}

// list runs the go command's list for a target.
func (c Command) list(ctx context.Context, g Target, words ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, c.Flags, words)...)
	cmd.Dir, cmd.Env = c.Dir, g.environment()
	var errs tail
	cmd.Stderr = &errs
	cmd.WaitDelay = grace
	out, err := cmd.Output()
	return out, told(err, Printable(string(errs.bytes)))
}
