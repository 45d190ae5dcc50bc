// Command peers compares Tickback with other libraries for rollback: it builds a program for each of them, checks that
// they all make the same states of the same games and inputs, measures them in turns, and prints tables. scripts/peers.sh
// runs it; docs/reference/peers.md is what it writes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

const usage = `usage: scripts/peers.sh [-quick] [-update] [-rounds N] [-only PATTERN]

Compares Tickback with fortress-rollback, ggrs, GGPO and bevy_ggrs: builds a program for each (which takes Go, Cargo, a C++
compiler, and the registry of Rust's crates the first time), checks that all make the same states, and measures
them in turns. Without a flag it prints the tables; it takes about 20 minutes, and the machine should do nothing else.

  -quick         build without optimizations, check that all states are equal and that each row gets a figure; print
                 no tables
  -update        write the tables into docs/reference/peers.md, and the plots into docs/images
  -rounds N      measure each time N times, in turns (5)
  -only PATTERN  measure only the rows whose names match this regular expression, such as '^frame'

A library that cannot be built is left out, and the tables say so.
`

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	quick := flags.Bool("quick", false, "")
	update := flags.Bool("update", false, "")
	rounds := flags.Int("rounds", 5, "")
	only := flags.String("only", "", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return errors.New("see -help")
	case flags.NArg() > 0:
		return fmt.Errorf("%q is too much: see -help", flags.Arg(0))
	case *rounds < 1 || *rounds > 99:
		return fmt.Errorf("-rounds is %d, and has to be 1 to 99", *rounds)
	case *quick && *update:
		return errors.New("-quick and -update do not go together: quick figures are no figures")
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if *update && *only != "" {
		return errors.New("-only and -update do not go together: the page has all rows, of one run")
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("the libraries in Rust and C++ get their virtual time and network in a way that is written for Linux, not %s", runtime.GOOS)
	}

	root, err := findRoot()
	if err != nil {
		return err
	}
	m := &meter{ctx: ctx, root: root, quick: *quick, rounds: *rounds, only: pattern, say: os.Stderr}
	if *quick {
		m.rounds = 1
	}
	if err := m.build(); err != nil {
		return err
	}
	if err := m.check(); err != nil {
		return err
	}
	results, err := m.measure()
	if err != nil {
		return err
	}
	if *quick {
		return m.complete(results)
	}
	text := render(results, m.machine())
	if !*update {
		fmt.Print(text)
		return nil
	}
	if err := writePage(root, text); err != nil {
		return err
	}
	return writePlots(root, results)
}
