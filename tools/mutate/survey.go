package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A sight is what one test of a stage, or its program, does without a mutant.
type sight struct {
	test    string   // "" is the program
	args    []string // the arguments that run it alone
	takes   time.Duration
	fails   bool
	reaches []bool // by mutant: whether it reaches the mutant's function
}

// A survey has all tests of a stage that was built with woven mutants, the fastest first. A mutant only needs those
// that reach its function: the others behave as they do without it.
type survey []*sight

// survey runs each test by itself, with all mutants built in.
func (b *binary) survey(ctx context.Context, mutants int) (survey, error) {
	names := []string{""}
	if b.stage.Program == nil {
		var err error
		if names, err = b.tests(ctx); err != nil {
			return nil, err
		}
	}
	all := make(survey, len(names))
	var group sync.WaitGroup
	failed := make([]error, runtime.NumCPU())
	for w := range failed {
		group.Go(func() {
			for i := w; i < len(names) && failed[w] == nil; i += len(failed) {
				all[i], failed[w] = b.look(ctx, names[i], mutants)
			}
		})
	}
	group.Wait()
	slices.SortStableFunc(all, func(a, b *sight) int {
		if a == nil || b == nil {
			return 0 // there is an error
		}
		return cmp.Compare(a.takes, b.takes)
	})
	return all, errors.Join(failed...)
}

// tests returns the names of all tests, examples and fuzz targets.
func (b *binary) tests(ctx context.Context) ([]string, error) {
	var out bytes.Buffer
	if v, err := b.run(ctx, run{out: &out, limit: b.limit}, "-test.list=."); err != nil || v != Survived {
		return nil, fmt.Errorf("%s: -test.list: %w\n%s", b.stage, errors.Join(err, errBaseline), &out)
	}
	return regexp.MustCompile(`(?m)^(?:Test|Example|Fuzz)\w*$`).FindAllString(out.String(), -1), nil
}

// look runs one of the tests, and reads which functions it reached.
func (b *binary) look(ctx context.Context, test string, mutants int) (*sight, error) {
	s := &sight{test: test, args: b.stage.Program, reaches: make([]bool, mutants)}
	if s.args == nil {
		s.args = only([]string{test})
	}
	name := filepath.Join(b.r.tmp, "reached-"+strconv.FormatInt(b.r.files.Add(1), 10))
	defer os.Remove(name)
	var out bytes.Buffer
	start := time.Now()
	v, err := b.run(ctx, run{out: &out, limit: b.limit, env: []string{reached + "=" + name}}, s.args...)
	if err != nil {
		return nil, err
	}
	s.takes, s.fails = time.Since(start), v != Survived
	if s.fails && b.stage.Program != nil {
		return nil, fmt.Errorf("%s %w\n%s", b.stage, errBaseline, tail(out.Bytes()))
	}
	numbers, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	for text := range strings.FieldsSeq(string(numbers)) {
		if n, err := strconv.Atoi(text); err == nil && 0 < n && n <= mutants {
			s.reaches[n-1] = true
		}
	}
	return s, err
}

// only returns the arguments that run only these tests.
func only(tests []string) []string {
	return []string{"-test.short", "-test.failfast", "-test.run=^(" + strings.Join(tests, "|") + ")$"}
}

// The total time of the first batch of tests for a mutant, and the factor by which each further batch is longer: most
// mutants are killed by tests that take almost no time.
const (
	firstBatch  = 250 * time.Millisecond
	batchGrowth = 4
)

// batches returns what may kill a mutant, given its index, in the order in which to try: the arguments of a run, and
// how long it takes.
func (s survey) batches(mutant int) (args [][]string, takes []time.Duration) {
	var tests []string
	var sum time.Duration
	limit := firstBatch
	flush := func() {
		if len(tests) > 0 {
			args, takes = append(args, only(tests)), append(takes, sum)
			tests, sum = nil, 0
		}
	}
	for _, t := range s {
		if t.fails || !t.reaches[mutant] {
			continue
		}
		if t.test == "" {
			return [][]string{t.args}, []time.Duration{t.takes}
		}
		if sum+t.takes > limit {
			flush()
			for limit < t.takes {
				limit *= batchGrowth
			}
		}
		tests, sum = append(tests, t.test), sum+t.takes
	}
	flush()
	return args, takes
}

// unfit returns the tests that fail without a mutant: those that fail because of the copies of functions, such as a
// limit on what a function costs.
func (s survey) unfit() (tests []string) {
	for _, t := range s {
		if t.fails {
			tests = append(tests, t.test)
		}
	}
	return tests
}

// meetsUnfit reports whether an unfit test reaches the function of a mutant.
func (s survey) meetsUnfit(mutant int) bool {
	return slices.ContainsFunc(s, func(t *sight) bool { return t.fails && t.reaches[mutant] })
}

// tail returns the end of an output, where the failure is.
func tail(out []byte) []byte { return out[max(0, len(out)-2000):] }
