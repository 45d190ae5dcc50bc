package rules

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// This file examines what the body of a loop over a map does to memory, and how it ends.

// sameAddr reports whether two addresses are the same by their form.
func sameAddr(a, b ssa.Value) bool { return flow.Same(a, b) }

// instruction reports effects of an instruction that depend on the order of the entries.
func (l *mapRange) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		l.store(in)
	case *ssa.MapUpdate:
		l.update(in)
	case *ssa.Call:
		l.call(in, &in.Call)
	case *ssa.Defer:
		l.depends(in.Pos(), "calls are deferred in that order")
	}
}

// store examines a write.
func (l *mapRange) store(s *ssa.Store) {
	switch {
	case l.own(s.Addr), l.sums[s.Addr], l.synthetic(s.Addr):
	case l.byKey(s.Addr):
		l.effects = true
	case l.invariant(s.Val) && l.onlyStore(s):
	case l.memory(s), fills(l, s):
		l.effects = true
	case l.smallest(s):
	case l.sortedMemory(s):
		l.effects = true
	default:
		l.depends(s.Pos(), "%s is written for each entry", address2words(s.Addr))
	}
}

// synthetic reports whether a variable is one that the compiler has made for a loop over an iterator.
func (l *mapRange) synthetic(addr ssa.Value) bool {
	f, ok := addr.(*ssa.FreeVar)
	return ok && l.body && (strings.HasPrefix(f.Name(), "#") || strings.Contains(f.Name(), "$"))
}

// byKey reports whether an address differs for each entry: an element whose index is the key.
func (l *mapRange) byKey(addr ssa.Value) bool {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		return l.byKey(x.X)
	case *ssa.IndexAddr:
		return l.isKey(x.Index) || l.byKey(x.X)
	}
	return false
}

// onlyStore reports whether all writes to the address in the loop write the same.
func (l *mapRange) onlyStore(s *ssa.Store) bool {
	if !l.invariant(s.Addr) {
		return false
	}
	for b := range l.each() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if in != s && sameAddr(in.Addr, s.Addr) && !flow.Same(in.Val, s.Val) {
					return false
				}
			case *ssa.UnOp: // a read, which shows whether there was an entry before
				if in.Op == token.MUL && sameAddr(in.X, s.Addr) {
					return false
				}
			}
		}
	}
	return true
}

// accumulations marks reads of memory that are part of a sum.
func (l *mapRange) accumulations() {
	for b := range l.each() {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok {
				l.memory(s)
			}
		}
	}
}

// memory reports whether a write adds to the value in memory, and nothing else in the loop reads it.
func (l *mapRange) memory(s *ssa.Store) bool {
	a := accumulation{l: l, parts: map[ssa.Value]bool{}}
	loads := 0
	for b := range l.each() {
		for _, in := range b.Instrs {
			u, ok := in.(*ssa.UnOp)
			switch {
			case !ok || u.Op != token.MUL:
			case sameAddr(u.X, s.Addr):
				a.parts[u] = true
				loads++
			case sameFieldOfAnother(u.X, s.Addr):
				return false
			}
		}
	}
	if loads == 0 || !a.follow(s.Val) || a.family == steady {
		return false
	}
	for v := range a.parts {
		for _, r := range *v.Referrers() {
			u, value := r.(ssa.Value)
			store, stores := r.(*ssa.Store)
			_, debug := r.(*ssa.DebugRef)
			if !debug && l.blocks[r.Block()] && !(value && a.parts[u]) && !(stores && sameAddr(store.Addr, s.Addr)) {
				return false
			}
		}
	}
	return true
}

// sameFieldOfAnother reports whether two addresses are the same field of two structs that may be the same struct: not
// if one of them is a variable of the function.
func sameFieldOfAnother(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	y, also := b.(*ssa.FieldAddr)
	if !ok || !also || x.Field != y.Field || !types.Identical(x.X.Type(), y.X.Type()) {
		return false
	}
	_, local := flow.Base(x).(*ssa.Alloc)
	_, other := flow.Base(y).(*ssa.Alloc)
	return !local && !other
}

// smallest reports whether a write keeps the smallest or the largest value in memory: it depends on a comparison of
// the old value with the new one, and nothing else is written there.
func (l *mapRange) smallest(s *ssa.Store) bool {
	b := s.Block()
	if len(b.Preds) != 1 || !l.blocks[b.Preds[0]] {
		return false
	}
	for _, in := range b.Instrs {
		if o, ok := in.(*ssa.Store); ok && o != s {
			return false
		}
	}
	cond, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cmp, ok := cond.Cond.(*ssa.BinOp)
	if !ok || !ordered(cmp.Op) {
		return false
	}
	is := func(v ssa.Value) bool {
		u, ok := v.(*ssa.UnOp)
		return ok && u.Op == token.MUL && sameAddr(u.X, s.Addr)
	}
	return is(cmp.X) && (cmp.Y == s.Val || sameValue(cmp.Y, s.Val)) || is(cmp.Y) && (cmp.X == s.Val || sameValue(cmp.X, s.Val))
}

// sortedMemory reports whether a write appends to a slice in memory that is sorted after the loop.
func (l *mapRange) sortedMemory(s *ssa.Store) bool {
	call, ok := s.Val.(*ssa.Call)
	if !ok || builtin(&call.Call) != "append" {
		return false
	}
	from, ok := call.Call.Args[0].(*ssa.UnOp)
	if !ok || !sameAddr(from.X, s.Addr) {
		return false
	}
	fn, addr := l.fn, s.Addr
	if free, ok := addr.(*ssa.FreeVar); ok && l.body { // a variable of the surrounding function
		fn, addr = l.c.Fn, binding(l.c.Fn, l.fn, free)
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			sort, ok := in.(*ssa.Call)
			if !ok || l.blocks[b] || len(sort.Call.Args) == 0 {
				continue
			}
			list := sort.Call.Args[0]
			if m, ok := list.(*ssa.MakeInterface); ok {
				list = m.X
			}
			if c, ok := list.(*ssa.ChangeType); ok {
				list = c.X
			}
			load, ok := list.(*ssa.UnOp)
			pkg, name := called(&sort.Call)
			if ok && load.Op == token.MUL && addr != nil && sameAddr(load.X, addr) && sortsTotally(l.c, sort, pkg, name) {
				return true
			}
		}
	}
	return false
}

// binding returns the value in the surrounding function that a function literal captures.
func binding(fn, lit *ssa.Function, free *ssa.FreeVar) ssa.Value {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.MakeClosure); ok && c.Fn == lit {
				for i, f := range lit.FreeVars {
					if f == free {
						return c.Bindings[i]
					}
				}
			}
		}
	}
	return nil
}

// update examines a write to a map.
func (l *mapRange) update(u *ssa.MapUpdate) {
	switch {
	case l.own(u.Map):
	case l.isKey(u.Key):
		l.effects = true
		if l.same(u.Map) && !l.sameKey(u.Key) {
			l.depends(u.Pos(), "entries are added to the map meanwhile, which the range may meet or not")
		}
	case l.same(u.Map):
		l.depends(u.Pos(), "entries are added to the map meanwhile, which the range may meet or not")
	case l.invariant(u.Value):
		l.effects = true
	case l.lookupSum(u), grouped(l, u):
		l.effects = true
	default:
		l.depends(u.Pos(), "two entries may write to the same key of another map")
	}
}

// sameKey reports whether a value is the key itself, whose entry already exists.
func (l *mapRange) sameKey(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	return v == l.key
}

// same reports whether a map is the one that is ranged over.
func (l *mapRange) same(m ssa.Value) bool { return m == l.ranged || flow.Same(m, l.ranged) }

// lookupSum reports whether a map's entry is set to a sum with its old value: m[k] += v.
func (l *mapRange) lookupSum(u *ssa.MapUpdate) bool {
	b, ok := u.Value.(*ssa.BinOp)
	if !ok || familyOf(b.Op) == none || !isInteger(b.Type()) {
		return false
	}
	is := func(v ssa.Value) bool {
		look, ok := v.(*ssa.Lookup)
		return ok && flow.Same(look.X, u.Map) && flow.Same(look.Index, u.Key)
	}
	return (is(b.X) || is(b.Y) && b.Op != token.SUB && b.Op != token.AND_NOT) && sumsOnly(l, u.Map, familyOf(b.Op))
}

// sumsOnly reports whether all writes to a map in the loop, and reads of it, are part of sums of one family.
func sumsOnly(l *mapRange, m ssa.Value, f family) bool {
	at := l.c.Flow.Of(m)
	same := func(o ssa.Value) bool {
		return flow.Same(o, m) || types.Identical(o.Type(), m.Type()) && couldBe(source(o), source(m)) && l.c.Flow.Of(o).Overlaps(at)
	}
	for b := range l.each() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.MapUpdate:
				if sum, ok := in.Value.(*ssa.BinOp); same(in.Map) && (!ok || familyOf(sum.Op) != f) {
					return false
				}
			case *ssa.Lookup:
				if same(in.X) && !slices.ContainsFunc(*in.Referrers(), func(r ssa.Instruction) bool { return partOf(r, f) }) {
					return false
				}
			}
		}
	}
	return true
}

// source returns the address from which a map was read, or else the map.
func source(m ssa.Value) ssa.Value {
	if load, ok := m.(*ssa.UnOp); ok {
		return load.X
	}
	return m
}

// partOf reports whether an instruction is a sum of a family.
func partOf(in ssa.Instruction, f family) bool {
	b, ok := in.(*ssa.BinOp)
	return ok && familyOf(b.Op) == f
}

// call examines a call.
func (l *mapRange) call(in ssa.Instruction, call *ssa.CallCommon) {
	switch builtin(call) {
	case "":
	case "delete":
		if l.same(call.Args[0]) && !l.isKey(call.Args[1]) {
			l.depends(in.Pos(), "it deletes other entries, which the range may have met or not")
		}
		l.effects = true
		return
	case "len":
		if l.same(call.Args[0]) && touches(l, call.Args[0].Type()) {
			l.depends(in.Pos(), "how many entries the map still has depends on which ones were met before")
		}
		return
	case "copy", "clear":
		if !l.own(call.Args[0]) {
			l.depends(in.Pos(), "%s writes to the same memory for each entry", builtin(call))
		}
		return
	default:
		return
	}
	fn := call.StaticCallee()
	if fn == nil {
		if call.IsInvoke() && (call.Method.Name() == "Error" || call.Method.Name() == "String") || freshMethod(l, call) || allCommute(l, in, call) {
			return
		}
		l.depends(in.Pos(), "a function is called in that order of which only the caller knows what it does")
		return
	}
	if freshPrint(l, call) {
		return
	}
	t := l.c.Flow.Traits(fn)
	_, name := nameOf(fn)
	if name == "" {
		name = "a function"
	}
	if c, ok := call.Value.(*ssa.MakeClosure); ok && t.FreeWrites != 0 {
		for _, b := range c.Bindings {
			if !l.own(b) {
				l.depends(in.Pos(), "%s is called in that order, and changes captured variables", name)
				return
			}
		}
	}
	switch {
	case writesToOwn(l, call):
	case t.Effects || len(t.Globals) > 0:
		l.depends(in.Pos(), "%s is called in that order, and does something that is seen elsewhere", name)
	case t.Dynamic && !l.quiet(call):
		l.depends(in.Pos(), "%s is called in that order, and calls what is not known here", name)
	default:
		for i, x := range call.Args {
			if t.WritesTo(i) && flow.HasPointers(x.Type()) && !l.own(x) && !l.byKey(x) {
				if commutes(l, in, call, fn) {
					return
				}
				l.depends(in.Pos(), "%s is called in that order, and changes %s", name, what(x))
				return
			}
			if t.KeepsArg(i) && l.derived[x] && flow.HasPointers(x.Type()) {
				l.depends(in.Pos(), "%s is called in that order, and keeps what it is given", name)
				return
			}
		}
	}
}

// quiet reports whether all functions that are passed are literals that only change memory of the entry.
func (l *mapRange) quiet(call *ssa.CallCommon) bool {
	for _, x := range call.Args {
		if _, ok := x.Type().Underlying().(*types.Signature); !ok {
			if _, ok := x.Type().Underlying().(*types.Interface); ok && !isConst(x) {
				if m, ok := x.(*ssa.MakeInterface); !ok || flow.HasPointers(m.X.Type()) {
					return false
				}
			}
			continue
		}
		switch x := x.(type) {
		case *ssa.Function:
			if !l.c.Flow.Traits(x).Pure() {
				return false
			}
		case *ssa.MakeClosure:
			t := l.c.Flow.Traits(x.Fn.(*ssa.Function))
			if t.FreeWrites != 0 || t.Effects || t.Dynamic || len(t.Globals) > 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isConst(v ssa.Value) bool { _, ok := v.(*ssa.Const); return ok }

// exits examines early exits from the loop.
func (l *mapRange) exits() {
	if l.body {
		l.stops()
		return
	}
	for b := range l.each() {
		if b == l.header {
			continue
		}
		for _, s := range b.Succs {
			if !l.blocks[s] {
				l.leave(b, s)
			}
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			l.result(r)
		}
	}
}

// leave examines an exit from within the loop: the code after it must not depend on the entry at which the loop
// ended.
func (l *mapRange) leave(from, to *ssa.BasicBlock) {
	pos := from.Instrs[len(from.Instrs)-1].Pos()
	if !pos.IsValid() {
		pos = l.at
	}
	if l.effects {
		l.depends(pos, "the loop ends early, so that it depends on the order how many entries it has met")
		return
	}
	i := -1
	for j, p := range to.Preds {
		if p == from {
			i = j
		}
	}
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if i >= 0 && !l.invariant(phi.Edges[i]) {
			l.depends(pos, "the first entry that fits ends the loop, and decides what it comes to")
			return
		}
	}
	l.after(to, map[*ssa.BasicBlock]bool{})
}

// after looks for uses of the entry after the loop.
func (l *mapRange) after(b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) {
	if seen[b] || l.blocks[b] || l.said {
		return
	}
	seen[b] = true
	for _, in := range b.Instrs {
		if _, phi := in.(*ssa.Phi); phi {
			continue
		}
		if _, debug := in.(*ssa.DebugRef); debug {
			continue
		}
		for _, o := range in.Operands(nil) {
			if *o != nil && l.inside(*o) && !l.invariant(*o) {
				l.depends(l.c.pos(in), "the first entry that fits ends the loop, and is used after it")
				return
			}
		}
	}
	for _, s := range b.Succs {
		l.after(s, seen)
	}
}

// result examines a return from within the loop.
func (l *mapRange) result(r *ssa.Return) {
	if l.effects && len(r.Results) >= 0 {
		l.depends(r.Pos(), "the loop ends early, so that it depends on the order how many entries it has met")
		return
	}
	for _, v := range r.Results {
		if !l.invariant(v) {
			l.depends(r.Pos(), "the first entry that fits is returned")
			return
		}
	}
}

// stops examines early exits of a body that is a function: it returns false there.
func (l *mapRange) stops() {
	for b := range l.each() {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(r.Results) != 1 {
			continue
		}
		k, ok := r.Results[0].(*ssa.Const)
		if ok && k.Value != nil && k.Value.String() == "false" && l.effects {
			l.depends(r.Pos(), "the loop ends early, so that it depends on the order how many entries it has met")
		}
	}
}

// what returns a name of a value for messages.
func what(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		if v.Comment != "" {
			return v.Comment
		}
	case *ssa.FieldAddr:
		if s, ok := types.Unalias(v.X.Type().Underlying().(*types.Pointer).Elem()).Underlying().(*types.Struct); ok {
			return what(v.X) + "." + s.Field(v.Field).Name()
		}
	case *ssa.UnOp:
		return what(v.X)
	case *ssa.IndexAddr:
		return "an element of " + what(v.X)
	}
	return "what was there before"
}

func address2words(v ssa.Value) string { return fmt.Sprint(what(v)) }
