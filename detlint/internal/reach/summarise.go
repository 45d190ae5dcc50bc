package reach

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/typekey"
)

// PackageSource is the source of a package: what the SSA form does not have.
type PackageSource struct {
	Files    []*ast.File
	Info     *types.Info
	Borrowed bool // only for instances of its generic functions: the rest is known from elsewhere
}

// Program is a set of packages in SSA form. Packages without a Source are described by Elsewhere, or by the tables of
// package std.
type Program struct {
	SSA       *ssa.Program
	Fset      *token.FileSet
	Sources   map[*types.Package]PackageSource
	Options   rules.Options
	Elsewhere func(id string) *Func   // a summary that was stored; nil if there is none
	Imported  []*Package              // stored information about the packages without a Source
	Variants  map[types.Object]string // declarations that differ on other machines, with the file that declares them

	calls    map[*ssa.Function][]*ssa.Call // the calls of functions that are called in no other way
	flow     *flow.Analysis
	machine  rules.Constants
	onDemand func(fn *ssa.Function)
}

// Flow returns the analysis of memory, which all summaries share.
func (p *Program) Flow() *flow.Analysis {
	if p.flow == nil {
		p.flow = flow.New(p.elsewhere)
	}
	return p.flow
}

// constants returns the constants in all sources that describe the machine.
func (p *Program) constants() rules.Constants {
	if p.machine == nil {
		p.machine = rules.Constants{}
		for obj, file := range p.Variants {
			if k, ok := obj.(*types.Const); ok {
				p.machine[k] = k.Name() + ", of which " + file + " has another one"
			}
		}
		for more := true; more; {
			more = false
			for _, src := range p.Sources {
				for _, f := range src.Files {
					more = p.machine.Add(f, src.Info) || more
				}
			}
		}
	}
	return p.machine
}

func (p *Program) elsewhere(fn *ssa.Function) (flow.Traits, bool) {
	pkg, name := rules.NameOf(fn)
	if std.Known(pkg) {
		t, ok := std.Traits(pkg, name)
		return t, ok
	}
	if p.Elsewhere != nil {
		if f := p.Elsewhere(IDOf(fn)); f != nil {
			return f.Traits, true
		}
	}
	return flow.Traits{}, false
}

// IDOf returns the name of a function. An instance of a generic function without a body here has the name of that
// function.
func IDOf(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil && len(fn.Blocks) == 0 {
		return typekey.Func(o)
	}
	return typekey.Func(fn)
}

// summariser makes summaries of functions, and collects what belongs to their package.
type summariser struct {
	*Program
	types   map[string][]Method
	structs map[string]Struct
	lends   map[string]bool // signatures of functions that the library returns

	outlives map[*ssa.Function]bool // whether literals may be stored after their maker has returned; for those that are here
}

func (p *Program) summariser() *summariser {
	return &summariser{Program: p, types: map[string][]Method{}, structs: map[string]Struct{}, lends: map[string]bool{}}
}

// source returns the source that a function comes from.
func (s *summariser) source(fn *ssa.Function) PackageSource {
	for f := fn; f != nil; f = f.Parent() {
		if o := f.Origin(); o != nil {
			f = o
		}
		if f.Pkg != nil {
			return s.Sources[f.Pkg.Pkg]
		}
	}
	return PackageSource{}
}

func (s *summariser) context(fn *ssa.Function) rules.Context {
	src := s.source(fn)
	return rules.Context{
		Fn: fn, Fset: s.Fset, Files: src.Files, Info: src.Info, Flow: s.Flow(), Options: s.Options, Constants: s.constants(), Variants: s.Variants,
		Calls: func(fn *ssa.Function) []*ssa.Call { return s.calls[fn] },
	}
}

// function makes the summary of a function.
func (s *summariser) function(fn *ssa.Function) *Func {
	f := &Func{ID: IDOf(fn), Name: nameFor(fn), At: s.Fset.Position(fn.Pos()), Traits: s.Flow().Traits(fn)}
	for _, x := range rules.Examine(s.context(fn), false) {
		f.Findings = append(f.Findings, s.finding(x))
	}
	w := walker{s: s, f: f, at: s.Fset.Position(fn.Pos())}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			w.instruction(in)
		}
	}
	return f
}

// finding resolves the positions of a finding.
func (s *summariser) finding(x rules.Finding) Finding {
	f := Finding{
		Rule: x.Rule, Message: x.Message, At: s.Fset.Position(x.Pos), Caution: x.Caution,
		Global: x.Global, Through: x.Through, Parent: x.Parent, Value: x.Value, Roles: x.Roles, Plain: x.Plain, Own: x.Own,
		Build: x.Build, Fix: x.Fix,
	}
	for _, e := range x.Edits {
		start, end := s.Fset.Position(e.Pos), s.Fset.Position(e.End)
		f.Edits = append(f.Edits, Edit{start.Filename, start.Offset, end.Offset, e.Text})
	}
	return f
}

// nameFor returns a function's name for people: without the path of its package.
func nameFor(fn *ssa.Function) string {
	name := fn.RelString(nil)
	if p := fn.Package(); p != nil {
		name = strings.ReplaceAll(name, p.Pkg.Path()+".", p.Pkg.Name()+".")
	}
	return name
}

// walker collects what a function calls, makes, takes and accesses.
type walker struct {
	s  *summariser
	f  *Func
	at token.Position // the position of the last instruction that has one

	scans bool // fields are not needed: the effects of functions on memory are only known once all are scanned
}

func (w *walker) instruction(in ssa.Instruction) {
	if _, debug := in.(*ssa.DebugRef); debug {
		return
	}
	if p := in.Pos(); p.IsValid() {
		w.at = w.s.Fset.Position(p)
	}
	var callee ssa.Value
	if call, ok := in.(ssa.CallInstruction); ok {
		callee = call.Common().Value
		w.call(call.Common())
	}
	lit, _ := in.(*ssa.MakeClosure)
	for _, o := range in.Operands(nil) {
		switch v := (*o).(type) {
		case *ssa.Function:
			if v != callee && (lit == nil || lit.Fn != ssa.Value(v)) {
				w.take(v)
			}
		case *ssa.Global:
			w.f.Calls = append(w.f.Calls, Call{Kind: Static, Target: "var " + v.String(), At: w.at})
		}
	}
	switch in := in.(type) {
	case *ssa.MakeInterface:
		w.make(in.X.Type())
	case *ssa.MakeClosure:
		if w.s.onlyHanded(in) {
			w.s.created(in.Fn.(*ssa.Function))
		} else {
			w.take(in.Fn.(*ssa.Function))
		}
	}
	w.loads(in)
	if !w.scans {
		w.f.Fields.instruction(in, w.s)
	}
}

// signature returns the type of a function value as a key, for methods without their receiver.
func (s *summariser) signature(sig *types.Signature) string { return typekey.Signature(s.Fset, sig) }

func (w *walker) take(fn *ssa.Function) {
	w.s.created(fn)
	t := Taken{ID: IDOf(fn), Signature: w.s.signature(fn.Signature)}
	if !slices.Contains(w.f.Takes, t) {
		w.f.Takes = append(w.f.Takes, t)
	}
	w.s.created(fn) // method values and expressions are made on demand
	w.instance(fn)
}

// instance records the types for which a generic function without a body here is instantiated: it may call their
// methods.
func (w *walker) instance(fn *ssa.Function) {
	if len(fn.Blocks) == 0 {
		for _, t := range fn.TypeArgs() {
			w.make(t)
		}
	}
}

// make records a type whose methods may be called from now on.
func (w *walker) make(t types.Type) {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return
	}
	key := typekey.Of(w.s.Fset, t)
	if !slices.Contains(w.f.Makes, key) {
		w.f.Makes = append(w.f.Makes, key)
		w.s.methods(key, t)
	}
}

// methods lists the methods of a type.
func (s *summariser) methods(key string, t types.Type) {
	if _, ok := s.types[key]; ok {
		return
	}
	set := s.SSA.MethodSets.MethodSet(t)
	list := []Method{}
	for i := range set.Len() {
		sel := set.At(i)
		if fn := s.SSA.MethodValue(sel); fn != nil {
			list = append(list, Method{s.methodKey(sel.Obj().(*types.Func)), IDOf(fn)})
			s.created(fn)
		}
	}
	s.types[key] = list
}

// methodKey returns a method's name and signature; unexported names are distinguished by their packages.
func (s *summariser) methodKey(m *types.Func) string {
	return m.Id() + " " + s.signature(m.Signature())
}

func (w *walker) call(call *ssa.CallCommon) {
	list, ok := captured(call.Value)
	if !ok && !call.IsInvoke() {
		list, ok = handed(call.Value)
	}
	if !call.IsInvoke() && (ok || libraryMade(call.Value)) {
		for _, fn := range list {
			w.f.Calls = append(w.f.Calls, Call{Kind: Static, Target: IDOf(fn), At: w.at})
			w.s.created(fn)
		}
		w.given(call)
		return
	}
	if c, ok := w.s.dynamic(call); ok {
		c.At, c.Yields = w.at, c.Kind == Dynamic && yields(call.Value)
		c.Library = ofLibrary(call)
		w.f.Calls = append(w.f.Calls, c)
		w.given(call)
		return
	}
	fn := call.StaticCallee()
	if fn == nil {
		return // it is built in
	}
	if w.scans {
		w.s.lent(fn)
	}
	w.f.Calls = append(w.f.Calls, Call{Kind: Static, Target: IDOf(fn), At: w.at})
	w.s.created(fn)
	w.instance(fn)
	w.passes(fn, call)
}

// dynamic returns the kind and target of a call through an interface or a function value, or false for another call.
func (s *summariser) dynamic(call *ssa.CallCommon) (c Call, ok bool) {
	if call.IsInvoke() {
		c = Call{Kind: Invoke, Target: s.methodKey(call.Method)}
		if i, ok := call.Value.Type().Underlying().(*types.Interface); ok {
			for j := range i.NumMethods() {
				c.Needs = append(c.Needs, s.methodKey(i.Method(j)))
			}
		}
		return c, true
	}
	sig, ok := call.Value.Type().Underlying().(*types.Signature)
	if _, builtin := call.Value.(*ssa.Builtin); builtin || !ok || call.StaticCallee() != nil {
		return c, false
	}
	return Call{Kind: Dynamic, Target: s.signature(sig)}, true
}

// ofLibrary reports whether a call may reach the library's own code: the method belongs to an interface that the
// library declares, or the value comes from a function of it.
func ofLibrary(call *ssa.CallCommon) bool {
	if call.IsInvoke() && (call.Method.Pkg() == nil || judged(call.Method.Pkg().Path())) {
		return true
	}
	v := call.Value
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			fn := x.Call.StaticCallee()
			if fn == nil {
				return false
			}
			pkg, _ := rules.NameOf(fn)
			return judged(pkg)
		default:
			return false
		}
	}
}

// judged reports whether the tables judge the functions of a package.
func judged(pkg string) bool { return std.Known(pkg) || std.Trusted(pkg) }

// lent records functions that a function of the library returns.
func (s *summariser) lent(fn *ssa.Function) {
	if pkg, _ := rules.NameOf(fn); !judged(pkg) {
		return
	}
	results := fn.Signature.Results()
	for i := range results.Len() {
		if sig, ok := results.At(i).Type().Underlying().(*types.Signature); ok {
			s.lends[s.signature(sig)] = true
		}
	}
}

// yields reports whether a called value is the only parameter of an iterator.
func yields(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	if !ok || len(p.Parent().Params) != 1 || p.Parent().Signature.Results().Len() != 0 {
		return false
	}
	sig, ok := p.Type().Underlying().(*types.Signature)
	if !ok || sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// passes records calls that a function without a body makes of its arguments: of function values, and of the methods
// of interfaces.
func (w *walker) passes(fn *ssa.Function, call *ssa.CallCommon) {
	if pkg, _ := rules.NameOf(fn); !std.Trusted(pkg) && (len(fn.Blocks) > 0 || w.s.stored(fn)) {
		return
	}
	w.given(call)
	for _, x := range call.Args {
		if i, ok := x.Type().Underlying().(*types.Interface); ok {
			w.methodsOf(x, i)
		}
	}
	for _, x := range call.Args {
		if s, ok := x.(*ssa.Slice); ok {
			w.variadic(s)
		}
	}
}

// stored reports whether the summary of a function was stored, so that its calls are followed there. The summary of a
// generic function does not know its type arguments.
func (s *summariser) stored(fn *ssa.Function) bool {
	return fn.Origin() == nil && s.Elsewhere != nil && s.Elsewhere(IDOf(fn)) != nil
}

// given records calls of functions that are passed to one whose code is not known here, such as the body of a loop
// that is passed to an iterator.
func (w *walker) given(call *ssa.CallCommon) {
	for _, x := range call.Args {
		sig, ok := x.Type().Underlying().(*types.Signature)
		if !ok || libraryMade(x) {
			continue
		}
		switch x := x.(type) {
		case *ssa.Function:
			w.f.Calls = append(w.f.Calls, Call{Kind: Static, Target: IDOf(x), At: w.at})
		case *ssa.MakeClosure:
			w.f.Calls = append(w.f.Calls, Call{Kind: Static, Target: IDOf(x.Fn.(*ssa.Function)), At: w.at})
		case *ssa.Const:
		default:
			w.f.Calls = append(w.f.Calls, Call{Kind: Dynamic, Target: w.s.signature(sig), At: w.at})
		}
	}
}

// methodsOf records calls of the methods of a value that is passed as an interface: those of the interface, or for
// any value those for printing and encoding.
func (w *walker) methodsOf(x ssa.Value, i *types.Interface) {
	m, ok := x.(*ssa.MakeInterface)
	if !ok {
		return
	}
	names := []string{"String", "Error", "Format", "GoString", "MarshalText", "MarshalJSON", "MarshalBinary", "AppendText", "AppendBinary"}
	if i.NumMethods() > 0 {
		names = nil
		for j := range i.NumMethods() {
			names = append(names, i.Method(j).Name())
		}
	}
	for _, name := range names {
		sel := w.s.SSA.MethodSets.MethodSet(m.X.Type()).Lookup(nil, name)
		if sel == nil {
			continue
		}
		if fn := w.s.SSA.MethodValue(sel); fn != nil {
			w.f.Calls = append(w.f.Calls, Call{Kind: Static, Target: IDOf(fn), At: w.at})
			w.s.created(fn)
		}
	}
}

// variadic does what methodsOf does, for the values behind "...".
func (w *walker) variadic(s *ssa.Slice) {
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return
	}
	for _, r := range *a.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range *at.Referrers() {
			if st, ok := u.(*ssa.Store); ok {
				if i, ok := st.Val.Type().Underlying().(*types.Interface); ok {
					w.methodsOf(st.Val, i)
				}
			}
		}
	}
}

// created makes the program keep functions that are made on demand: wrappers and instances.
func (s *summariser) created(fn *ssa.Function) {
	if s.Program.onDemand != nil {
		s.Program.onDemand(fn)
	}
}

// structure records the fields of a struct, except for those on which nothing depends.
func (s *summariser) structure(key, name string, st *types.Struct) {
	if _, ok := s.structs[key]; ok {
		return
	}
	x := Struct{Name: name}
	for i := range st.NumFields() {
		if reflect.StructTag(st.Tag(i)).Get("canon") != "-" && st.Field(i).Name() != "_" {
			x.Fields = append(x.Fields, st.Field(i).Name())
		}
	}
	s.structs[key] = x
}
