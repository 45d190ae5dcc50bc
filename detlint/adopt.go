package detlint

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/adopt"
	"github.com/tickback/tickback/detlint/internal/load"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Adoption is what is known of a game that does not use Tickback yet.
type Adoption struct {
	Root     string    // the step, as [Options.Roots] name it
	Dir      string    // the folder of its package
	Code     []byte    // a file for this package that gives the game to Tickback
	Test     []byte    // a test of that, for the same package
	Findings []Finding // what can diverge in what the step reaches, in a strict build

	functions int
	floats    int // findings that a strict build takes away
	game      *adopt.Game
	rules     map[string][]token.Position
}

// StepError says that it is not clear which function is the step of a game.
type StepError struct {
	Candidates []string // functions that have a name of a step; may be none
}

// Error says how to name the step.
func (e *StepError) Error() string {
	if len(e.Candidates) == 0 {
		return "no function here is called Update, Step, Tick or Advance: name the one that computes a frame, package.Func or package.Type.Method"
	}
	return "which of these computes a frame? " + strings.Join(e.Candidates, ", ")
}

// Adopt finds out what a game is made of that does not use Tickback yet, and writes the code that gives it to
// Tickback: [Adoption.Code]. The first of Options.Roots is the function that computes a frame; without one it is found
// by its name, and a [*StepError] says that none or several may be meant. Nothing is written to the disk.
func Adopt(o Options) (*Adoption, error) {
	p, err := load.Load(load.Config{Dir: o.Dir, Patterns: o.Patterns, Tags: o.Tags, Env: o.Env, Overlay: o.overlay, All: true, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, errors.New("there is nothing to read in these packages")
	}
	if o.Progress != nil {
		o.Progress("examining what they have", 0, 0)
	}
	scan := p.NewScan()
	known := scan.Packages(p.Packages)
	inFile := func(file string) bool { return p.Asked[file] || p.Home[file] != "" }
	own := map[string]bool{}
	for _, path := range p.Home {
		own[path] = true
	}
	home := func(path string) bool { return own[path] }
	name := ""
	if len(o.Roots) > 0 {
		name = o.Roots[0]
	} else {
		asked := func(fn *ssa.Function) bool { return p.Asked[p.Fset.Position(fn.Pos()).Filename] }
		candidates := adopt.Candidates(p.Packages, asked, home)
		if len(candidates) != 1 {
			return nil, &StepError{candidates}
		}
		name = candidates[0]
	}
	roots, err := scan.Named([]string{name})
	if err != nil {
		return nil, err
	}
	step := scan.Function(roots[0].Call.Target)
	if len(roots) != 1 || step == nil || step.Signature.TypeParams().Len() > 0 || step.Signature.RecvTypeParams().Len() > 0 {
		return nil, fmt.Errorf("%s is not one function: a package, or a function with type parameters, cannot be adopted", name)
	}
	world := &reach.World{Func: scan.Func, Packages: []*reach.Package{known}, Home: inFile, Left: map[string]string{}}
	for _, l := range p.Left {
		world.Left[l.Path] = l.Reason
	}
	plain := world.Link(roots)
	world.Strict = true
	linked := world.Link(roots)
	a := &Adoption{Root: name, game: adopt.Survey(p.Fset, step, linked.Found, home), functions: functions(linked.Reached), rules: map[string][]token.Position{}}
	a.Test = a.game.Test()
	a.Dir = filepath.Dir(a.game.At.Filename)
	all, _ := report.Suppress(p.Fset, p.Syntax(), p.Asked, func(map[string]bool) []*reach.Func { return nil }, report.Findings(linked.Found))
	a.Findings, _ = report.Notes(report.AtHome(all, inFile))
	a.floats = max(0, len(plain.Found)-len(linked.Found))
	for _, f := range a.Findings {
		a.rules[f.Rule] = append(a.rules[f.Rule], f.Position)
	}
	if a.Code, err = a.game.Code(); err != nil {
		return nil, fmt.Errorf("writing the code for %s: %w", name, err)
	}
	return a, nil
}

// Text writes for people what a game is made of. Positions are relative to dir.
func (a *Adoption) Text(w io.Writer, dir string) error {
	b := &strings.Builder{}
	at := func(p token.Position) string { return fmt.Sprintf("%s:%d", report.Relative(dir, p.Filename), p.Line) }
	fmt.Fprintf(b, "%s (%s) computes a frame, with %s.\n\nIts state:\n", a.Root, at(a.game.At), counted(a.functions, "function"))
	for _, m := range a.game.Members {
		fmt.Fprintf(b, "  %s (%s)", m.Type.(*types.Named).Obj().Name(), at(m.At))
		if len(m.Holds) > 0 {
			fmt.Fprintf(b, ", with %s", strings.Join(m.Holds, ", "))
		}
		b.WriteByte('\n')
	}
	var read []adopt.Variable
	for _, v := range a.game.Variables {
		if v.Changed {
			fmt.Fprintf(b, "  the package variable %s (%s), changed at %s\n", v.Name, at(v.At), places(v.Places, at))
		} else {
			read = append(read, v)
		}
	}
	for _, t := range a.game.Other {
		fmt.Fprintf(b, "  values of %s, of another module: saved with everything that they lead to\n", t)
	}
	if len(a.game.Members) == 0 && len(a.game.Variables) == len(read) {
		b.WriteString("  none was found: the step changes nothing that it gets, and no package variable\n")
	}
	if len(read) > 0 {
		b.WriteString("\nRead, and changed elsewhere; make them inputs, or parameters of the match:\n")
		for _, v := range read {
			fmt.Fprintf(b, "  the package variable %s (%s), at %s\n", v.Name, at(v.At), places(v.Places, at))
		}
	}
	if len(a.game.Refused) > 0 {
		b.WriteString("\nCannot be saved as they are; the code says what is done with them:\n")
		for _, r := range a.game.Refused {
			what := r.What + ", left out"
			if r.Func {
				what = r.What + ", restored, but not what it has captured"
			}
			fmt.Fprintf(b, "  %s (%s): %s\n", r.Place, at(r.At), what)
		}
	}
	a.diverging(b, at)
	_, err := io.WriteString(w, b.String())
	return err
}

// diverging writes what can diverge, by rules.
func (a *Adoption) diverging(b *strings.Builder, at func(token.Position) string) {
	strict := a.floats
	var order []*rules.Rule
	for _, r := range rules.All() {
		switch n := len(a.rules[r.Name]); {
		case n == 0 || r.Name == "globals": // told as variables
		default:
			order = append(order, r)
		}
	}
	if len(order) > 0 {
		fmt.Fprintf(b, "\nWould not be the same on each machine (vet --strict -root %s says why, and what to do):\n", a.Root)
	}
	for _, r := range order {
		fmt.Fprintf(b, "  %-12s %3d  %s\n", r.Name, len(a.rules[r.Name]), places(a.rules[r.Name], at))
	}
	if strict == 1 {
		b.WriteString("\n1 place with floats differs between processors, and not in a strict build: nothing has to be changed.\n")
	} else if strict > 1 {
		fmt.Fprintf(b, "\n%d places with floats differ between processors, and not in a strict build: nothing has to be changed.\n", strict)
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// places names up to six places, each file once for places in a row.
func places(list []token.Position, at func(token.Position) string) string {
	var parts []string
	last := ""
	for i, p := range list {
		if i == 6 {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		if p.Filename == last {
			parts = append(parts, fmt.Sprint(p.Line))
		} else {
			parts = append(parts, at(p))
		}
		last = p.Filename
	}
	return strings.Join(parts, ", ")
}
