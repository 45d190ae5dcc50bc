package reach

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/typekey"
)

// Step is a call on the path from a root to a finding.
type Step struct {
	Name string         // the name of the function that is called
	At   token.Position // the position of the call, or of the place where a root is passed to a game
}

// Reached is a finding in something that a root reaches.
type Reached struct {
	Finding
	Role   string // the role of the root
	Game   string
	Chain  []Step         // the path from the root to the function with the finding
	Claims []int          // the claims that are disproved by it
	Via    token.Position // the call in the user's own code that leads to a library, if the finding is in one
}

// World is the input of a link: summaries on demand, and what packages say about themselves.
type World struct {
	Func     func(id string) *Func
	Packages []*Package
	Left     map[string]string      // packages that could not be read, and why
	Home     func(file string) bool // whether a file is of the user's own code; nil: all are
	Strict   bool                   // floats of all games are judged as in a strict build
}

// Link finds everything that the roots reach, and the findings of the rules in it.
func (w *World) Link(roots []Root) *Linked {
	k := w.knowledge()
	roots = judgedFloats(roots, w.Strict)
	groups := map[string][]Root{}
	var order []string
	for _, r := range roots {
		if groups[r.Group] == nil {
			order = append(order, r.Group)
		}
		groups[r.Group] = append(groups[r.Group], r)
	}
	linked := &Linked{}
	through := map[string]bool{} // by any of the games, since they may share types
	calls := map[dynamic]bool{}  // whether they are followed
	for _, g := range order {
		l := &linker{World: w, k: k, reached: map[string]*visit{}, makes: map[string]bool{}, takes: map[Taken]bool{}, loads: map[string][]string{}, recalled: map[string]bool{}, touch: map[string]*Fields{}}
		l.plain = slices.ContainsFunc(groups[g], func(r Root) bool { return strings.HasPrefix(r.Game, "rollback.Game[") })
		l.own = slices.ContainsFunc(groups[g], func(r Root) bool { return strings.HasPrefix(r.Game, "rollback.OwnMemory[") })
		l.strict = groups[g][0].Floats == Strict
		if i := slices.IndexFunc(groups[g], func(r Root) bool { return r.State != "" }); i >= 0 {
			l.state = groups[g][i].State
		}
		l.run(groups[g], len(linked.Claims))
		l.spreadClaims()
		l.findDoors()
		linked.Found = append(linked.Found, l.findings(groups[g])...)
		linked.Found = append(linked.Found, l.unfollowed(calls)...)
		l.writesThrough(through)
		for _, v := range l.order {
			linked.Reached = append(linked.Reached, v.f)
		}
		for _, c := range l.claims {
			linked.Claims = append(linked.Claims, c.Claim)
		}
	}
	for _, followed := range calls {
		if followed {
			linked.Resolved++
		} else {
			linked.Open++
		}
	}
	linked.Found = slices.DeleteFunc(linked.Found, func(r Reached) bool { return r.Through != "" && !through[r.Through] })
	linked.Found = distinct(linked.Found)
	return linked
}

// distinct keeps one of equal findings, with the claims of all: instances of a generic function, and games that share
// code, have equal ones.
func distinct(list []Reached) (kept []Reached) {
	slices.SortStableFunc(list, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(a.At.Filename, b.At.Filename), cmp.Compare(a.At.Line, b.At.Line),
			cmp.Compare(a.At.Column, b.At.Column), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Via.Filename, b.Via.Filename),
			cmp.Compare(a.Via.Offset, b.Via.Offset), cmp.Compare(len(a.Chain), len(b.Chain)))
	})
	for _, r := range list {
		if n := len(kept); n > 0 && kept[n-1].At == r.At && kept[n-1].Rule == r.Rule && kept[n-1].Message == r.Message && kept[n-1].Via == r.Via {
			kept[n-1].Claims = unique(append(slices.Clip(kept[n-1].Claims), r.Claims...))
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// visit records how a function was reached.
type visit struct {
	f     *Func
	from  *visit // nil for a root
	at    token.Position
	root  *Root
	roles map[string]bool
	calls []edge

	claims []*claim // the claims that depend on it
}

// gameKind is what the linker knows of its game.
type gameKind struct {
	plain  bool   // the state is plain, and canon has its hash and its encoding
	own    bool   // the state is memory of the game's own, which may have functions in it
	strict bool   // floats are the same in all programs that are built in strict mode
	state  string // the full name of the type of the state, if it is a named struct
}

// linker links one game.
type linker struct {
	*World
	gameKind
	k        *knowledge
	reached  map[string]*visit
	order    []*visit
	makes    map[string]bool
	takes    map[Taken]bool
	recalled map[string]bool     // functions that were found in the program's memory
	loads    map[string][]string // the places of callable values that others have stored there
	values   map[string][]string // the functions of takes by signature, in the order in which they were reached
	waiting  []*pending          // calls whose callees may still be found
	near     map[string]bool     // the packages of code that was certainly reached
	library  []Finding
	from     []*visit           // of library
	touch    map[string]*Fields // by role; only used after everything is reached
	claims   []*claim
	doors    doors
	unread   []missed // calls of functions without a summary
}

// run reaches everything; claims are numbered from the given number on.
func (l *linker) run(roots []Root, number int) {
	l.values = map[string][]string{}
	for i := range roots {
		l.begin(&roots[i], number)
	}
	for done := 0; ; {
		for done < len(l.order) {
			v := l.order[done]
			done++
			for _, m := range v.f.Makes {
				l.makes[m] = true
			}
			for _, x := range v.f.Loads {
				l.load(x)
			}
			for _, t := range v.f.Takes {
				if !l.takes[t] {
					l.takes[t] = true
					l.values[t.Signature] = append(l.values[t.Signature], t.ID)
				}
			}
			for _, c := range v.f.Calls {
				l.follow(v, c)
			}
		}
		before := len(l.order)
		for _, p := range l.waiting {
			l.resolve(p, false)
		}
		if len(l.order) > before {
			continue
		}
		l.near = l.repositories()
		for _, p := range l.waiting { // a call without a callee may get one from outside
			l.resolve(p, true)
		}
		if len(l.order) == before {
			return
		}
	}
}

// load records a place, and the places whose values were copied to it.
func (l *linker) load(x Load) {
	if slices.Contains(l.loads[x.What], x.Place) {
		return
	}
	l.loads[x.What] = append(l.loads[x.What], x.Place)
	for _, m := range l.k.moves[x.What] {
		if m.To == x.Place || m.To == anywhere {
			l.load(Load{x.What, m.From})
		}
	}
}

// begin enters a root.
func (l *linker) begin(root *Root, number int) {
	c := l.claim(root, number)
	c.Roots++
	targets := []string{root.Call.Target}
	if root.Call.Kind != Static {
		targets = nil
		for _, t := range l.k.takes[root.Call.Target] {
			targets = append(targets, t.ID)
		}
	}
	known := false
	for _, id := range targets {
		if v := l.enter(nil, root.Call, id, root); v != nil {
			c.entries, known = append(c.entries, v), true
			if c.Func == "" {
				c.Func = v.f.Name
			}
		}
	}
	if !known && !strings.HasPrefix(root.Call.Target, "var ") {
		c.lost = append(c.lost, root.Call)
	}
}

// enter reaches a function, and returns its visit if it has a summary.
func (l *linker) enter(from *visit, c Call, id string, root *Root) *visit {
	if v := l.reached[id]; v != nil {
		if from != nil {
			from.calls = append(from.calls, edge{v, c.At})
		}
		if root != nil {
			v.add(root.Role)
		}
		return v
	}
	pkg, name := split(id)
	if from != nil && std.Trusted(pkg) && !l.inside(from, pkg) {
		if c.Kind != Static && name == "Tick.Resimulating" {
			l.library = append(l.library, Finding{Rule: "status", Message: "this may tell whether a frame is simulated again, which differs between machines", At: c.At})
			l.from = append(l.from, from)
		}
		return nil
	}
	if strings.HasPrefix(name, "_Cfunc_") || strings.HasPrefix(name, "_C2func_") {
		return nil // made by cgo: the call is a finding
	}
	f := l.Func(id)
	if f == nil {
		l.unknown(from, c, id, pkg, name)
		return nil
	}
	v := &visit{f: f, from: from, at: c.At, root: root, roles: map[string]bool{}}
	if root != nil {
		v.add(root.Role)
	} else {
		from.calls = append(from.calls, edge{v, c.At})
	}
	l.reached[id] = v
	l.order = append(l.order, v)
	return v
}

func (v *visit) add(role string) { v.roles["="+role] = true }

// inside reports whether a function is in a package, so that its callees there are examined.
func (l *linker) inside(v *visit, pkg string) bool {
	p, _ := split(v.f.ID)
	return p == pkg
}

// unknown judges a function without a summary, if a call through an interface or a function value reaches it. (Static
// calls are judged by the rules.)
func (l *linker) unknown(from *visit, c Call, id, pkg, name string) {
	if from != nil {
		l.lost(from, c, id, pkg)
	}
	if from == nil || c.Kind == Static || !std.Known(pkg) {
		return
	}
	if v := std.Lookup(pkg, name); v.Kind == std.Refused && !l.taken(id) {
		if l.strict && rules.Get(v.Rule).Build() {
			return
		}
		l.library = append(l.library, Finding{Rule: v.Rule, Message: "this may call " + pkg + "." + name + ": " + v.Reason, At: c.At, Fix: rules.Instead(pkg, name)})
		l.from = append(l.from, from)
	}
}

// PackageOf returns the path of the package of a function or of a package variable ("var " and its name), by its full
// name.
func PackageOf(id string) string {
	pkg, _ := split(id)
	return pkg
}

// taken reports whether a reached function uses a function as a value; that use is then a finding.
func (l *linker) taken(id string) bool {
	for t := range l.takes {
		if t.ID == id {
			return true
		}
	}
	return false
}

// split splits the name of a function: into its package, and its name there with the type.
func split(id string) (pkg, name string) {
	id = strings.TrimPrefix(id, "var ")
	id, _, _ = strings.Cut(id, typekey.LocalMark)
	if rest, ok := strings.CutPrefix(id, "("); ok {
		typ, method, _ := strings.Cut(strings.TrimPrefix(rest, "*"), ")")
		if b := strings.IndexByte(typ, '['); b >= 0 {
			typ = typ[:b]
		}
		i := strings.LastIndexByte(typ, '.')
		if i < 0 {
			return "", id
		}
		method = strings.TrimPrefix(method, ".")
		if j := strings.IndexByte(method, '$'); j >= 0 {
			method = method[:j]
		}
		return typ[:i], typ[i+1:] + "." + method
	}
	if b := strings.IndexByte(id, '['); b >= 0 {
		id = id[:b]
	}
	i := strings.LastIndexByte(id, '/')
	j := strings.IndexByte(id[i+1:], '.')
	if j < 0 {
		return "", id
	}
	return id[:i+1+j], id[i+1+j+1:]
}

// chain returns the path from the root to a function.
func (v *visit) chain() (list []Step, root *Root) {
	for ; v != nil; v = v.from {
		list = append(list, Step{v.f.Name, v.at})
		root = v.root
	}
	slices.Reverse(list)
	return list, root
}

// spread determines the roles from which each function is reached.
func (l *linker) spread() {
	work := slices.Clone(l.order)
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		if strings.HasPrefix(v.f.ID, "var ") {
			continue // the initialisation of variables is over before any step
		}
		for _, e := range v.calls {
			c, changed := e.to, false
			for r := range v.roles {
				if r = strings.TrimPrefix(r, "="); !c.roles[r] {
					c.roles[r], changed = true, true
				}
			}
			if changed {
				work = append(work, c)
			}
		}
	}
}

// findings returns the findings that count.
func (l *linker) findings(roots []Root) (list []Reached) {
	l.spread()
	for _, v := range l.order {
		for _, f := range v.f.Findings {
			if l.counts(v, f) {
				list = append(list, l.reachedBy(v, f)...)
			} else if f.Rule == "closure" && l.ofStep(f) && l.keeps(cmp.Or(f.Value, v.f.ID)) {
				f.Rule, f.Fix = rules.Unproved, "make it a type with a method and fields, in an interface: that is saved like all of the state"
				f.Message += "; nobody knows whether the state keeps the closure from frame to frame"
				list = append(list, l.reachedBy(v, f)...)
			}
		}
	}
	for i, f := range l.library {
		if slices.ContainsFunc(list, func(r Reached) bool {
			return r.Rule == f.Rule && r.At.Filename == f.At.Filename && r.At.Line == f.At.Line
		}) {
			continue // this was already reported for what is called there
		}
		list = append(list, l.reachedBy(l.from[i], f)...)
	}
	return append(list, l.incomplete(roots)...)
}

// ofStep reports whether the maker of the closure that a finding is about is a part of the step as well: then its variables
// end with the step, unless the state keeps the closure.
func (l *linker) ofStep(f Finding) bool {
	p := l.reached[f.Parent]
	return p != nil && len(p.roles) > 0
}

// keeps reports whether a function may be kept in a game that has memory of its own, from frame to frame: something
// stores it in a field, or in what a field refers to, and the step calls functions that it finds there; or something makes
// it an interface, and stores that so.
func (l *linker) keeps(id string) bool {
	if !l.own {
		return false
	}
	for signature, list := range l.k.takes {
		for _, t := range list {
			inField := t.Place != anywhere && t.Place != library && t.Place != boxed && !strings.HasPrefix(t.Place, "var")
			if t.ID == id && (t.Place == boxed || inField && slices.Contains(l.loads[signature], t.Place)) {
				return true
			}
		}
	}
	return false
}

// counts reports whether the conditions of a finding are met.
func (l *linker) counts(v *visit, f Finding) bool {
	if f.Global != "" {
		if _, ok := l.k.writes[f.Global]; !ok {
			return false
		}
	}
	if f.Rule == "globals" && len(v.roles) == 0 {
		return false // it initialises variables, before any step
	}
	if l.ofStep(f) {
		return false
	}
	if f.Plain && !l.plain || f.Own && !l.own || f.Build && l.strict {
		return false
	}
	if f.Rule == "readonly" && len(f.Roles) == 1 {
		both := v.roles["=Save"] && v.roles["=Restore"] // it is not known which of the two this is
		if both || !l.changesState(strings.TrimPrefix(f.Roles[0], "=")) {
			return false
		}
	}
	if len(f.Roles) == 0 {
		return true
	}
	if l.recalled[v.f.ID] && !l.taken(v.f.ID) && slices.ContainsFunc(f.Roles, func(r string) bool { return v.roles[strings.TrimPrefix(r, "=")] }) {
		return true // it was made before, such as a root
	}
	return slices.ContainsFunc(f.Roles, func(r string) bool { return v.roles[r] || v.roles["="+r] })
}

// writesThrough records the fields that refer to memory to which a reached function writes.
func (l *linker) writesThrough(fields map[string]bool) {
	for _, v := range l.order {
		if len(v.roles) == 0 {
			continue // it initialises variables, before any step
		}
		for t, names := range v.f.Fields.Through {
			for _, name := range names {
				fields[t+"."+name] = true
			}
		}
	}
}
