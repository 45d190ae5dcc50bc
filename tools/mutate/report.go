package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// A tally counts the verdicts on a package's mutants.
type tally struct {
	killed, further, timeouts, survived, invalid, equivalent int
}

func (t *tally) tested() int { return t.killed + t.further + t.timeouts + t.survived }

func (t *tally) add(o tally) {
	t.killed += o.killed
	t.further += o.further
	t.timeouts += o.timeouts
	t.survived += o.survived
	t.invalid += o.invalid
	t.equivalent += o.equivalent
}

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// A report gathers the results of a sample.
type report struct {
	out     io.Writer
	tallies map[string]*tally
}

func (r *report) of(path string) *tally {
	if r.tallies[path] == nil {
		r.tallies[path] = &tally{}
	}
	return r.tallies[path]
}

// record counts a verdict, and prints a line of progress, with all details of a survivor. by is the stage that gave
// the verdict.
func (r *report) record(m *Mutant, v Verdict, by string) {
	t := r.of(m.Package)
	switch {
	case v == Invalid:
		t.invalid++
	case v == Survived:
		t.survived++
	case v == TimedOut:
		t.timeouts++
	case by == m.Package:
		t.killed++
	default:
		t.further++
	}
	if by = " by " + by; v == Survived || v == Invalid {
		by = ""
	}
	fmt.Fprintf(r.out, "%s %s:%d %s: %s%s\n", m.ID(), m.Package, m.Line, m.Change, v, by)
	if v == Survived {
		fmt.Fprintf(r.out, "  %s:%d in %s\n%s    again: PACKAGES=%s ONLY=%s make mutate\n",
			m.File, m.Line, m.Func, m.diff(), m.Package, m.ID())
	}
}

// print prints the table. It returns the percentage that was killed.
func (r *report) print() float64 {
	fmt.Fprintln(r.out)
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PACKAGE\tMUTANTS\tKILLED\tBY OTHERS\tTIMED OUT\tSURVIVED\tSHARE\tEQUIVALENT\tNOT COMPILED")
	var total tally
	names := make([]string, 0, len(r.tallies))
	for name, t := range r.tallies {
		names = append(names, name)
		total.add(*t)
	}
	slices.Sort(names)
	row := func(name string, t *tally) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\n", name, t.tested(), t.killed, t.further,
			t.timeouts, t.survived, share(t.tested()-t.survived, t.tested()), t.equivalent, t.invalid)
	}
	for _, name := range names {
		row(name, r.tallies[name])
	}
	row("all", &total)
	w.Flush()
	if total.tested() == 0 {
		return 0
	}
	return 100 * float64(total.tested()-total.survived) / float64(total.tested())
}
