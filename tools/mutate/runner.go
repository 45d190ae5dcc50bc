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
	"strconv"
	"sync/atomic"
	"time"
)

// A Verdict is the result for a mutant.
type Verdict string

const (
	// Killed mutants are noticed by a test.
	Killed Verdict = "killed"
	// TimedOut mutants keep a test from ending, which also counts as killed.
	TimedOut Verdict = "timed out"
	// Survived mutants are noticed by no test.
	Survived Verdict = "survived"
	// Invalid mutants do not compile, and do not count.
	Invalid Verdict = "does not compile"
)

// A Stage is one thing that may kill a mutant: the short tests of a package, or a program that finds faults, whose
// exit code is not 0 in that case.
type Stage struct {
	Package string   // as a path from the root, "." for the root
	Program []string // the arguments, if the package is a program; nil runs the package's tests
}

// String returns the name of the stage in a report.
func (s Stage) String() string {
	if s.Program != nil {
		return s.Program[0]
	}
	return s.Package
}

// A runner builds with overlays, so that the tree is never touched, and runs the result in the folder where go test
// would.
type runner struct {
	root   string
	tmp    string
	margin time.Duration // how long a run may take in addition to five times its normal time
	files  atomic.Int64  // how many have been named in tmp
}

func newRunner(root string) (*runner, error) {
	tmp, err := os.MkdirTemp("", "mutate")
	return &runner{root: root, tmp: tmp, margin: 10 * time.Second}, err
}

func (r *runner) close() { os.RemoveAll(r.tmp) }

// A binary is a stage that was built with some files replaced.
type binary struct {
	r       *runner
	stage   Stage
	path    string
	overlay string
	limit   time.Duration // for a run of everything
}

// errBuild says that something does not compile, and errBaseline that something fails without any mutant.
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

// write writes the overlay for go build.
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

// measure runs the stage without a mutant, to determine its time limit: all its tests, or only some.
func (b *binary) measure(ctx context.Context, args []string) error {
	start := time.Now()
	var out bytes.Buffer
	v, err := b.run(ctx, run{out: &out, limit: b.limit}, args...)
	if err == nil && v != Survived {
		err = fmt.Errorf("%s %w\n%s", b.stage, errBaseline, tail(out.Bytes()))
	}
	b.limit = b.r.patience(time.Since(start))
	return err
}

// patience returns how long a run with a mutant may take, given how long it takes without one.
func (r *runner) patience(takes time.Duration) time.Duration { return 5*takes + r.margin }

// everything returns the arguments that run the whole of a stage.
func (s Stage) everything() []string {
	if s.Program != nil {
		return s.Program
	}
	return []string{"-test.short", "-test.failfast"}
}

// A run says how to execute a binary: with one of the mutants that are built into it, or with none.
type run struct {
	mutant int // 0 for none
	limit  time.Duration
	out    io.Writer // may be nil
	env    []string
}

// run executes the binary: if it fails, the mutant is killed.
func (b *binary) run(ctx context.Context, r run, args ...string) (Verdict, error) {
	timed, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	cmd := exec.CommandContext(timed, b.path, args...)
	if cmd.Dir = b.r.root; b.stage.Program == nil {
		cmd.Dir = filepath.Join(b.r.root, b.stage.Package)
	}
	cmd.WaitDelay = 2 * time.Second
	cmd.Stdout, cmd.Stderr = r.out, r.out
	cmd.Env = append(os.Environ(), chosen+"="+strconv.Itoa(r.mutant),
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+b.overlay) // for tests that build programs
	cmd.Env = append(cmd.Env, r.env...)
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
