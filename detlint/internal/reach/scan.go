package reach

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Scan reads whole packages: it collects what a link has to know even about functions that nothing reaches.
type Scan struct {
	*summariser
	byID  map[string]*ssa.Function
	queue []*ssa.Function
	funcs map[string]*Func // the summaries made so far
	pkg   *Package         // everything that is scanned
	decls map[*ssa.Package][]ast.Node
}

// NewScan returns a scan of a program.
func (p *Program) NewScan() *Scan {
	s := &Scan{summariser: p.summariser(), byID: map[string]*ssa.Function{}, funcs: map[string]*Func{}, decls: map[*ssa.Package][]ast.Node{}}
	s.pkg = &Package{Types: s.types, Structs: s.structs, Writes: map[string]token.Position{}, Foreign: map[string]bool{}}
	p.onDemand = s.add
	return s
}

// add queues a function, once, with the literals in it.
func (s *Scan) add(fn *ssa.Function) {
	if rules.Bodyless(fn) {
		s.pkg.Foreign[IDOf(fn)] = true
	}
	if len(fn.Blocks) == 0 || s.byID[IDOf(fn)] != nil {
		return
	}
	if pkg, _ := rules.NameOf(fn); std.Known(pkg) || s.borrowed(fn) {
		return
	}
	s.byID[IDOf(fn)] = fn
	s.queue = append(s.queue, fn)
	for _, a := range fn.AnonFuncs {
		s.add(a)
	}
}

// borrowed reports whether a function is in a package that is only loaded for its generic functions, and is not an
// instance of one, nor a part of an instance.
func (s *Scan) borrowed(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Origin() == nil && s.source(fn).Borrowed
}

// Packages scans these packages, and returns what is known about them, without summaries of functions: Func makes
// those.
func (s *Scan) Packages(list []*ssa.Package) *Package {
	var all []*ssa.Function
	for _, p := range list {
		s.members(p)
	}
	w := &walker{s: s.summariser, scans: true}
	callers, invoked := map[*ssa.Function][]*ssa.Function{}, map[string]bool{}
	for len(s.queue) > 0 {
		fn := s.queue[0]
		s.queue = s.queue[1:]
		all = append(all, fn)
		s.pkg.Roots = append(s.pkg.Roots, s.roots(fn)...)
		if r, ok := s.marked(fn); ok {
			s.pkg.Roots = append(s.pkg.Roots, r)
		}
		w.f = &Func{}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				w.instruction(in)
				if call, ok := in.(ssa.CallInstruction); ok {
					if callee := call.Common().StaticCallee(); callee != nil {
						callers[callee] = append(callers[callee], fn)
					}
				}
			}
		}
		for _, c := range w.f.Calls {
			if c.Kind == Invoke {
				invoked[c.Target] = true
			}
		}
		s.pkg.Makes = append(s.pkg.Makes, w.f.Makes...)
		for _, t := range w.f.Takes {
			t.By = repository(IDOf(fn))
			s.pkg.Takes = append(s.pkg.Takes, t)
		}
	}
	s.pkg.Makes, s.pkg.Takes = unique(s.pkg.Makes), unique(s.pkg.Takes)
	s.pkg.Lent = slices.Sorted(maps.Keys(s.lends))
	d := &dispatch{s, (&World{Packages: append([]*Package{s.pkg}, s.Imported...)}).knowledge(), map[string][]flow.Callee{}}
	s.Flow().Callees = d.of
	start := s.starts(all, callers, invoked, slices.ContainsFunc(list, func(p *ssa.Package) bool { return p.Pkg.Name() == "main" }))
	s.calls = start.closed(all)
	s.writes(all, start)
	for _, fn := range all {
		for _, x := range rules.Examine(s.context(fn), true) {
			s.pkg.Outside = append(s.pkg.Outside, s.finding(x))
		}
	}
	s.kept(all)
	return s.pkg
}

func unique[T comparable](list []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(list, func(x T) bool {
		was := seen[x]
		seen[x] = true
		return was
	})
}

// members queues all functions and methods of a package.
func (s *Scan) members(p *ssa.Package) {
	for _, name := range slices.Sorted(maps.Keys(p.Members)) {
		switch m := p.Members[name].(type) {
		case *ssa.Function:
			s.add(m)
		case *ssa.Type:
			n, ok := m.Type().(*types.Named)
			if !ok {
				continue
			}
			for i := range n.NumMethods() {
				if fn := p.Prog.FuncValue(n.Method(i)); fn != nil {
					s.add(fn)
				}
			}
		}
	}
}

// starts finds out which functions only run at the start of the program. In a whole program no other code calls
// exported functions. An unexported method is only called through an interface by its own package, which was scanned:
// invoked has these calls.
func (s *Scan) starts(all []*ssa.Function, callers map[*ssa.Function][]*ssa.Function, invoked map[string]bool, whole bool) *starts {
	start := &starts{scan: s, whole: whole, callers: callers, values: map[string]bool{}, later: map[*ssa.Function]bool{}}
	for _, t := range s.pkg.Takes {
		start.values[t.ID] = true
	}
	for _, methods := range s.types {
		for _, m := range methods {
			if name, _, _ := strings.Cut(m.Key, " "); invoked[m.Key] || ast.IsExported(name) {
				start.values[m.ID] = true
			}
		}
	}
	start.find(all)
	return start
}

// writes records package variables that may change after the start of the program.
func (s *Scan) writes(all []*ssa.Function, start *starts) {
	for _, fn := range all {
		w := rules.Writes(s.context(fn))
		if len(w) == 0 || start.only(fn) {
			continue
		}
		for g, pos := range w {
			if _, ok := s.pkg.Writes[g]; !ok {
				s.pkg.Writes[g] = s.Fset.Position(pos)
			}
		}
	}
}

// Function returns the function with an ID, or nil if it is not in the program.
func (s *Scan) Function(id string) *ssa.Function { return s.byID[id] }

// Func returns the summary of a function, or of the initialisation of a package variable ("var " and its name), or
// nil if it is not in the program.
func (s *Scan) Func(id string) *Func {
	if f, ok := s.funcs[id]; ok {
		return f
	}
	var f *Func
	if name, ok := strings.CutPrefix(id, "var "); ok {
		f = s.variable(id, name)
	} else if fn := s.byID[id]; fn != nil {
		f = s.function(fn)
	}
	if f == nil && s.Program.Elsewhere != nil {
		f = s.Program.Elsewhere(id)
	}
	s.funcs[id] = f
	return f
}

// Unreached returns the summaries of the functions in these files that are not among the reached ones.
func (s *Scan) Unreached(files map[string]bool, reached []*Func) (list []*Func) {
	at := map[token.Position]bool{} // instances of a generic function have the same position
	for _, f := range reached {
		at[f.At] = true
	}
	for _, id := range slices.Sorted(maps.Keys(s.byID)) {
		if pos := s.Fset.Position(s.byID[id].Pos()); files[pos.Filename] && !at[pos] {
			list = append(list, s.Func(id))
		}
	}
	return list
}

// variable makes the summary of the initialisation of a package variable: its part of the package's initialisation,
// and functions init that write to it.
func (s *Scan) variable(id, name string) *Func {
	i := strings.LastIndex(name, ".")
	p := s.SSA.ImportedPackage(name[:i])
	if p == nil {
		for _, q := range s.SSA.AllPackages() {
			if q.Pkg.Path() == name[:i] && len(s.Sources[q.Pkg].Files) > 0 {
				p = q
			}
		}
	}
	if p == nil || len(s.Sources[p.Pkg].Files) == 0 {
		return nil
	}
	g := p.Var(name[i+1:])
	if g == nil {
		return nil
	}
	f := &Func{ID: id, Name: "the initialisation of " + p.Pkg.Name() + "." + g.Name(), At: s.Fset.Position(g.Pos())}
	s.initialiser(f, p, g)
	for j := 1; ; j++ {
		fn := p.Func("init#" + itoa(j))
		if fn == nil {
			break
		}
		if _, ok := rules.Writes(s.context(fn))[g.String()]; ok {
			f.Calls = append(f.Calls, Call{Kind: Static, Target: IDOf(fn), At: s.Fset.Position(fn.Pos())})
		}
	}
	return f
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// initialiser adds the code in the declaration of a variable.
func (s *Scan) initialiser(f *Func, p *ssa.Package, g *ssa.Global) {
	var spec *ast.ValueSpec
	for _, file := range s.Sources[p.Pkg].Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Pos() <= g.Pos() && g.Pos() < d.End() {
				for _, x := range d.Specs {
					if v, ok := x.(*ast.ValueSpec); ok && v.Pos() <= g.Pos() && g.Pos() < v.End() {
						spec = v
					}
				}
			}
		}
	}
	fn := p.Func("init")
	if spec == nil || fn == nil {
		return
	}
	within := func(pos token.Pos) bool { return spec.Pos() <= pos && pos < spec.End() }
	c := s.context(fn)
	c.Syntax = spec
	for _, x := range rules.Examine(c, false) {
		if within(x.Pos) {
			f.Findings = append(f.Findings, s.finding(x))
		}
	}
	w := walker{s: s.summariser, f: f, at: f.At}
	inside := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if pos := in.Pos(); pos.IsValid() {
				inside = within(pos)
			}
			st, stores := in.(*ssa.Store)
			if inside || stores && st.Addr == g {
				w.instruction(in)
			}
		}
	}
	f.Calls = slices.DeleteFunc(f.Calls, func(c Call) bool { return c.Target == "var "+g.String() })
}

// All returns the summaries of everything that was scanned, and of the initialisation of its package variables, to be
// stored.
func (s *Scan) All() *Package {
	s.pkg.Funcs = map[string]*Func{}
	ids := slices.Collect(maps.Keys(s.byID))
	for _, p := range s.SSA.AllPackages() {
		if src := s.Sources[p.Pkg]; len(src.Files) == 0 || src.Borrowed {
			continue
		}
		for _, m := range p.Members {
			if g, ok := m.(*ssa.Global); ok {
				ids = append(ids, "var "+g.String())
			}
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if f := s.Func(id); f != nil {
			s.pkg.Funcs[id] = f
		}
	}
	return s.pkg
}
