package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var alias = &Rule{
	Name: "alias", Short: "snapshots that share memory with the game", Duty: "Snapshots",
	Fix: "copy what it leads to: slot.List = append(slot.List[:0], s.List...)", examine: examineAlias,
}

var copies = &Rule{
	Name: "copies", Short: "fields of the state that Save, Restore, Hash, Equal or Marshal leave out", Duty: "Snapshots",
	Fix: "add the field, or tag it with canon:\"-\" if nothing depends on it", examine: examineCopies,
}

var ignore = &Rule{
	Name: "ignore", Short: "suppressions without a reason, of no rule, or that suppress nothing",
	Fix: "write //detlint:ignore RULE reason, or take the comment away", Scope: Anywhere,
}

// examineAlias finds references that are assigned from the memory of one parameter to that of another: in Save and
// Restore the slot then changes with the game.
func examineAlias(c *Context) {
	roles := []string{"Save", "Restore", "Describe", "Unmarshal"}
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			if shared := sharedBy(c, in); shared != nil {
				f := c.report(c.pos(in), "the snapshot shares %s with the game, and changes when that does", short(shared))
				f.Roles = c.aliasRoles(roles)
			}
		case *ssa.MapUpdate:
			if v := in.Value; flow.HasPointers(v.Type()) && !immutable(v.Type()) && shares(v) != nil && crosses(c, in.Map, v) {
				f := c.report(c.pos(in), "the snapshot shares %s with the game, and changes when that does", short(v.Type()))
				f.Roles = c.aliasRoles(roles)
			}
		case *ssa.Call:
			if builtin(&in.Call) == "copy" && crosses(c, in.Call.Args[0], in.Call.Args[1]) && flow.HasPointers(elem(in.Call.Args[0].Type())) {
				f := c.report(c.pos(in), "the snapshot shares what the elements of a %s lead to with the game", short(in.Call.Args[0].Type()))
				f.Roles = c.aliasRoles(roles)
			}
		case *ssa.Return:
			describes(c, in)
		}
	})
}

// crosses reports whether references are copied from the memory of one parameter to that of another.
func crosses(c *Context, dst, src ssa.Value) bool {
	to, from := c.Flow.Of(dst), c.Flow.Within(src)
	return from.Outer() && to.Params != 0 && from.Params&^to.Params != 0
}

// sharedBy returns the type of what two parameters share after an assignment, or nil.
func sharedBy(c *Context, s *ssa.Store) types.Type {
	if !flow.HasPointers(s.Val.Type()) || immutable(s.Val.Type()) {
		return nil
	}
	if crosses(c, s.Addr, s.Val) {
		if v := shares(s.Val); v != nil && !replaced(s, s.Addr) {
			return v.Type()
		}
	}
	return sharedElements(c, s)
}

// sharedElements examines slices and maps that are copied, but whose elements refer to memory that is not copied.
func sharedElements(c *Context, s *ssa.Store) types.Type {
	call, ok := s.Val.(*ssa.Call)
	if !ok {
		return nil
	}
	var from ssa.Value
	switch pkg, name := called(&call.Call); {
	case builtin(&call.Call) == "append":
		from = call.Call.Args[1]
		if list := flow.Variadic(from); len(list) > 0 {
			return sharedOneByOne(c, s, list)
		}
	case (pkg == "slices" || pkg == "maps") && name == "Clone":
		from = call.Call.Args[0]
	default:
		i := shallowCopy(call.Call.StaticCallee())
		if i < 0 || i >= len(call.Call.Args) {
			return nil
		}
		from = call.Call.Args[i]
	}
	if !flow.HasPointers(elem(from.Type())) || immutable(elem(from.Type())) || !crosses(c, s.Addr, from) || rewritten(c, s) {
		return nil
	}
	return elem(from.Type())
}

// shallowCopy returns the index of a parameter if the function returns a shallow copy of it, whose elements point to
// the same memory; otherwise -1.
func shallowCopy(fn *ssa.Function) int {
	if fn == nil {
		return -1
	}
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(r.Results) != 1 {
			continue
		}
		made, ok := r.Results[0].(*ssa.Call)
		if !ok {
			continue
		}
		if pkg, name := called(&made.Call); (pkg != "slices" && pkg != "maps") || name != "Clone" || deepens(fn, made) {
			continue
		}
		if p, ok := made.Call.Args[0].(*ssa.Parameter); ok {
			return slices.Index(fn.Params, p)
		}
	}
	return -1
}

// deepens reports whether a function replaces elements of a slice or a map that it has made itself.
func deepens(fn *ssa.Function, made ssa.Value) bool {
	found := false
	instructionsOf(fn, func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			at, ok := in.Addr.(*ssa.IndexAddr)
			found = found || ok && at.X == made && shares(in.Val) == nil
		case *ssa.MapUpdate:
			found = found || in.Map == made && shares(in.Value) == nil
		}
	})
	return found
}

// sharedOneByOne examines elements that are appended one by one.
func sharedOneByOne(c *Context, s *ssa.Store, elements []ssa.Value) types.Type {
	for _, v := range elements {
		if flow.HasPointers(v.Type()) && !immutable(v.Type()) && shares(v) != nil && crosses(c, s.Addr, v) && !rewritten(c, s) {
			return v.Type()
		}
	}
	return nil
}

// rewritten reports whether the elements of a slice that was just copied are replaced one by one.
func rewritten(c *Context, s *ssa.Store) bool {
	is := false
	c.instructions(func(in ssa.Instruction) {
		o, ok := in.(*ssa.Store)
		if !ok || o == s {
			return
		}
		for addr := o.Addr; ; {
			switch x := addr.(type) {
			case *ssa.FieldAddr:
				addr = x.X
				continue
			case *ssa.IndexAddr:
				if load, ok := x.X.(*ssa.UnOp); ok && sameAddr(load.X, s.Addr) && flow.HasPointers(o.Val.Type()) && shares(o.Val) == nil {
					is = true
				}
			}
			return
		}
	})
	return is
}

// elem returns the type of the elements of a slice or a map.
func elem(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return types.Typ[types.Int]
}

// replaced reports whether a whole struct was assigned, and every reference in it is replaced immediately afterwards:
// *slot = *s; slot.List = slices.Clone(s.List).
func replaced(s *ssa.Store, addr ssa.Value) bool {
	st, ok := s.Val.Type().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if t := st.Field(i).Type(); flow.HasPointers(t) && !immutable(t) && !replacesField(s, addr, i) {
			return false
		}
	}
	return true
}

// replacesField reports whether a field is assigned after the whole struct was.
func replacesField(s *ssa.Store, addr ssa.Value, field int) bool {
	for _, b := range s.Parent().Blocks {
		for _, in := range b.Instrs {
			o, ok := in.(*ssa.Store)
			if !ok || !before(s, o) {
				continue
			}
			if at, ok := o.Addr.(*ssa.FieldAddr); ok && at.Field == field && sameAddr(at.X, addr) {
				return true
			}
		}
	}
	return false
}

// describes reports a description that shares memory with the state.
func describes(c *Context, r *ssa.Return) {
	if len(r.Results) != 1 {
		return
	}
	m, ok := r.Results[0].(*ssa.MakeInterface)
	if !ok || !flow.HasPointers(m.X.Type()) || immutable(m.X.Type()) {
		return
	}
	if v := shares(m.X); v != nil && c.Flow.Of(m.X).Outer() {
		f := c.report(c.pos(r), "the description shares %s with the game, and changes when that does", short(v.Type()))
		f.Roles = []string{"=Describe"}
	}
}

// immutable reports whether nothing can be written through values of a type.
func immutable(t types.Type) bool {
	_, fn := t.Underlying().(*types.Signature)
	return fn
}

// shares returns the reference in a value that is assigned unchanged: a load from memory, not the result of append, a
// literal or a call.
func shares(v ssa.Value) ssa.Value { return sharing(v, 0) }

// deepest is the maximum number of steps for which a value is followed.
const deepest = 16

func sharing(v ssa.Value, depth int) ssa.Value {
	if depth > deepest {
		return nil
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			return holds(a, depth)
		}
		return v
	case *ssa.Alloc:
		return holds(x, depth)
	case *ssa.Field, *ssa.Parameter, *ssa.Lookup:
		return v
	case *ssa.Slice:
		return sharing(x.X, depth+1)
	case *ssa.ChangeType:
		return sharing(x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if s := sharing(e, depth+1); s != nil {
				return s
			}
		}
	case *ssa.Extract:
		if _, ok := x.Tuple.(*ssa.Next); ok {
			return v
		}
	}
	return nil
}

// holds returns the reference that was assigned to a variable unchanged, such as in &copy of a struct whose slices
// were not copied.
func holds(a *ssa.Alloc, depth int) ssa.Value {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == a && flow.HasPointers(r.Val.Type()) && !replaced(r, a) {
				if v, ok := r.Val.(*ssa.UnOp); ok && v.X != ssa.Value(a) {
					return sharing(v, depth+1)
				} else if !ok {
					if v := sharing(r.Val, depth+1); v != nil {
						return v
					}
				}
			}
		case *ssa.FieldAddr:
			for _, u := range *r.Referrers() {
				if s, ok := u.(*ssa.Store); ok && s.Addr == r && flow.HasPointers(s.Val.Type()) && !immutable(s.Val.Type()) {
					if v := sharing(s.Val, depth+1); v != nil {
						return v
					}
				}
			}
		}
	}
	return nil
}

// aliasRoles restricts a finding to the functions of a game themselves, unless this is a helper
// that copies one value to another of its type.
func (c *Context) aliasRoles(roles []string) (list []string) {
	for i, p := range c.Fn.Params {
		for _, q := range c.Fn.Params[:i] {
			if n := named(p.Type()); n != nil && types.Identical(p.Type(), q.Type()) && p.Name() != "_" && q.Name() != "_" {
				return roles
			}
		}
	}
	for _, r := range roles {
		list = append(list, "="+r)
	}
	return list
}

// examineCopies finds slices that are copied into slices of another parameter, which may be shorter or longer:
// nothing in the function sets their length.
func examineCopies(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok || builtin(&call.Call) != "copy" || used(call) {
			return
		}
		to, ok := call.Call.Args[0].(*ssa.UnOp)
		if !ok || to.Op != token.MUL {
			return
		}
		field, ok := to.X.(*ssa.FieldAddr)
		if !ok {
			return // an element of a slice of slices, or a variable
		}
		from, into := c.Flow.Of(call.Call.Args[1]), c.Flow.Of(field)
		if into.Params == 0 || from.Params&^into.Params == 0 || measured(c, field) {
			return
		}
		f := c.report(call.Pos(), "copy fills a list as far as it is long already: what is missing, and what is left over, is that of another state")
		f.Roles = []string{"Save", "Restore", "Unmarshal"}
	})
}

// measured reports whether a function sets a slice in memory, or uses its length.
func measured(c *Context, field *ssa.FieldAddr) (is bool) {
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			is = is || sameAddr(in.Addr, field)
		case *ssa.Call:
			if builtin(&in.Call) == "len" || builtin(&in.Call) == "cap" {
				load, ok := in.Call.Args[0].(*ssa.UnOp)
				is = is || ok && load.Op == token.MUL && sameAddr(load.X, field)
			}
		}
	})
	return is
}
