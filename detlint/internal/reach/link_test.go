package reach

import (
	"fmt"
	"go/token"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// random makes a world of functions that call each other directly, through interfaces of one or two methods, and
// through values of two function types. Each function has a finding.
func random(r *rand.Rand) (*World, map[string]*Func, []Root) {
	const functions, types = 14, 5
	methods, places := []string{"A f()", "B f()"}, []string{anywhere, "x", "y", "z"}
	funcs, pkg := map[string]*Func{}, &Package{Types: map[string][]Method{}}
	id := func() string { return fmt.Sprint("p.F", r.IntN(functions)) }
	for t := range types {
		key := fmt.Sprint("p.T", t)
		for _, m := range methods[r.IntN(2):] {
			pkg.Types[key] = append(pkg.Types[key], Method{m, id()})
		}
		pkg.Makes = append(pkg.Makes, key)
	}
	for i := range functions {
		f := &Func{ID: fmt.Sprint("p.F", i), Name: fmt.Sprint("F", i), Findings: []Finding{{Rule: "clock", At: token.Position{Line: i + 1}}}}
		for range r.IntN(3) {
			c := Call{At: token.Position{Line: 100*(i+1) + len(f.Calls)}}
			switch r.IntN(4) {
			case 0:
				c.Kind, c.Target, c.Needs = Invoke, methods[r.IntN(2)], methods
				if r.IntN(2) == 0 {
					c.Needs = []string{c.Target}
				}
			case 1:
				c.Kind, c.Target = Dynamic, fmt.Sprint("func", r.IntN(2))
			default:
				c.Target = id()
			}
			f.Calls = append(f.Calls, c)
		}
		if r.IntN(16) == 0 {
			f.Loads = []Load{{What: []string{"A f()", "B f()", "func0", "func1"}[r.IntN(4)], Place: places[r.IntN(4)]}}
		}
		if r.IntN(3) == 0 {
			f.Makes = append(f.Makes, fmt.Sprint("p.T", r.IntN(types)))
		}
		if r.IntN(3) == 0 {
			f.Takes = append(f.Takes, Taken{ID: id(), Signature: fmt.Sprint("func", r.IntN(2))})
		}
		for _, t := range f.Takes {
			t.By, t.Place = repository(f.ID), places[r.IntN(4)]
			pkg.Takes = append(pkg.Takes, t)
		}
		funcs[f.ID] = f
	}
	for range r.IntN(4) {
		pkg.Moves = append(pkg.Moves, Move{fmt.Sprint("func", r.IntN(2)), places[1+r.IntN(3)], places[r.IntN(4)]})
	}
	var roots []Root
	for _, role := range []string{"Step", "Save"} {
		roots = append(roots, Root{Group: "g", Game: "g", Role: role, Call: Call{Target: id(), At: token.Position{Line: 1}}})
	}
	return &World{Func: func(id string) *Func { return funcs[id] }, Packages: []*Package{pkg}}, funcs, roots
}

// callees lists the functions that a call may reach, by looking at everything reached so far: the types it makes and
// the functions it takes, or all of them if the value comes from outside or if, in the end, nothing reached fits.
func callees(w *World, funcs map[string]*Func, reached map[string]bool, c Call, last bool) (list []string) {
	if c.Kind == Static {
		return []string{c.Target}
	}
	var near, all []string
	add := func(id string, made bool) {
		all = append(all, id)
		if made {
			near = append(near, id)
		}
	}
	p := w.Packages[0]
	isMade := func(is func(f *Func) bool) bool {
		for id := range reached {
			if is(funcs[id]) {
				return true
			}
		}
		return false
	}
	for key, methods := range p.Types {
		if id, ok := implements(methods, c); c.Kind == Invoke && ok {
			add(id, isMade(func(f *Func) bool { return slices.Contains(f.Makes, key) }))
		}
	}
	for _, t := range p.Takes {
		if c.Kind == Dynamic && t.Signature == c.Target {
			t.By, t.Place = "", ""
			add(t.ID, isMade(func(f *Func) bool { return slices.Contains(f.Takes, t) }))
		}
	}
	if c.Kind == Invoke {
		if last && len(near) == 0 || isMade(func(f *Func) bool {
			return slices.ContainsFunc(f.Loads, func(x Load) bool { return x.What == c.Target })
		}) {
			return all
		}
		return near
	}
	if !last {
		return near
	}
	for _, t := range p.Takes {
		if t.Signature == c.Target && isMade(func(f *Func) bool {
			return slices.ContainsFunc(f.Loads, func(x Load) bool { return x.What == c.Target && comes(p.Moves, t, t.Place, x.Place, nil) })
		}) {
			near = append(near, t.ID)
		}
	}
	if len(near) == 0 {
		return all
	}
	return near
}

// comes reports whether a value stored in one place may be found in another.
func comes(moves []Move, t Taken, at, to string, way []Move) bool {
	return at == to || at == anywhere || to == anywhere || slices.ContainsFunc(moves, func(m Move) bool {
		return m.Signature == t.Signature && m.From == at && !slices.Contains(way, m) && comes(moves, t, m.To, to, append(way[:len(way):len(way)], m))
	})
}

// naive is what roots reach, found by going over everything again and again until nothing is added.
func naive(w *World, funcs map[string]*Func, roots []Root) map[string]bool {
	reached := map[string]bool{}
	for _, r := range roots {
		reached[r.Call.Target] = true
	}
	for last := false; ; {
		var more []string
		for id := range reached {
			for _, c := range funcs[id].Calls {
				more = append(more, callees(w, funcs, reached, c, last)...)
			}
		}
		before := len(reached)
		for _, id := range more {
			reached[id] = true
		}
		switch {
		case len(reached) > before:
			last = false
		case last:
			return reached
		default:
			last = true
		}
	}
}

// Rule: a link reaches what a naive search reaches, and each finding comes with a chain of calls that starts at a root
// and that the functions on it do make.
func TestALinkReachesWhatANaiveSearchReaches(t *testing.T) {
	total, worlds := 0, 3000
	if testing.Short() {
		worlds = 300
	}
	for seed := range uint64(worlds) {
		w, funcs, roots := random(rand.New(rand.NewPCG(seed, 7)))
		want := naive(w, funcs, roots)
		got := map[string]bool{}
		linked := w.Link(roots)
		found := slices.DeleteFunc(slices.Clone(linked.Found), func(r Reached) bool { return r.Rule == "unproved" })
		for _, f := range found {
			id := fmt.Sprint("p.F", f.At.Line-1)
			got[id] = true
			for i, s := range f.Chain {
				if i == 0 {
					if !slices.ContainsFunc(roots, func(r Root) bool { return r.Role == f.Role && r.Call.Target == "p."+s.Name }) {
						t.Fatalf("seed %d: %s is no root for %s", seed, s.Name, f.Role)
					}
					continue
				}
				caller := funcs["p."+f.Chain[i-1].Name]
				c := slices.IndexFunc(caller.Calls, func(c Call) bool {
					open := maps.Clone(funcs) // any possible callee: whether it is one is checked by what is reached
					open[caller.ID] = &Func{Loads: []Load{{What: c.Target}}, Makes: caller.Makes, Takes: caller.Takes}
					return c.At == s.At && slices.Contains(callees(w, open, want, c, true), "p."+s.Name)
				})
				if c < 0 {
					t.Fatalf("seed %d: %s does not call %s at %v", seed, caller.Name, s.Name, s.At)
				}
			}
			if last := f.Chain[len(f.Chain)-1]; "p."+last.Name != id {
				t.Fatalf("seed %d: the finding of %s has a chain to %s", seed, id, last.Name)
			}
		}
		if !reflect.DeepEqual(w.Link(roots), linked) {
			t.Fatalf("seed %d: the second link finds something else", seed)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: reached %v, want %v", seed, got, want)
		}
		total += len(want)
	}
	if total < worlds*3 || total > worlds*12 {
		t.Errorf("%d functions are reached in all: the worlds are not of the right kind", total)
	}
}

// Rule: a function value that nothing reached has made may come from other code that the game uses, but not from a
// library that it does not use.
func TestFunctionValuesFromElsewhere(t *testing.T) {
	const pause = "func(int)"
	funcs := map[string]*Func{
		"a.b/game/one.Step":      {Calls: []Call{{Kind: Dynamic, Target: pause}}},
		"a.b/game/one/set.Set":   {Findings: []Finding{{Rule: "clock", At: token.Position{Line: 1}}}},
		"c.d/other/tool.run$1":   {Findings: []Finding{{Rule: "clock", At: token.Position{Line: 2}}}},
		"a.b/gamelike/two.apply": {Findings: []Finding{{Rule: "clock", At: token.Position{Line: 3}}}},
	}
	pkg := &Package{}
	for id, f := range funcs {
		f.ID = id
		if len(f.Findings) > 0 {
			pkg.Takes = append(pkg.Takes, Taken{ID: id, Signature: pause, By: repository(id)})
		}
	}
	w := &World{Func: func(id string) *Func { return funcs[id] }, Packages: []*Package{pkg}}
	found := w.Link([]Root{{Group: "g", Role: "Step", Call: Call{Kind: Static, Target: "a.b/game/one.Step"}}}).Found
	if len(found) != 1 || found[0].At.Line != 1 {
		t.Errorf("found %+v, want what Set has", found)
	}
	for path, want := range map[string]string{
		"a.b/c/d/e.F": "a.b/c/d", "a.b/c/d.F": "a.b/c/d", "a.b/c.F": "a.b/c", "potato/rules.F": "potato", "(*a.b/c/d/v2.T).M": "a.b/c/d",
	} {
		if got := repository(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// Rule: the package and the name of a function are found in its full name.
func TestNamesAreTakenApart(t *testing.T) {
	for id, want := range map[string][2]string{
		"a/b.F":                      {"a/b", "F"},
		"a.b/c.F$1":                  {"a.b/c", "F$1"},
		"(*a/b.T).M":                 {"a/b", "T.M"},
		"(a/b.T[c/d.U]).M$1":         {"a/b", "T.M"},
		"a/b.F[c/d.U, e.V]":          {"a/b", "F"},
		"var a/b.x":                  {"a/b", "x"},
		"(*a.b/c/v2.T[int]).M$bound": {"a.b/c/v2", "T.M"},
	} {
		if pkg, name := split(id); pkg != want[0] || name != want[1] {
			t.Errorf("%s: %q, %q, want %q", id, pkg, name, want)
		}
	}
}
