package detlint

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
)

const usage = `usage: detlint [flags] [packages]
       detlint rules
       detlint explain RULE

Finds what can make the machines of a match diverge, in everything that a game's functions reach.
Exit codes: 0 nothing was found, 1 something was found, 2 wrong usage, or code that cannot be read.

`

// Main is the command: it takes its arguments without the name, and returns the exit code.
func Main(args []string, out, errs io.Writer) int {
	if len(args) > 0 && (args[0] == "rules" || args[0] == "explain") {
		return explain(args, out, errs)
	}
	var o Options
	flags := flag.NewFlagSet("detlint", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, usage); flags.PrintDefaults() }
	flags.BoolVar(&o.Tests, "tests", false, "examine games in tests, too")
	flags.StringVar(&o.Tags, "tags", "", "build tags, separated by commas")
	flags.Func("root", "examine this function as well: package.Func or package.Type.Method; may be repeated", func(name string) error {
		o.Roots = append(o.Roots, name)
		return nil
	})
	floats := flags.String("floats", "some", "none: any float in a step is a finding")
	asJSON := flags.Bool("json", false, "write the findings as JSON")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if *floats != "some" && *floats != "none" {
		fmt.Fprintf(errs, "detlint: -floats is %q: write some or none\n", *floats)
		return 2
	}
	o.NoFloats, o.Patterns = *floats == "none", flags.Args()
	r, err := Run(o)
	if err != nil {
		fmt.Fprintln(errs, "detlint:", err)
		return 2
	}
	if err := write(out, r, *asJSON); err != nil {
		fmt.Fprintln(errs, "detlint:", err)
		return 2
	}
	fmt.Fprintf(errs, "detlint: %d findings; %d roots, %d packages\n", len(r.Findings), r.Roots, r.Packages)
	if len(r.Findings) > 0 {
		return 1
	}
	return 0
}

func write(out io.Writer, r *Result, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "\t")
		return e.Encode(r)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return report.Text(out, dir, r.Findings)
}

// explain lists the rules, or says more of one.
func explain(args []string, out, errs io.Writer) int {
	if args[0] == "rules" {
		for _, r := range rules.All() {
			fmt.Fprintf(out, "%-12s %s\n", r.Name, r.Short)
		}
		return 0
	}
	if len(args) != 2 || rules.Get(args[1]) == nil {
		fmt.Fprintln(errs, "detlint: explain takes the name of a rule; detlint rules lists them:", strings.Join(args[1:], " "))
		return 2
	}
	r := rules.Get(args[1])
	fmt.Fprintf(out, "%s: %s\n\nInstead: %s.\n\n%s", r.Name, r.Short, r.Fix, r.Section())
	if r.Duty != "" {
		fmt.Fprintf(out, "\nWhat a step owes: docs/rules-of-determinism.md, %q.\n", r.Duty)
	}
	return 0
}
