package detlint

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
)

const floatsUsage = "strict: floats are judged as in a build with --strict, also those of a game that does not say Floats: tickback.Strict; none: any float in a step is a finding"

const usage = `usage: detlint [flags] [packages]
       detlint rules
       detlint explain RULE

Finds what can make the machines of a match diverge, in everything that a game's functions reach.
Packages are named as the go command takes them; those below the working directory unless told.
For each function of a game it says whether that is proved, and what could not be followed.
Exit codes: 0 nothing was found, 1 something was found, 2 wrong usage, code that cannot be read, or
nothing that was given to Tickback.

`

// Main runs the command: args are its arguments without the name. It returns the exit code.
func Main(args []string, out, errs io.Writer) int {
	if asked(args) {
		return vettool(args, out, errs)
	}
	if len(args) > 0 && (args[0] == "rules" || args[0] == "explain") {
		return explain(args, out, errs)
	}
	c := command{out: out, errs: errs}
	if err := c.parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	code, err := c.run()
	if err != nil {
		fmt.Fprintln(errs, "detlint:", err)
		return 2
	}
	return code
}

// command has the options of a run.
type command struct {
	Options
	out, errs     io.Writer
	format        string // text, json or sarif
	baseline      string // a file; empty: none
	writeBaseline string
	fix, changes  bool
}

func (c *command) parse(args []string) error {
	flags := flag.NewFlagSet("detlint", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed below
	flags.Usage = func() {}
	flags.BoolVar(&c.Tests, "tests", false, "examine games in tests, too")
	flags.StringVar(&c.Tags, "tags", "", "build tags, separated by commas")
	flags.Func("root", "examine this function as well: package.Func or package.Type.Method; may be repeated", func(name string) error {
		c.Roots = append(c.Roots, name)
		return nil
	})
	flags.Func("floats", floatsUsage, func(v string) error {
		if c.NoFloats, c.Strict = v == "none", v == "strict"; !c.NoFloats && !c.Strict && v != "some" {
			return errors.New("write some, strict or none")
		}
		return nil
	})
	flags.BoolFunc("strict", "the same as -floats strict", func(v string) error {
		if v != "true" {
			return errors.New("write -strict, or -floats some")
		}
		c.NoFloats, c.Strict = false, true
		return nil
	})
	flags.BoolVar(&c.Unproved, "unproved", false, "what could not be followed is a finding, too")
	c.format = "text"
	flags.BoolFunc("json", "write the findings as JSON", func(string) error { c.format = "json"; return nil })
	flags.BoolFunc("sarif", "write the findings as SARIF 2.1.0", func(string) error { c.format = "sarif"; return nil })
	flags.StringVar(&c.baseline, "baseline", "", "a `file` with findings to leave out; those that are not there any more are findings")
	flags.StringVar(&c.writeBaseline, "write-baseline", "", "write what is found to this `file`, for -baseline")
	flags.BoolFunc("fix", "mend what can be mended safely, and report the rest; -fix=all: also what changes the results of the game", func(v string) error {
		c.fix, c.changes = v == "true" || v == "all", v == "all"
		if !c.fix && v != "false" {
			return errors.New("write -fix or -fix=all")
		}
		return nil
	})
	err := flags.Parse(args)
	if c.Patterns = flags.Args(); len(c.Patterns) == 0 {
		c.Patterns = []string{"./..."}
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(c.errs)
		fmt.Fprint(c.errs, usage)
		flags.PrintDefaults()
	case err != nil:
		fmt.Fprintln(c.errs, "detlint:", wrongFlag(flags, err))
	}
	return err
}

// wrongFlag returns a text that says what is wrong with a flag, and lists the flags if it does not exist.
func wrongFlag(flags *flag.FlagSet, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	if !unknown {
		return err.Error()
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return fmt.Sprintf("there is no flag %s; there are: %s (-help says more)", name, strings.Join(names, ", "))
}

func (c *command) run() (code int, err error) {
	r, err := c.examine()
	if err != nil {
		return 2, err
	}
	if r.Roots == 0 {
		if len(r.NotAsked) > 0 {
			return 2, fmt.Errorf("no function in %s is given to Tickback, so nothing was examined: the functions of a game are in %s, which was not asked for",
				strings.Join(c.Patterns, " "), strings.Join(r.NotAsked, ", "))
		}
		return 2, fmt.Errorf("no function in %s is given to Tickback, so nothing was examined: name the packages that have a game, or a function by -root",
			strings.Join(c.Patterns, " "))
	}
	if c.writeBaseline != "" {
		list := slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Rule == "ignore" })
		if err := report.WriteBaseline(c.writeBaseline, list); err != nil {
			return 2, err
		}
		fmt.Fprintf(c.errs, "detlint: %s accepts %d findings\n", c.writeBaseline, len(list))
		return 0, nil
	}
	accepted := 0
	if c.baseline != "" {
		dirs := map[string]bool{}
		for name := range r.own {
			dirs[filepath.Dir(name)] = r.own[name] || dirs[filepath.Dir(name)]
		}
		var kept []Finding
		if kept, accepted, err = report.Baseline(c.baseline, dirs, append(slices.Clip(r.Findings), r.Unproved...)); err != nil {
			return 2, err
		}
		r.Findings, r.Unproved = kept, nil
		if !c.Unproved {
			r.Findings, r.Unproved = report.Notes(kept)
		}
	}
	if err := c.write(r); err != nil {
		return 2, err
	}
	c.summarise(r)
	if accepted > 0 {
		fmt.Fprintf(c.errs, "detlint: %d more are in %s\n", accepted, c.baseline)
	}
	if len(r.Findings) > 0 {
		return 1, nil
	}
	return 0, nil
}

// summarise prints what was examined.
func (c *command) summarise(r *Result) {
	for _, left := range r.LeftOut {
		fmt.Fprintf(c.errs, "detlint: left out: %s\n", left)
	}
	for _, path := range r.NotAsked {
		fmt.Fprintf(c.errs, "detlint: not asked for: %s has functions of a game, too\n", path)
	}
	notes := ""
	if n := len(r.Unproved); n > 0 {
		notes = fmt.Sprintf(", %d not followed (-unproved makes them findings)", n)
	}
	fmt.Fprintf(c.errs, "detlint: %d findings%s; %d roots, %d functions, %d dynamic calls followed and %d not, %d packages, %.1f s\n",
		len(r.Findings), notes, r.Roots, r.Functions, r.Calls, r.Open, r.Packages, r.Took.Seconds())
}

// examine runs the examination, and first makes fixes if requested.
func (c *command) examine() (*Result, error) {
	p := newProgress(c.errs)
	defer p.end()
	c.Progress = p.tell
	if !c.fix {
		return Run(c.Options)
	}
	done, err := Fix(c.Options, c.changes)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.errs, "detlint: %d findings are mended, in %d files\n", len(done.Mended), len(done.Files))
	for _, f := range done.Refused {
		fmt.Fprintf(c.errs, "detlint: %s: this is not mended, since it would not compile\n", f.Position)
	}
	rest := 0
	for _, f := range done.Left.Findings {
		if len(f.Edits) > 0 && f.Caution && !c.changes {
			rest++
		}
	}
	if rest > 0 {
		fmt.Fprintf(c.errs, "detlint: -fix=all mends %d more, and changes the results of the game\n", rest)
	}
	return done.Left, nil
}

func (c *command) write(r *Result) error {
	if c.format == "json" {
		e := json.NewEncoder(c.out)
		e.SetIndent("", "\t")
		return e.Encode(r)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if c.format == "sarif" {
		return report.SARIF(c.out, dir, r.Findings, r.Unproved, r.Trusted)
	}
	if err := report.Text(c.out, dir, append(slices.Clip(r.Findings), r.Unproved...)); err != nil {
		return err
	}
	if err := report.TextTrusted(c.out, dir, r.Trusted); err != nil {
		return err
	}
	return report.TextProofs(c.out, dir, r.Proofs)
}

// explain lists the rules, or explains one.
func explain(args []string, out, errs io.Writer) int {
	if args[0] == "rules" {
		for _, r := range rules.All() {
			fmt.Fprintf(out, "%-12s %s\n", r.Name, r.Short)
		}
		return 0
	}
	if len(args) != 2 || rules.Get(args[1]) == nil {
		given := "none was given"
		if len(args) > 1 {
			given = fmt.Sprintf("not %q", strings.Join(args[1:], " "))
		}
		var names []string
		for _, r := range rules.All() {
			names = append(names, r.Name)
		}
		fmt.Fprintf(errs, "detlint: explain takes the name of a rule, %s; there are: %s\n", given, strings.Join(names, ", "))
		return 2
	}
	r := rules.Get(args[1])
	fmt.Fprintf(out, "%s: %s\n\nInstead: %s.\n\n%s", r.Name, r.Short, r.Fix, r.Section())
	if r.Duty != "" {
		fmt.Fprintf(out, "\nWhat a step owes: docs/rules-of-determinism.md, %q.\n", r.Duty)
	}
	return 0
}
