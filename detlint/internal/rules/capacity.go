package rules

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var capacity = &Rule{
	Name: "capacity", Short: "the capacity of slices, stale memory behind their length, and append into a part of a list", Duty: "Capacity",
	Fix: "use limits of the game; clear what is used again; limit a part by its capacity: list[:n:n]", examine: examineCapacity,
}

func examineCapacity(c *Context) {
	fromLibrary(c)
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
				siblings(c, in)
			}
		case *ssa.Slice:
			c.stale(in)
		}
	})
}

// decides returns a use of a capacity that has more effects than growing memory.
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
				continue // stale examines the result
			}
		case *ssa.BinOp:
			if !ordered(r.Op) && r.Op != token.EQL && r.Op != token.NEQ {
				if u := c.decides(r, seen); u != nil {
					return u
				}
				continue
			}
			for _, u := range *r.Referrers() {
				if cond, ok := u.(*ssa.If); !ok || !c.grows(cond) && !releases(cond) {
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

// grows reports whether one of the branches only allocates memory, and has no other visible effects.
func (c *Context) grows(cond *ssa.If) bool {
	for i, s := range cond.Block().Succs {
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
				case builtin(&in.Call) == "append":
					if len(flow.Variadic(in.Call.Args[1])) > 0 && !extendsByOne(cond.Block().Succs[1-i]) {
						other = true // an element that the other branch does not append
					}
					makes = true
				case pkg == "slices" && (name == "Grow" || name == "Clone"):
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

// extendsByOne reports whether a block extends a slice by the element after its end.
func extendsByOne(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		s, ok := in.(*ssa.Slice)
		if !ok {
			continue
		}
		if high, ok := s.High.(*ssa.BinOp); ok && high.Op == token.ADD {
			return true
		}
	}
	return false
}

// releases reports whether one of the branches only releases memory without contents: it returns nil where the other
// one returns list[:0], or stores nil where list[:0] was stored.
func releases(cond *ssa.If) bool {
	succs := cond.Block().Succs
	for i, s := range succs {
		switch in := s.Instrs[len(s.Instrs)-1].(type) {
		case *ssa.Return:
			o, ok := succs[1-i].Instrs[len(succs[1-i].Instrs)-1].(*ssa.Return)
			if ok && len(s.Instrs) == 1 && len(in.Results) == 1 && isNil(in.Results[0]) && isEmptied(o.Results[0]) {
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

// dropsEmpty reports whether a block only stores nil, where the block before it has stored an empty slice.
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
		if s, ok := in.(*ssa.Store); ok && sameAddr(s.Addr, addr) && isEmptied(s.Val) {
			return true
		}
	}
	return false
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// isEmptied reports whether a value is list[:0].
func isEmptied(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok || s.High == nil {
		return false
	}
	n, ok := constInt(s.High)
	return ok && n == 0
}

// writesOne reports whether a block stores only slices, apart from the arguments of a variadic call.
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

// stale reports slices that are extended beyond their length, unless the new elements are overwritten immediately.
func (c *Context) stale(s *ssa.Slice) {
	if s.High == nil || !isSlice(s.X) {
		return
	}
	call, ok := s.High.(*ssa.Call)
	extends := ok && builtin(&call.Call) == "cap" && sameOrLoaded(call.Call.Args[0], s.X)
	if !extends && !c.afterCap(s) && !longer(s) && !beyond(s) {
		return
	}
	if c.cleared(s, map[ssa.Value]bool{}) || c.filled(s) {
		return
	}
	c.report(c.pos(s), "the list is extended to memory behind its length, in which an earlier frame has left something")
}

// filled reports whether the memory after the slice's end was overwritten before, through list[len(list):].
func (c *Context) filled(s *ssa.Slice) (is bool) {
	c.instructions(func(in ssa.Instruction) {
		o, ok := in.(*ssa.Slice)
		if !ok || o.Low == nil || !before(o, s) || !sameOrLoaded(o.X, s.X) {
			return
		}
		l, ok := o.Low.(*ssa.Call)
		is = is || ok && builtin(&l.Call) == "len" && sameOrLoaded(l.Call.Args[0], s.X) && c.cleared(o, map[ssa.Value]bool{})
	})
	return is
}

// beyond reports whether a slice is extended to its length plus a number, for which slices.Grow makes room.
func beyond(s *ssa.Slice) bool {
	sum, ok := s.High.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD {
		return false
	}
	x := origin(s.X)
	if call, ok := x.(*ssa.Call); ok {
		if pkg, name := called(&call.Call); pkg == "slices" && name == "Grow" {
			x = call.Call.Args[0]
		}
	}
	for _, part := range []ssa.Value{sum.X, sum.Y} {
		if l, ok := part.(*ssa.Call); ok && builtin(&l.Call) == "len" {
			if of := l.Call.Args[0]; sameOrLoaded(of, s.X) || sameOrLoaded(of, x) {
				return true
			}
		}
	}
	return false
}

func sameOrLoaded(a, b ssa.Value) bool { return a == b || sameValue(a, b) }

// afterCap reports whether a slice is cut to a length that was compared with its capacity.
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
			if ok && builtin(&call.Call) == "cap" && sameOrLoaded(call.Call.Args[0], s.X) && (other == s.High || sameValue(other, s.High) || oneMore(s.High, other)) {
				return true
			}
		}
	}
	return false
}

// oneMore reports whether a length is another length plus a number.
func oneMore(high, length ssa.Value) bool {
	b, ok := high.(*ssa.BinOp)
	if !ok || b.Op != token.ADD {
		return false
	}
	l, ok := b.X.(*ssa.Call)
	o, also := length.(*ssa.Call)
	return b.X == length || ok && also && builtin(&l.Call) == "len" && builtin(&o.Call) == "len" && sameOrLoaded(l.Call.Args[0], o.Call.Args[0])
}

// longer reports whether a slice that was just cut to length 0 is extended again.
func longer(s *ssa.Slice) bool {
	cut, ok := origin(s.X).(*ssa.Slice)
	if !ok || !isSlice(cut.X) || !isEmptied(cut) {
		return false
	}
	return !isEmptied(s)
}

// origin follows a read to the value stored at its address earlier in the same block.
func origin(v ssa.Value) ssa.Value {
	for range 8 {
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return v
		}
		var stored ssa.Value
		for _, in := range load.Block().Instrs {
			if in == ssa.Instruction(load) {
				break
			}
			if s, ok := in.(*ssa.Store); ok && sameAddr(s.Addr, load.X) {
				stored = s.Val
			}
		}
		if stored == nil {
			return v
		}
		v = stored
	}
	return v
}

// siblings reports a second append to the same slice: if there is room, it overwrites what the first one has
// appended.
func siblings(c *Context, in *ssa.Call) {
	list := origin(in.Call.Args[0])
	if isConst(list) {
		return
	}
	switch l := list.(type) {
	case *ssa.MakeSlice:
		return
	case *ssa.Slice: // list[:0] is judged separately; list[:n:n] has no room
		if l.Max != nil || isEmptied(l) || !isSlice(l.X) {
			return
		}
	}
	c.instructions(func(o ssa.Instruction) {
		first, ok := o.(*ssa.Call)
		if !ok || first == in || builtin(&first.Call) != "append" || !before(first, in) {
			return
		}
		if from := origin(first.Call.Args[0]); from != list && !readAgain(from, list) || writtenBetween(list, first, in) {
			return
		}
		for _, r := range *first.Referrers() {
			if _, debug := r.(*ssa.DebugRef); !debug && !before(r, in) || stores(r) {
				c.report(in.Pos(), "the same list was appended to before: whether this writes over that depends on its capacity")
				return
			}
		}
	})
}

// readAgain reports whether a slice is read from the same address as another one, and nothing was stored there in
// between.
func readAgain(from, list ssa.Value) bool {
	a, ok := from.(*ssa.UnOp)
	b, also := list.(*ssa.UnOp)
	if !ok || !also || !sameValue(from, list) {
		return false
	}
	for _, block := range b.Parent().Blocks {
		for _, in := range block.Instrs {
			if s, ok := in.(*ssa.Store); ok && sameAddr(s.Addr, b.X) && before(a, s) && before(s, b) {
				return false
			}
		}
	}
	return true
}

func stores(in ssa.Instruction) bool { _, ok := in.(*ssa.Store); return ok }

// writtenBetween reports whether the memory from which a slice is read is written between two instructions.
func writtenBetween(list ssa.Value, a, b ssa.Instruction) bool {
	load, ok := list.(*ssa.UnOp)
	if !ok {
		return false
	}
	for _, block := range a.Parent().Blocks {
		for _, in := range block.Instrs {
			s, ok := in.(*ssa.Store)
			if !ok || !sameAddr(s.Addr, load.X) || !before(load, s) {
				continue
			}
			if before(a, s) && before(s, b) && origin(b.(*ssa.Call).Call.Args[0]) != list {
				return true
			}
		}
	}
	return false
}

// cleared reports whether a slice is cleared or overwritten before it is read: by clear or copy, or in a loop over
// all of it.
func (c *Context) cleared(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			switch builtin(&r.Call) {
			case "clear", "copy":
				if r.Call.Args[0] == v {
					return true
				}
			case "SliceData": // other rules examine its uses
				return true
			}
			if fn := r.Call.StaticCallee(); fn != nil {
				if pkg, name := nameOf(fn); pkg == "slices" && name == "Grow" && c.cleared(r, seen) {
					return true
				}
				if i := slices.Index(r.Call.Args, v); i >= 0 && c.Flow.Traits(fn).WritesTo(i) { // such as PutUint32
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
			for _, l := range append(loadsOf(r.Addr, r), loadsBehind(r)...) {
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

// loadsBehind returns the reads of what a store writes, after the branch that it is in meets the others.
func loadsBehind(s *ssa.Store) (loads []ssa.Value) {
	above := s.Block().Idom()
	if above == nil {
		return nil
	}
	for _, b := range s.Parent().Blocks {
		if len(b.Preds) < 2 || !above.Dominates(b) {
			continue
		}
		for _, in := range b.Instrs {
			if u, ok := in.(*ssa.UnOp); ok && u.Op == token.MUL && sameAddr(u.X, s.Addr) {
				loads = append(loads, u)
			}
		}
	}
	return loads
}

// overwrites reports append to the first part of a slice that is used as a whole afterwards: the elements after the
// part are overwritten only if there is room.
func (c *Context) overwrites(in *ssa.Call) {
	part, ok := in.Call.Args[0].(*ssa.Slice)
	if !ok || part.High == nil || part.Max != nil || !isSlice(part.X) {
		return
	}
	if n, ok := constInt(part.High); ok && n == 0 {
		return // list[:0] reuses the memory, and drops the contents
	}
	if shifts(in, part) {
		return
	}
	if c.usedLater(part.X, in) {
		c.report(in.Pos(), "append writes over the rest of the list only if there is room behind the part: that depends on its capacity")
	}
}

// shifts reports whether append moves the rest of the same slice, which always fits.
func shifts(in *ssa.Call, part *ssa.Slice) bool {
	rest, ok := in.Call.Args[1].(*ssa.Slice)
	return ok && rest.Low != nil && (rest.X == part.X || sameValue(rest.X, part.X))
}

// usedLater reports whether a slice may be read after an append to a part of it: not if the result replaces it in
// its variable.
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

// replaces reports whether a slice is stored where the old one was: list = append(list[:n], x), possibly after
// further appends.
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

// callersList reports whether the result of an append to a part of a parameter is not returned, so that the caller
// continues to use the old slice.
func (c *Context) callersList(in *ssa.Call) bool {
	for _, r := range *in.Referrers() {
		if _, ok := r.(*ssa.Return); ok {
			return false
		}
	}
	return true
}

func isSlice(v ssa.Value) bool { return isSliceType(v.Type()) }
