package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A trial has the mutants of one package on their way through its stages.
type trial struct {
	r      *runner
	out    io.Writer
	record func(m *Mutant, v Verdict, by string)
	judged map[*Mutant]bool
}

// judge records the verdict on a mutant: once.
func (t *trial) judge(m *Mutant, v Verdict, by string) {
	if t.judged == nil {
		t.judged = map[*Mutant]bool{}
	}
	t.judged[m] = true
	t.record(m, v, by)
}

// left returns the mutants without a verdict.
func (t *trial) left(mutants []*Mutant) []*Mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m *Mutant) bool { return t.judged[m] })
}

// all tries mutants of one package: first all that can be woven into one build, then the others one by one.
func (t *trial) all(ctx context.Context, mutants []*Mutant, stages []Stage) error {
	var woven, alone []*Mutant
	for _, m := range mutants {
		switch {
		case !m.compiles():
			t.judge(m, Invalid, "")
		case m.woven():
			woven = append(woven, m)
		default:
			alone = append(alone, m)
		}
	}
	var failed error
	for _, s := range stages {
		rest, err := t.stage(ctx, woven, alone, s)
		if errors.Is(err, errBaseline) {
			// The stage kills nothing more, but the others may.
			woven, alone = t.left(woven), t.left(alone)
			fmt.Fprintln(t.out, err)
			failed = err
			continue
		}
		if err != nil {
			return err
		}
		woven, alone = rest[0], rest[1]
	}
	for _, m := range append(woven, alone...) {
		t.judge(m, Survived, "")
	}
	return failed
}

// stage runs a stage for the mutants of both kinds, and returns the survivors.
func (t *trial) stage(ctx context.Context, woven, alone []*Mutant, s Stage) (rest [2][]*Mutant, err error) {
	rest[0], err = t.together(ctx, woven, s)
	if errors.Is(err, errBuild) || errors.Is(err, errBaseline) {
		fmt.Fprintf(t.out, "one by one: %v\n", err)
		rest[0], err = t.oneByOne(ctx, woven, s)
	}
	if err == nil {
		rest[1], err = t.oneByOne(ctx, alone, s)
	}
	return rest, err
}

// together runs a stage for each of the mutants, built once, and returns those that survive it. Tests that fail
// because of the copies are left out at first; mutants that survive the others are tried with these one by one.
func (t *trial) together(ctx context.Context, mutants []*Mutant, s Stage) (rest []*Mutant, err error) {
	if len(mutants) == 0 {
		return nil, nil
	}
	b, err := t.r.build(ctx, s, weave(mutants[0].pkg.Name, mutants))
	if err != nil {
		return nil, err
	}
	tests, err := b.survey(ctx, len(mutants))
	if err != nil {
		return nil, err
	}
	var again []*Mutant // mutants to be tried with the tests that were left out
	for i, m := range mutants {
		v, err := b.meet(ctx, tests, i)
		switch {
		case err != nil:
			return nil, err
		case v != Survived:
			t.judge(m, v, s.String())
		case tests.meetsUnfit(i):
			again = append(again, m)
		default:
			rest = append(rest, m)
		}
	}
	if unfit := tests.unfit(); len(unfit) > 0 {
		fmt.Fprintf(t.out, "%s: %d of %d one by one, for %s\n", s, len(again), len(mutants), strings.Join(unfit, ", "))
		again, err = t.eachAlone(ctx, again, s, only(unfit))
	}
	return append(rest, again...), err
}

// meet runs the tests that reach the function of a mutant, given its index, the fastest first.
func (b *binary) meet(ctx context.Context, tests survey, mutant int) (Verdict, error) {
	args, takes := tests.batches(mutant)
	for i, a := range args {
		v, err := b.run(ctx, run{mutant: mutant + 1, limit: b.r.patience(takes[i])}, a...)
		if err != nil || v != Survived {
			return v, err
		}
	}
	return Survived, nil
}

// oneByOne does what together does, with a build for each of the mutants.
func (t *trial) oneByOne(ctx context.Context, mutants []*Mutant, s Stage) (rest []*Mutant, err error) {
	if len(mutants) == 0 {
		return nil, nil
	}
	return t.eachAlone(ctx, mutants, s, s.everything())
}

// eachAlone runs the stage with these arguments in a separate build for each of the mutants. Before that, the
// stage must succeed without any mutant, even if the list is empty.
func (t *trial) eachAlone(ctx context.Context, mutants []*Mutant, s Stage, args []string) (rest []*Mutant, err error) {
	base, err := t.r.build(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	if err := base.measure(ctx, args); err != nil {
		return nil, err
	}
	for _, m := range mutants {
		b, err := t.r.build(ctx, s, map[string][]byte{m.File: m.apply()})
		if errors.Is(err, errBuild) {
			t.judge(m, Invalid, "")
			continue
		}
		if err != nil {
			return nil, err
		}
		v, err := b.run(ctx, run{limit: base.limit}, args...)
		if err != nil {
			return nil, err
		}
		if v == Survived {
			rest = append(rest, m)
		} else {
			t.judge(m, v, s.String())
		}
	}
	return rest, nil
}
