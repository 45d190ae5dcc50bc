// Command mutate adds small mistakes to the source, one at a time, and reports those that no test notices: each of
// these is a rule that no test checks. It never touches the tree: changes are passed to the compiler as an overlay.
//
// Run it in the root of the repository, with "make mutate". docs/contributing/mutation.md explains its output, and
// what to do about a survivor.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type options struct {
	root       string
	packages   []string
	seed       uint64
	count      int
	budget     time.Duration
	min        float64
	only       []string
	own        bool
	list       bool
	deliberate bool
	equivalent string
}

func main() {
	o := options{}
	flag.StringVar(&o.root, "root", ".", "the root of the repository")
	packages := flag.String("packages", "", "`packages` to look for mutants in, with commas between them; all of targets.go unless told")
	flag.Uint64Var(&o.seed, "seed", 1, "what draws the sample")
	flag.IntVar(&o.count, "count", 60, "how many mutants that compile to try; 0 for all")
	flag.DurationVar(&o.budget, "budget", 30*time.Minute, "begin nothing further after this time")
	flag.Float64Var(&o.min, "min", 95, "the smallest share that has to be killed, in percent")
	only := flag.String("only", "", "try nothing but the mutants of these IDs")
	flag.BoolVar(&o.own, "own", false, "run nothing but the tests of the package itself")
	flag.BoolVar(&o.list, "list", false, "list the mutants, and try none")
	flag.BoolVar(&o.deliberate, "deliberate", false, "try the deliberate changes instead of a sample")
	flag.StringVar(&o.equivalent, "equivalent", "tools/mutate/equivalent.txt", "the list of equivalent mutants, from the root")
	flag.Parse()
	if *packages != "" {
		o.packages = strings.Split(*packages, ",")
	} else if !o.deliberate {
		o.packages = targetNames()
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := sample
	if o.deliberate {
		run = tryDeliberate
	}
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// sample tries mutants in a random order that depends on the seed.
func sample(ctx context.Context, o options, out io.Writer) error {
	mutants, known, err := choose(&o)
	if err != nil {
		return err
	}
	if o.list {
		for _, m := range mutants {
			fmt.Fprintf(out, "%s %s:%d %s | %s | %s\n", m.ID(), m.Package, m.Line, m.Func, m.Source, m.Change)
		}
		return nil
	}
	fmt.Fprintf(out, "%d mutants, %d of them known to be equivalent; seed %d\n", len(mutants)+len(known), len(known), o.seed)
	r, err := newRunner(o.root)
	if err != nil {
		return err
	}
	defer r.close()
	rep := &report{out: out, tallies: map[string]*tally{}}
	for _, m := range known {
		rep.of(m.Package).equivalent++
		if o.only != nil {
			fmt.Fprintf(out, "%s %s:%d %s: listed as equivalent\n", m.ID(), m.Package, m.Line, m.Change)
		}
	}
	err = tryAll(ctx, o, r, mutants, rep)
	killed := rep.print()
	if err == nil && killed < o.min && len(mutants) > 0 {
		err = fmt.Errorf("%.1f %% killed, and at least %.1f %% are asked for", killed, o.min)
	}
	return err
}

// choose loads the mutants, removes the equivalent ones, and sorts the rest in the order of the sample.
func choose(o *options) (mutants, known []*Mutant, err error) {
	if o.root, err = filepath.Abs(o.root); err != nil {
		return nil, nil, err
	}
	all, err := load(o.root, o.packages)
	if err != nil {
		return nil, nil, err
	}
	list, err := readEquivalents(filepath.Join(o.root, o.equivalent))
	if err != nil {
		return nil, nil, err
	}
	mutants, known, err = split(all, list, o.packages)
	if o.only != nil {
		other := func(m *Mutant) bool { return !slices.Contains(o.only, m.ID()) }
		mutants, known = slices.DeleteFunc(mutants, other), slices.DeleteFunc(known, other)
		if n := len(mutants) + len(known); n != len(o.only) {
			return nil, nil, fmt.Errorf("%d mutants have the IDs %s in %s; has the source changed since?",
				n, strings.Join(o.only, ","), strings.Join(o.packages, ","))
		}
		return mutants, known, err
	}
	if !o.list {
		random := rand.New(rand.NewPCG(o.seed, 0))
		random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	}
	return mutants, known, err
}

// chunk is how many mutants are tried between two checks of the time.
const chunk = 150

// tryAll tries the mutants until enough were tried or the time is up.
func tryAll(ctx context.Context, o options, r *runner, mutants []*Mutant, rep *report) error {
	end := time.Now().Add(o.budget)
	tried := 0
	var failed error // a stage fails without a mutant
	t := &trial{r: r, out: rep.out, record: func(m *Mutant, v Verdict, by string) {
		if rep.record(m, v, by); v != Invalid {
			tried++
		}
	}}
	for len(mutants) > 0 {
		n := min(chunk, len(mutants))
		if o.count > 0 {
			n = min(n, o.count-tried)
		}
		if n <= 0 {
			return failed
		}
		if time.Now().After(end) {
			fmt.Fprintf(rep.out, "the time is up after %d mutants\n", tried)
			return failed
		}
		for _, path := range o.packages {
			var here []*Mutant
			for _, m := range mutants[:n] {
				if m.Package == path {
					here = append(here, m)
				}
			}
			stages := stagesOf(path)
			if o.own {
				stages = stages[:1]
			}
			if err := t.all(ctx, here, stages); errors.Is(err, errBaseline) {
				failed = err
			} else if err != nil {
				return err
			}
		}
		mutants = mutants[n:]
	}
	return failed
}
