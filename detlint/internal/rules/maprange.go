package rules

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// mapRange is a loop over a map, in which everything is searched that depends on the order of its entries. A loop does
// not depend on the order if each entry does something of its own, or something that has the same result for any order:
//
//   - it counts, or adds up integers, or combines bits
//   - it keeps the smallest or the largest, by an order in which no two are equal
//   - it sets a value that another entry can only set to the same
//   - it fills, by the key, another map, a set or a slice, or deletes the key
//   - it collects a list that is sorted before it is used
//   - it changes memory to which its own entry refers
//   - it stops early, with a result that is the same for each entry
type mapRange struct {
	c      *Context
	fn     *ssa.Function // the function that contains the body
	at     token.Pos
	what   string
	ranged ssa.Value // the map that is ranged over

	blocks  map[*ssa.BasicBlock]bool // the blocks of the body
	header  *ssa.BasicBlock          // nil if the body is a function
	body    bool                     // the body is a separate function
	key     ssa.Value
	entries []ssa.Value // the key and the value

	derived map[ssa.Value]bool // values that depend on the entry
	sums    map[ssa.Value]bool // values that are part of an accumulation
	effects bool               // an entry has lasting effects, other than storing constants
	said    bool
}

// mapLoop returns the loop of a range statement over a map.
func mapLoop(c *Context, next *ssa.Next, r *ssa.Range) *mapRange {
	l := &mapRange{c: c, fn: c.Fn, at: r.Pos(), what: "the range over the map", ranged: r.X, header: next.Block(), blocks: loopOf(next.Block())}
	for _, u := range *next.Referrers() {
		if e, ok := u.(*ssa.Extract); ok && e.Index > 0 {
			l.entries = append(l.entries, e)
			if e.Index == 1 {
				l.key = e
			}
		}
	}
	return l
}

// loopOf returns the blocks of the natural loop with this header; if the body never returns to the header, the blocks
// of the body: the header then belongs to the code before the loop.
func loopOf(header *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	blocks := map[*ssa.BasicBlock]bool{header: true}
	var work []*ssa.BasicBlock
	for _, p := range header.Preds {
		if header.Dominates(p) {
			work = append(work, p)
		}
	}
	cond, ok := header.Instrs[len(header.Instrs)-1].(*ssa.If)
	if len(work) == 0 && ok {
		delete(blocks, header)
		for _, b := range header.Parent().Blocks {
			if cond.Block().Succs[0].Dominates(b) {
				blocks[b] = true
			}
		}
		return blocks
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if blocks[b] {
			continue
		}
		blocks[b] = true
		work = append(work, b.Preds...)
	}
	if ok {
		blocks[cond.Block().Succs[0]] = true
	}
	return blocks
}

// depends reports something in the loop that depends on its order; only the first, since one range is one mistake.
func (l *mapRange) depends(pos token.Pos, format string, args ...any) {
	if l.said {
		return
	}
	l.said = true
	why := fmt.Sprintf(format, args...)
	if pos.IsValid() {
		if p := l.c.Fset.Position(pos); p.Line != l.c.Fset.Position(l.at).Line {
			why += fmt.Sprintf(" (line %d)", p.Line)
		}
	}
	l.c.report(l.at, "the order of %s is random, and %s", l.what, why)
}

// examine examines everything in the loop.
func (l *mapRange) examine() {
	if l.header != nil && l.single() {
		return
	}
	l.derived, l.sums = map[ssa.Value]bool{}, map[ssa.Value]bool{}
	l.derive()
	if l.header != nil {
		l.carried()
	}
	l.accumulations()
	for b := range l.each() {
		for _, in := range b.Instrs {
			l.instruction(in)
		}
	}
	l.exits()
}

// single reports whether the loop is only reached if the map has at most one entry.
func (l *mapRange) single() bool {
	for cond, then := range guards(l.header) {
		cmp, ok := cond.Cond.(*ssa.BinOp)
		if !ok || !then {
			continue
		}
		size, ok := cmp.X.(*ssa.Call)
		n, constant := constInt(cmp.Y)
		if !ok || !constant || builtin(&size.Call) != "len" || !sameOrLoaded(size.Call.Args[0], l.ranged) {
			continue
		}
		if cmp.Op == token.EQL && n <= 1 || cmp.Op == token.LEQ && n <= 1 || cmp.Op == token.LSS && n <= 2 {
			return true
		}
	}
	return false
}

// each yields the blocks of the body in the order of the source.
func (l *mapRange) each() func(yield func(*ssa.BasicBlock) bool) {
	return func(yield func(*ssa.BasicBlock) bool) {
		for _, b := range l.fn.Blocks {
			if l.blocks[b] && !yield(b) {
				return
			}
		}
	}
}

// derive marks values that are computed from an entry.
func (l *mapRange) derive() {
	for _, e := range l.entries {
		l.derived[e] = true
	}
	for changed := true; changed; {
		changed = false
		for b := range l.each() {
			for _, in := range b.Instrs {
				v, ok := in.(ssa.Value)
				if !ok || l.derived[v] {
					continue
				}
				if phi, ok := v.(*ssa.Phi); ok && b == l.header && phi != nil {
					continue
				}
				for _, o := range in.Operands(nil) {
					if *o != nil && l.derived[*o] {
						l.derived[v], changed = true, true
					}
				}
			}
		}
	}
}

// inside reports whether a value is computed in the loop.
func (l *mapRange) inside(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	return ok && in.Block() != nil && l.blocks[in.Block()]
}

// invariant reports whether a value is the same for all entries.
func (l *mapRange) invariant(v ssa.Value) bool {
	if l.derived[v] {
		return false
	}
	if !l.inside(v) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeInterface:
		return l.invariant(v.X)
	case *ssa.ChangeType:
		return l.invariant(v.X)
	case *ssa.Convert:
		return l.invariant(v.X)
	case *ssa.FieldAddr:
		return l.invariant(v.X)
	case *ssa.IndexAddr:
		return l.invariant(v.X) && l.invariant(v.Index)
	case *ssa.BinOp:
		return l.invariant(v.X) && l.invariant(v.Y)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return l.invariant(v.X)
		}
		if a, ok := v.X.(*ssa.Alloc); ok && l.inside(a) {
			return l.constantOf(a)
		}
		return l.invariant(v.X) && !l.written(v.X)
	}
	return false
}

// constantOf reports whether everything that is stored in a variable of the body is the same for all entries.
func (l *mapRange) constantOf(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != a || !l.invariant(r.Val) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// written reports whether the loop writes to an address.
func (l *mapRange) written(addr ssa.Value) bool {
	at := l.c.Flow.Of(addr)
	for b := range l.each() {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && (sameAddr(s.Addr, addr) || couldBe(s.Addr, addr) && l.c.Flow.Of(s.Addr).Overlaps(at)) {
				return true
			}
		}
	}
	return false
}

// couldBe reports whether two addresses might be the same: not if they are of different fields.
func couldBe(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	y, also := b.(*ssa.FieldAddr)
	if ok && also && types.Identical(x.X.Type(), y.X.Type()) && x.Field != y.Field {
		return false
	}
	return types.Identical(a.Type(), b.Type())
}

// own reports whether memory belongs to the entry: it was made in the body, or the entry refers to it.
func (l *mapRange) own(v ssa.Value) bool { return owns(l, v, map[*ssa.Phi]bool{}) }

// owns skips the values of loops that are already being examined: a variable of a loop is its initial value, and what
// the loop computes from it.
func owns(l *mapRange, v ssa.Value, loops map[*ssa.Phi]bool) bool {
	own := func(v ssa.Value) bool { return owns(l, v, loops) }
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		return l.inside(v)
	case *ssa.FieldAddr:
		return own(x.X)
	case *ssa.IndexAddr:
		return own(x.X)
	case *ssa.Slice:
		return own(x.X)
	case *ssa.ChangeType:
		return own(x.X)
	case *ssa.MakeInterface:
		return own(x.X)
	case *ssa.ChangeInterface:
		return own(x.X)
	case *ssa.UnOp:
		return x.Op == token.MUL && own(x.X)
	case *ssa.Lookup: // what the key leads to in another map
		return l.isKey(x.Index)
	case *ssa.Extract:
		if look, ok := x.Tuple.(*ssa.Lookup); ok {
			return l.isKey(look.Index)
		}
		if next, ok := x.Tuple.(*ssa.Next); ok && !slices.Contains(l.entries, v) { // a range over something that the entry leads to
			r, ok := next.Iter.(*ssa.Range)
			return ok && own(r.X)
		}
	case *ssa.Phi:
		if loops[x] {
			return true
		}
		loops[x] = true
		for _, e := range x.Edges {
			if !own(e) {
				return false
			}
		}
		return true
	case *ssa.Call:
		if builtin(&x.Call) == "append" {
			return own(x.Call.Args[0])
		}
		fn := x.Call.StaticCallee()
		return fn != nil && l.c.Flow.Traits(fn).Returns == 0 && l.inside(v)
	case *ssa.Const:
		return true
	}
	for _, e := range l.entries {
		if e == v {
			return true
		}
	}
	return false
}

// isKey reports whether a value is different for each entry: the key, a conversion that keeps keys distinct, or a
// struct or an array with it.
func (l *mapRange) isKey(v ssa.Value) bool {
	if l.key == nil {
		return false
	}
	switch x := v.(type) {
	case *ssa.ChangeType:
		return l.isKey(x.X)
	case *ssa.MakeInterface:
		return l.isKey(x.X)
	case *ssa.Convert:
		return l.isKey(x.X) && (!isInteger(x.X.Type()) || isInteger(x.Type()) && width(x.Type()) >= width(x.X.Type()))
	case *ssa.BinOp: // shifted by a number that is the same for all
		return (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.XOR) && (l.isKey(x.X) && l.invariant(x.Y) || l.isKey(x.Y) && l.invariant(x.X) && x.Op != token.SUB)
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			return l.holdsKey(a)
		}
	}
	return v == l.key
}

// holdsKey reports whether a variable of the body is the key, or contains it in a field.
func (l *mapRange) holdsKey(a *ssa.Alloc) bool {
	found := false
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			found = found || r.Addr == a && l.isKey(r.Val)
		case *ssa.FieldAddr:
			for _, s := range *r.Referrers() {
				if s, ok := s.(*ssa.Store); ok && l.isKey(s.Val) {
					found = true
				}
			}
		case *ssa.IndexAddr:
			for _, s := range *r.Referrers() {
				if s, ok := s.(*ssa.Store); ok && l.isKey(s.Val) {
					found = true
				}
			}
		}
	}
	return found
}
