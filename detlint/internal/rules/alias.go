package rules

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var alias = &Rule{
	Name: "alias", Short: "snapshots that share memory with the game", Duty: "Snapshots",
	Fix: "copy what it leads to: slot.List = append(slot.List[:0], s.List...)", examine: examineAlias,
}

var copies = &Rule{
	Name: "copies", Short: "fields of the state that Save, Restore, Hash, Equal or Marshal leave out", Duty: "Snapshots",
	Fix: "add the field, or tag it with canon:\"-\" if nothing depends on it",
}

var ignore = &Rule{
	Name: "ignore", Short: "suppressions without a reason, of no rule, or that suppress nothing",
	Fix: "write //detlint:ignore RULE reason, or take the comment away", Scope: Anywhere,
}

// examineAlias finds references that are assigned from the memory of one parameter to that of
// another one: in Save and Restore that makes the slot follow the game.
func examineAlias(c *Context) {
	roles := []string{"Save", "Restore", "Copy", "Describe", "Unmarshal"}
	c.instructions(func(in ssa.Instruction) {
		s, ok := in.(*ssa.Store)
		if !ok || !flow.HasPointers(s.Val.Type()) || immutable(s.Val.Type()) {
			return
		}
		to, from := c.Flow.Of(s.Addr), c.Flow.Of(s.Val)
		if !from.Outer() || to.Params == 0 || from.Params&^to.Params == 0 || shares(s.Val) == nil {
			return
		}
		f := c.report(c.pos(s), "the snapshot shares %s with the game, and changes when that does", short(shares(s.Val).Type()))
		f.Roles = c.aliasRoles(roles)
	})
}

// immutable reports whether nothing can be written through a type.
func immutable(t types.Type) bool {
	_, fn := t.Underlying().(*types.Signature)
	return fn
}

// shares returns the reference in a value that is assigned as it is: a load from memory, not
// what append, a literal or a call has made.
func shares(v ssa.Value) ssa.Value { return sharesOnce(v, map[*ssa.Phi]bool{}) }

func sharesOnce(v ssa.Value, seen map[*ssa.Phi]bool) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp, *ssa.Field, *ssa.Parameter, *ssa.Lookup:
		return v
	case *ssa.Slice:
		return sharesOnce(x.X, seen)
	case *ssa.ChangeType:
		return sharesOnce(x.X, seen)
	case *ssa.Phi:
		if seen[x] {
			return nil
		}
		seen[x] = true
		for _, e := range x.Edges {
			if s := sharesOnce(e, seen); s != nil {
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

// aliasRoles restricts a finding to the functions of a game themselves, unless this is a helper
// that copies one value to another of its type.
func (c *Context) aliasRoles(roles []string) (list []string) {
	for i, p := range c.Fn.Params {
		for _, q := range c.Fn.Params[:i] {
			if n := named(p.Type()); n != nil && types.Identical(p.Type(), q.Type()) {
				return roles
			}
		}
	}
	for _, r := range roles {
		list = append(list, "="+r)
	}
	return list
}
