package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Verdict says what became of a mutant.
type Verdict string

const (
	Killed   Verdict = "killed"
	TimedOut Verdict = "timed out" // which kills it, too
	Survived Verdict = "survived"
	// Invalid mutants do not compile, and do not count.
	Invalid Verdict = "does not compile"
)

// A Stage is one thing that may kill a mutant: the short tests of a package, or a
// program that finds faults, whose exit code is not 0 then.
type Stage struct {
	Package string   // as a path from the root, "." for the root
	Program []string // the arguments of the program that the package is; nil for its tests
}

// String names the stage in a report.
func (s Stage) String() string {
	if s.Program != nil {
		return s.Program[0]
	}
	return s.Package
}

// A runner builds with overlays, so that the tree is never touched, and runs what it
// has built in the place where go test would.
type runner struct {
	root   string
	tmp    string
	margin time.Duration // that a run may take beside five times what it takes as it is
}

func newRunner(root string) (*runner, error) {
	tmp, err := os.MkdirTemp("", "mutate")
	return &runner{root: root, tmp: tmp, margin: 10 * time.Second}, err
}

func (r *runner) close() { os.RemoveAll(r.tmp) }

// A binary is a stage that was built with other files than the tree's.
type binary struct {
	r       *runner
	stage   Stage
	path    string
	overlay string
	limit   time.Duration
	skip    []string // tests that do not bear the copies of functions
}

// errBuild is what does not compile, and errBaseline what fails without any mutant.
var (
	errBuild    = errors.New("does not build")
	errBaseline = errors.New("fails without a mutant: mend that first")
)

// build builds a stage with these files instead of the tree's.
func (r *runner) build(ctx context.Context, s Stage, files map[string][]byte) (*binary, error) {
	b := &binary{r: r, stage: s, path: filepath.Join(r.tmp, "stage.test"), limit: 10 * time.Minute}
	if err := b.write(files); err != nil {
		return nil, err
	}
	args := []string{"test", "-c", "-vet=off"}
	if s.Program != nil {
		args = []string{"build"}
	}
	args = append(args, "-ldflags=-s -w", "-overlay", b.overlay, "-o", b.path, "./"+s.Package)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.root
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w: %s", s, errBuild, out)
	}
	return b, nil
}

// write writes what go build -overlay reads.
func (b *binary) write(files map[string][]byte) error {
	replace := map[string]string{}
	for path, content := range files {
		name := filepath.Join(b.r.tmp, fmt.Sprintf("file%d.go", len(replace)))
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return err
		}
		replace[path] = name
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	b.overlay = filepath.Join(b.r.tmp, "overlay.json")
	return os.WriteFile(b.overlay, list, 0o600)
}

// measure runs the stage without a mutant, for its limit. In a build with copies it finds
// out which tests do not bear them.
func (b *binary) measure(ctx context.Context, woven bool) error {
	start := time.Now()
	var out bytes.Buffer
	v, err := b.run(ctx, 0, &out)
	if woven && v == Killed && b.stage.Program == nil {
		if b.skip, err = b.failing(ctx); len(b.skip) > 0 && err == nil {
			start = time.Now()
			out.Reset()
			v, err = b.run(ctx, 0, &out)
		}
	}
	if err == nil && v != Survived {
		err = fmt.Errorf("%s %w\n%s", b.stage, errBaseline, out.Bytes()[max(0, out.Len()-2000):])
	}
	b.limit = 5*time.Since(start) + b.r.margin
	return err
}

// failing returns which tests fail without a mutant.
func (b *binary) failing(ctx context.Context) (names []string, err error) {
	var out bytes.Buffer
	if _, err = b.execute(ctx, 0, &out, "-test.short"); err != nil {
		return nil, err
	}
	for _, m := range regexp.MustCompile(`(?m)^--- FAIL: (\w+)`).FindAllStringSubmatch(out.String(), -1) {
		names = append(names, m[1])
	}
	return names, nil
}

// run executes the binary with one of the mutants that are woven into it: what fails
// has killed it.
func (b *binary) run(ctx context.Context, mutant int, out io.Writer) (Verdict, error) {
	if b.stage.Program != nil {
		return b.execute(ctx, mutant, out, b.stage.Program...)
	}
	args := []string{"-test.short", "-test.failfast"}
	if len(b.skip) > 0 {
		args = append(args, "-test.skip=^("+strings.Join(b.skip, "|")+")$")
	}
	return b.execute(ctx, mutant, out, args...)
}

func (b *binary) execute(ctx context.Context, mutant int, out io.Writer, args ...string) (Verdict, error) {
	timed, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	cmd := exec.CommandContext(timed, b.path, args...)
	if cmd.Dir = b.r.root; b.stage.Program == nil {
		cmd.Dir = filepath.Join(b.r.root, b.stage.Package)
	}
	cmd.WaitDelay = 2 * time.Second
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), chosen+"="+strconv.Itoa(mutant),
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+b.overlay) // for tests that build programs
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return Survived, nil
	case timed.Err() != nil:
		return TimedOut, nil
	case errors.As(err, &exit):
		return Killed, nil
	}
	return "", err
}
