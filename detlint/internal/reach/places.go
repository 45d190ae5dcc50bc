package reach

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// A place is where function values are stored: a field by its name, in whatever struct, since structs with equal
// fields can be converted; or a package variable, or a captured variable. A slice or a map of them belongs to the
// place that contains it.
const (
	anywhere = ""        // an unknown place
	library  = "library" // a place in the library, which calls the function later, or may do so
	boxed    = "boxed"   // besides an unknown place: a field has an interface, or a container of the library, with the function in it
)

// memory returns the place that an address, a slice or a map refers to.
func memory(v ssa.Value) string {
	for range 16 {
		switch x := v.(type) {
		case *ssa.Global:
			return "var " + x.String()
		case *ssa.FieldAddr:
			return field(x.X.Type().Underlying().(*types.Pointer).Elem(), x.Field)
		case *ssa.Field:
			return field(x.X.Type(), x.Field)
		case *ssa.FreeVar:
			if a, ok := variable(x); ok {
				return "variable " + IDOf(a.Parent()) + " " + a.Name()
			}
			return anywhere
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Index:
			v = x.X
		case *ssa.Lookup:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.TypeAssert:
			if _, ok := x.AssertedType.Underlying().(*types.Signature); ok {
				return anywhere // places of interfaces that hold functions are not tracked
			}
			v = x.X
		case *ssa.Next:
			v = x.Iter
		case *ssa.Range:
			v = x.X
		default:
			return anywhere
		}
	}
	return anywhere
}

func field(t types.Type, i int) string { return t.Underlying().(*types.Struct).Field(i).Id() }

// functions returns the type of the function values in a slice, an array, a map or a channel, or of a function value
// itself.
func functions(t types.Type) *types.Signature {
	s, _ := innermost(t).(*types.Signature)
	return s
}

// interfaces reports whether a type is one of a slice, an array, a map or a channel of interfaces.
func interfaces(t types.Type) bool {
	_, is := innermost(t).(*types.Interface)
	return is
}

// innermost returns what the elements of a slice, an array, a map or a channel are at last.
func innermost(t types.Type) types.Type {
	for range 8 {
		e, ok := t.Underlying().(interface{ Elem() types.Type })
		if _, pointer := e.(*types.Pointer); !ok || pointer {
			break
		}
		t = e.Elem()
	}
	return t.Underlying()
}

// keeper finds the places in which functions that are used as values are stored.
type keeper struct {
	s      *Scan
	params map[*ssa.Parameter][]string // where a function stores a parameter
	open   []*ssa.Parameter            // the parameters being determined
}

// kept replaces the functions that packages use as values by those that they store, with their places. A function
// that is only passed to others that call it while they run, such as the order for a sort, is not found in memory
// later.
func (s *Scan) kept(all []*ssa.Function) {
	k := &keeper{s: s, params: map[*ssa.Parameter][]string{}}
	by := map[string]string{} // the repository of the package that takes a function
	for _, t := range s.pkg.Takes {
		by[t.ID] = t.By
	}
	s.pkg.Takes, s.outlives = nil, map[*ssa.Function]bool{}
	take := func(fn *ssa.Function, places []string) {
		for _, p := range places {
			s.pkg.Takes = append(s.pkg.Takes, Taken{ID: IDOf(fn), Signature: s.signature(fn.Signature), By: by[IDOf(fn)], Place: p})
		}
	}
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.MakeClosure); ok {
					fn, places := c.Fn.(*ssa.Function), k.places(c)
					take(fn, places)
					s.outlives[fn] = s.outlives[fn] || len(places) > 0
					for _, b := range c.Bindings {
						if f, ok := b.(*ssa.Function); ok {
							take(f, []string{anywhere})
						}
					}
					continue
				}
				for _, o := range in.Operands(nil) {
					if f, ok := (*o).(*ssa.Function); ok {
						take(f, k.uses(in, f, map[ssa.Value]bool{}))
					}
				}
				k.moves(in)
			}
		}
	}
	s.pkg.Takes, s.pkg.Moves = unique(s.pkg.Takes), unique(s.pkg.Moves)
}

// moves records that function values are loaded from one place, and stored in another.
func (k *keeper) moves(in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	switch x := in.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return
		}
	case *ssa.Field, *ssa.Lookup, *ssa.Extract, *ssa.Index:
	default:
		return
	}
	sig := functions(v.Type())
	if sig == nil {
		return
	}
	from := memory(v)
	if from == anywhere {
		return // a function stored in an unknown place may be found in every place
	}
	for _, to := range k.places(v) {
		if to != from {
			k.s.pkg.Moves = append(k.s.pkg.Moves, Move{k.s.signature(sig), from, to})
		}
	}
}

// places returns where a value is stored, as far as that can be seen in the function that has it, and in the
// functions that it is passed to.
func (k *keeper) places(v ssa.Value) []string {
	return unique(k.follow(v, map[ssa.Value]bool{}))
}

func (k *keeper) follow(v ssa.Value, seen map[ssa.Value]bool) (list []string) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		list = append(list, k.uses(r, v, seen)...)
	}
	return list
}

// uses returns where an instruction stores a value.
func (k *keeper) uses(in ssa.Instruction, v ssa.Value, seen map[ssa.Value]bool) []string {
	switch x := in.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.BinOp:
		return nil
	case *ssa.Store:
		if x.Val != v {
			return nil
		}
		return k.stored(x.Addr, seen)
	case *ssa.MapUpdate:
		if x.Value != v && x.Key != v {
			return nil
		}
		return k.stored(x.Map, seen)
	case *ssa.ChangeType, *ssa.Phi, *ssa.Slice, *ssa.UnOp, *ssa.Index, *ssa.IndexAddr, *ssa.Lookup, *ssa.Extract, *ssa.Range, *ssa.Next:
		return k.follow(in.(ssa.Value), seen)
	case *ssa.MakeClosure:
		var list []string
		for i, b := range x.Bindings {
			if b == v {
				free := x.Fn.(*ssa.Function).FreeVars[i]
				list = append(append(list, memory(free)), k.follow(free, seen)...)
			}
		}
		return list
	case *ssa.MakeInterface:
		if _, single := x.X.Type().Underlying().(*types.Signature); single && k.inField(x) {
			return []string{anywhere, boxed}
		}
	case *ssa.ChangeInterface:
		return k.follow(x, seen)
	case *ssa.Return:
		return k.returned(x, v, seen)
	case *ssa.Send:
		if x.X != v {
			return nil
		}
		return k.stored(x.Chan, seen)
	case ssa.CallInstruction:
		return k.given(x, v, seen)
	}
	return []string{anywhere}
}

// stored returns the places of what is stored at an address, or in a map.
func (k *keeper) stored(to ssa.Value, seen map[ssa.Value]bool) []string {
	for range 8 {
		at, ok := to.(*ssa.IndexAddr)
		if !ok {
			break
		}
		to = at.X
	}
	if p := memory(to); p != anywhere {
		return []string{p}
	}
	switch x := to.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.Slice:
		if functions(elemOf(x.Type())) != nil || interfaces(elemOf(x.Type())) {
			return k.follow(x, seen)
		}
	}
	return []string{anywhere}
}

// inField reports whether something stores an interface in a field, or in what a field refers to.
func (k *keeper) inField(v ssa.Value) bool {
	return slices.ContainsFunc(k.places(v), func(p string) bool {
		return p != anywhere && p != library && !strings.HasPrefix(p, "var")
	})
}

// returned returns the places in which callers store a value that a function returns.
func (k *keeper) returned(r *ssa.Return, v ssa.Value, seen map[ssa.Value]bool) (list []string) {
	calls := k.s.calls[r.Parent()]
	if len(calls) == 0 {
		return []string{anywhere}
	}
	for _, call := range calls {
		if len(r.Results) == 1 {
			list = append(list, k.follow(call, seen)...)
			continue
		}
		for _, u := range *call.Referrers() {
			if x, ok := u.(*ssa.Extract); ok && r.Results[x.Index] == v {
				list = append(list, k.follow(x, seen)...)
			}
		}
	}
	return list
}

// elemOf returns the type that a pointer points to, or the type itself.
func elemOf(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// given returns the places in which callees store a value that is passed to them.
func (k *keeper) given(call ssa.CallInstruction, v ssa.Value, seen map[ssa.Value]bool) (list []string) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch r := call.Value(); {
		case b.Name() == "append" && r != nil:
			return k.follow(r, seen)
		case b.Name() == "copy" && common.Args[1] == v:
			return k.stored(common.Args[0], seen)
		}
		return nil
	}
	fn := common.StaticCallee()
	for i, x := range common.Args {
		if x != v {
			continue
		}
		if fn == nil {
			return k.answered(common, i)
		}
		if len(fn.Blocks) > 0 && i < len(fn.Params) {
			list = append(list, k.parameter(fn.Params[i])...)
			continue
		}
		if pkg, _ := rules.NameOf(fn); !std.Known(pkg) {
			return []string{anywhere}
		}
		// If the library stores a function, it does so for its own use: in a goroutine, or in a timer.
		_, single := v.Type().Underlying().(*types.Signature)
		if t := k.s.Flow().Traits(fn); t.KeepsArg(i) && !single || t.ReturnsArg(i) {
			list = []string{anywhere}
			if r := call.Value(); t.ReturnsArg(i) && r != nil { // such as slices.Insert
				list = append(list, k.follow(r, seen)...)
			}
			for j, a := range common.Args {
				if j != i && t.WritesTo(j) && k.outer(a) {
					list = append(list, boxed) // such as a container/list in the state
				}
			}
			return list
		}
		if pkg, _ := rules.NameOf(fn); pkg != "sort" && pkg != "slices" { // these call it before they return
			list = append(list, library)
		}
	}
	return list
}

// outer reports whether a reference leads to memory that was there before, or gets into a field.
func (k *keeper) outer(v ssa.Value) bool {
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice:
	default:
		return false
	}
	if made, ok := v.(*ssa.Call); ok {
		return k.inField(made) // such as the result of list.New
	}
	return !madeHere(v)
}

// answered returns the places in which the methods that a call through an interface may reach store an argument. If
// this package is examined separately, packages that import it may have more such methods.
func (k *keeper) answered(call *ssa.CallCommon, arg int) (list []string) {
	if !call.IsInvoke() || k.s.Elsewhere != nil {
		return []string{anywhere}
	}
	callees := k.s.Flow().Callees(call)
	if len(callees) == 0 {
		return []string{anywhere}
	}
	for _, c := range callees {
		if c.Fn == nil || arg+1 >= len(c.Fn.Params) { // the receiver comes first
			return []string{anywhere}
		}
		list = append(list, k.parameter(c.Fn.Params[arg+1])...)
	}
	return list
}

// parameter returns the places in which a function stores a parameter.
func (k *keeper) parameter(p *ssa.Parameter) []string {
	if list, known := k.params[p]; known {
		return list
	}
	if n := len(k.open); n > 0 && k.open[n-1] == p {
		return nil // it calls itself with the parameter
	}
	if slices.Contains(k.open, p) {
		return []string{anywhere}
	}
	k.open = append(k.open, p)
	list := k.places(p)
	k.open = k.open[:len(k.open)-1]
	k.params[p] = list
	return list
}
