package rules

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var capacity = &Rule{
	Name: "capacity", Short: "the capacity of slices, stale memory behind their length, and append into a part of a list", Duty: "Capacity",
	Fix: "use limits of the game; clear what is used again; limit a part by its capacity: list[:n:n]", examine: examineCapacity,
}

func examineCapacity(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Call:
			switch builtin(&in.Call) {
			case "cap":
				if u := c.decides(in, map[ssa.Value]bool{}); u != nil {
					c.report(in.Pos(), "the capacity of a slice depends on its past and on the version of Go")
				}
			case "append":
				c.overwrites(in)
			}
		case *ssa.Slice:
			c.stale(in)
		}
	})
}

// decides returns a use of a capacity that is more than the growth of memory.
func (c *Context) decides(v ssa.Value, seen map[ssa.Value]bool) ssa.Instruction {
	if seen[v] {
		return nil
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.MakeSlice, *ssa.MakeMap:
		case *ssa.Slice:
			if r.X == v {
				return r
			}
			if r.High == v && len(*r.Referrers()) > 0 && r.Max != v {
				continue // stale looks at what comes back with it
			}
		case *ssa.BinOp:
			if !ordered(r.Op) && r.Op != token.EQL && r.Op != token.NEQ {
				if u := c.decides(r, seen); u != nil {
					return u
				}
				continue
			}
			for _, u := range *r.Referrers() {
				if cond, ok := u.(*ssa.If); !ok || !grows(c, cond) && !releases(cond) {
					return u
				}
			}
		case *ssa.Call:
			if name := builtin(&r.Call); name == "min" || name == "max" {
				if u := c.decides(r, seen); u != nil {
					return u
				}
				continue
			}
			if pkg, name := called(&r.Call); pkg == "slices" && name == "Grow" {
				continue
			}
			return r
		case *ssa.Convert:
			if u := c.decides(r, seen); u != nil {
				return u
			}
		default:
			return r
		}
	}
	return nil
}

// grows reports whether one of the branches only makes memory, and does nothing else that can
// be seen.
func grows(c *Context, cond *ssa.If) bool {
	for _, s := range cond.Block().Succs {
		makes, other := false, false
		for _, in := range s.Instrs {
			switch in := in.(type) {
			case *ssa.MakeSlice:
				makes = true
			case *ssa.Alloc: // make with a constant size
				makes = makes || in.Heap && in.Comment == "makeslice"
			case *ssa.Call:
				pkg, name := called(&in.Call)
				switch {
				case builtin(&in.Call) == "append", pkg == "slices" && (name == "Grow" || name == "Clone"):
					makes = true
				case builtin(&in.Call) == "copy", builtin(&in.Call) == "len", builtin(&in.Call) == "cap", builtin(&in.Call) == "max", builtin(&in.Call) == "min":
				default:
					fn := in.Call.StaticCallee()
					other = other || fn == nil || !c.Flow.Traits(fn).Pure()
				}
			case *ssa.MapUpdate:
				other = true
			}
		}
		if makes && !other && len(s.Preds) == 1 && writesOne(s) {
			return true
		}
	}
	return false
}

// releases reports whether one of the branches only lets go of memory in which there is nothing:
// it returns nil where the other one returns list[:0], or stores nil where list[:0] was stored.
func releases(cond *ssa.If) bool {
	succs := cond.Block().Succs
	for i, s := range succs {
		switch in := s.Instrs[len(s.Instrs)-1].(type) {
		case *ssa.Return:
			o, ok := succs[1-i].Instrs[len(succs[1-i].Instrs)-1].(*ssa.Return)
			if ok && len(s.Instrs) == 1 && len(in.Results) == 1 && isNil(in.Results[0]) && emptied(o.Results[0]) {
				return true
			}
		case *ssa.Jump:
			if dropsEmpty(cond.Block(), s) {
				return true
			}
		}
	}
	return false
}

// dropsEmpty reports whether a block only stores nil, to where the block before it has stored
// a list without elements.
func dropsEmpty(before, b *ssa.BasicBlock) bool {
	var addr ssa.Value
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			if addr != nil || !isNil(in.Val) || !isSlice(in.Val) {
				return false
			}
			addr = in.Addr
		case *ssa.FieldAddr, *ssa.Jump, *ssa.DebugRef:
		default:
			return false
		}
	}
	if addr == nil {
		return false
	}
	for _, in := range before.Instrs {
		if s, ok := in.(*ssa.Store); ok && sameAddr(s.Addr, addr) && emptied(s.Val) {
			return true
		}
	}
	return false
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// emptied reports whether a value is list[:0].
func emptied(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok || s.High == nil {
		return false
	}
	n, ok := constInt(s.High)
	return ok && n == 0
}

// writesOne reports whether a block stores at most the one list that it makes, and no numbers.
func writesOne(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		if s, ok := in.(*ssa.Store); ok && !isSlice(s.Val) {
			if a, ok := flow.Base(s.Addr).(*ssa.Alloc); !ok || a.Comment != "varargs" {
				return false
			}
		}
	}
	return true
}

// stale reports lists that are extended to what lies behind their length, unless it is written
// over right away.
func (c *Context) stale(s *ssa.Slice) {
	if s.High == nil || !isSlice(s.X) {
		return
	}
	call, ok := s.High.(*ssa.Call)
	extends := ok && builtin(&call.Call) == "cap" && sameOrLoaded(call.Call.Args[0], s.X)
	if !extends && !c.afterCap(s) {
		return
	}
	if c.cleared(s, map[ssa.Value]bool{}) {
		return
	}
	c.report(c.pos(s), "the list is extended to memory behind its length, in which an earlier frame has left something")
}

func sameOrLoaded(a, b ssa.Value) bool { return a == b || sameValue(a, b) }

// afterCap reports whether a list is cut to a length that was compared with its capacity.
func (c *Context) afterCap(s *ssa.Slice) bool {
	for d := s.Block(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := cond.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		for i, x := range []ssa.Value{cmp.X, cmp.Y} {
			call, ok := x.(*ssa.Call)
			other := []ssa.Value{cmp.Y, cmp.X}[i]
			if ok && builtin(&call.Call) == "cap" && sameOrLoaded(call.Call.Args[0], s.X) && (other == s.High || sameValue(other, s.High)) {
				return true
			}
		}
	}
	return false
}

// cleared reports whether a list is cleared or written over before it is read: by clear or
// copy, or in a loop over all of it.
func (c *Context) cleared(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if name := builtin(&r.Call); (name == "clear" || name == "copy") && r.Call.Args[0] == v {
				return true
			}
			if fn := r.Call.StaticCallee(); fn != nil {
				if pkg, name := nameOf(fn); pkg == "slices" && name == "Grow" && c.cleared(r, seen) {
					return true
				}
			}
		case *ssa.IndexAddr:
			for _, u := range *r.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == r {
					return true
				}
			}
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType:
			if c.cleared(r.(ssa.Value), seen) {
				return true
			}
		case *ssa.Store: // into a field: its reads
			for _, l := range loadsOf(r.Addr, r) {
				if c.cleared(l, seen) {
					return true
				}
			}
			if a, ok := r.Addr.(*ssa.Alloc); ok {
				for _, l := range *a.Referrers() {
					if u, ok := l.(*ssa.UnOp); ok && c.cleared(u, seen) {
						return true
					}
				}
			}
		}
	}
	return false
}

// overwrites reports append to the first part of a list that is used again as a whole: what is
// behind the part is written over only if there is room.
func (c *Context) overwrites(in *ssa.Call) {
	part, ok := in.Call.Args[0].(*ssa.Slice)
	if !ok || part.High == nil || part.Max != nil || !isSlice(part.X) {
		return
	}
	if n, ok := constInt(part.High); ok && n == 0 {
		return // list[:0] uses the memory again, and drops what was there
	}
	if shifts(in, part) {
		return
	}
	if c.usedLater(part.X, in) {
		c.report(in.Pos(), "append writes over the rest of the list only if there is room behind the part: that depends on its capacity")
	}
}

// shifts reports whether append moves the rest of the same list, which always fits.
func shifts(in *ssa.Call, part *ssa.Slice) bool {
	rest, ok := in.Call.Args[1].(*ssa.Slice)
	return ok && rest.Low != nil && (rest.X == part.X || sameValue(rest.X, part.X))
}

// usedLater reports whether a list is read after an append to a part of it, other than to be
// replaced.
func (c *Context) usedLater(list ssa.Value, in *ssa.Call) bool {
	later := func(v ssa.Value) bool {
		for _, r := range *v.Referrers() {
			if _, debug := r.(*ssa.DebugRef); !debug && r.Block() != nil && before(in, r) {
				return true
			}
		}
		return false
	}
	if later(list) {
		return true
	}
	load, ok := list.(*ssa.UnOp)
	if !ok {
		_, param := list.(*ssa.Parameter)
		return param && c.callersList(in)
	}
	return c.Flow.Of(load.X).Outer() && !replaces(in, load.X, map[ssa.Value]bool{})
}

// replaces reports whether a list is stored where the old one was: list = append(list[:n], x),
// maybe after more has been appended.
func replaces(v ssa.Value, addr ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if sameAddr(r.Addr, addr) {
				return true
			}
		case *ssa.Phi:
			if replaces(r, addr, seen) {
				return true
			}
		case *ssa.Call:
			if builtin(&r.Call) == "append" && replaces(r, addr, seen) {
				return true
			}
		}
	}
	return false
}

// callersList reports whether the result of an append to a part of a parameter is not returned,
// so that the caller goes on with the old list.
func (c *Context) callersList(in *ssa.Call) bool {
	for _, r := range *in.Referrers() {
		if _, ok := r.(*ssa.Return); ok {
			return false
		}
	}
	return true
}

func isSlice(v ssa.Value) bool { return isSliceType(v.Type()) }
