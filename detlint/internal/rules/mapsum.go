package rules

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// This file examines what a loop over a map carries from one entry to the next: variables, and memory that each entry
// reads and writes.

// family is a set of operations that may follow one another in any order.
type family uint8

const (
	none  family = iota
	sum          // + and -
	times        // *
	or
	and
	xor
	least
	most
	steady // one value, the same for all
)

// familyOf returns the family of an operation on integers, in which x is the value accumulated so far.
func familyOf(op token.Token) family {
	switch op {
	case token.ADD, token.SUB:
		return sum
	case token.MUL:
		return times
	case token.OR:
		return or
	case token.AND, token.AND_NOT:
		return and
	case token.XOR:
		return xor
	}
	return none
}

// carried examines the variables that the loop carries.
func (l *mapRange) carried() {
	for _, in := range l.header.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			continue
		}
		for i, e := range phi.Edges {
			if l.blocks[phi.Block().Preds[i]] && e != phi {
				l.variable(phi, e, i)
			}
		}
	}
}

// variable examines one variable: e is its value after an entry, on this path back to the header.
func (l *mapRange) variable(phi *ssa.Phi, e ssa.Value, from int) {
	a := accumulation{l: l, start: phi, parts: map[ssa.Value]bool{phi: true}}
	switch {
	case a.follow(e) && a.alone():
		l.effects = l.effects || a.family != steady && a.family != least && a.family != most
		for v := range a.parts {
			l.sums[v] = true
		}
	case l.collects(phi, e):
		l.effects = true
	case l.extreme(e, from):
	default:
		l.depends(variablePos(phi, e), "%s", whatCarries(phi, e))
	}
}

// variablePos returns where a variable changes.
func variablePos(phi *ssa.Phi, e ssa.Value) token.Pos {
	if e.Pos().IsValid() {
		return e.Pos()
	}
	return phi.Pos()
}

// whatCarries describes a variable that depends on the order.
func whatCarries(phi *ssa.Phi, e ssa.Value) string {
	name := phi.Comment
	if name == "" {
		name = "a variable"
	}
	if call, ok := e.(*ssa.Call); ok && builtin(&call.Call) == "append" {
		return name + " collects entries in that order, and is not sorted before it is used"
	}
	if isFloat(phi.Type()) {
		return name + " adds up floats, which round differently in each order"
	}
	return name + " depends on which entry comes first or last"
}

// accumulation is what happens to a variable in one entry.
type accumulation struct {
	l      *mapRange
	start  ssa.Value
	parts  map[ssa.Value]bool // values that contain the accumulated value
	family family
	value  ssa.Value // for family steady
}

// follow reports whether v is computed from the accumulated value by operations of one family.
func (a *accumulation) follow(v ssa.Value) bool {
	if a.parts[v] {
		return true
	}
	switch v := v.(type) {
	case *ssa.Phi:
		if !a.l.inside(v) {
			return a.set(v)
		}
		if a.logical(v) {
			return true
		}
		a.parts[v] = true
		for _, e := range v.Edges {
			if !a.follow(e) {
				return false
			}
		}
		return true
	case *ssa.BinOp:
		if a.operation(v) {
			return true
		}
	case *ssa.Call:
		if f := extremeCall(&v.Call); f != none && a.args(v) {
			return a.is(f)
		}
	case *ssa.Convert: // a narrow variable is widened and narrowed again
		if isInteger(v.Type()) && isInteger(v.X.Type()) && a.follow(v.X) && a.family != least && a.family != most {
			a.parts[v] = true
			return true
		}
	}
	return a.set(v)
}

// logical reports whether a value is ok && x, or ok || x, where ok is the accumulated value.
func (a *accumulation) logical(v *ssa.Phi) bool {
	if len(v.Edges) != 2 || !isBoolean(v.Type()) {
		return false
	}
	for i, e := range v.Edges {
		k, ok := e.(*ssa.Const)
		from := v.Block().Preds[i]
		cond, branches := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || !branches || !a.parts[cond.Cond] || a.holds(v.Edges[1-i]) {
			continue
		}
		value, f := constant.BoolVal(k.Value), and
		short := 1 // the branch that leaves out x
		if value {
			f, short = or, 0
		}
		if from.Succs[short] == v.Block() && a.is(f) {
			a.parts[v] = true
			return true
		}
	}
	return false
}

// operation reports whether a binary operation continues the accumulation.
func (a *accumulation) operation(v *ssa.BinOp) bool {
	f := familyOf(v.Op)
	if f == none || !isInteger(v.Type()) && !isBoolean(v.Type()) {
		return false
	}
	for i, x := range []ssa.Value{v.X, v.Y} {
		other := []ssa.Value{v.Y, v.X}[i]
		if i == 1 && (v.Op == token.SUB || v.Op == token.AND_NOT) {
			break
		}
		if a.holds(x) && !a.holds(other) && a.is(f) {
			a.parts[v] = true
			return a.follow(x)
		}
	}
	return false
}

// holds reports whether a value is computed from the accumulated value.
func (a *accumulation) holds(v ssa.Value) bool { return a.reaches(v, map[ssa.Value]bool{}) }

func (a *accumulation) reaches(v ssa.Value, seen map[ssa.Value]bool) bool {
	if a.parts[v] {
		return true
	}
	if seen[v] || !a.l.inside(v) {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if a.reaches(e, seen) {
				return true
			}
		}
	case *ssa.BinOp:
		return a.reaches(v.X, seen) || a.reaches(v.Y, seen)
	case *ssa.Convert:
		return a.reaches(v.X, seen)
	case *ssa.Call:
		for _, x := range v.Call.Args {
			if a.reaches(x, seen) {
				return true
			}
		}
	}
	return false
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// is records a family, and reports whether there is no other one.
func (a *accumulation) is(f family) bool {
	if a.family == none {
		a.family = f
	}
	return a.family == f
}

// extremeCall returns the family of a call of min or max. Calls on fixed.Num are on integers.
func extremeCall(call *ssa.CallCommon) family {
	switch builtin(call) {
	case "min":
		return least
	case "max":
		return most
	}
	return none
}

// args reports whether one argument is the accumulated value, and the others are not.
func (a *accumulation) args(v *ssa.Call) bool {
	n := 0
	for _, x := range v.Call.Args {
		if a.holds(x) {
			if !a.follow(x) {
				return false
			}
			n++
		}
	}
	a.parts[v] = true
	return n == 1
}

// set reports whether a value replaces the accumulated one by a value that is the same for all entries.
func (a *accumulation) set(v ssa.Value) bool {
	if !a.l.invariant(v) || a.value != nil && !flow.Same(a.value, v) {
		return false
	}
	a.value = v
	return a.is(steady)
}

// alone reports whether nothing else in the loop reads the accumulated value, since that differs between orders.
func (a *accumulation) alone() bool {
	for v := range a.parts {
		for _, r := range *v.Referrers() {
			if _, debug := r.(*ssa.DebugRef); debug || !a.l.blocks[r.Block()] {
				continue
			}
			if u, ok := r.(ssa.Value); ok && a.parts[u] {
				continue
			}
			if s, ok := r.(*ssa.Store); ok && a.parts[s.Addr] {
				continue
			}
			if cond, ok := r.(*ssa.If); ok && a.shortcut(cond) {
				continue
			}
			if at, ok := r.(*ssa.IndexAddr); ok && at.Index == v && a.family == sum && sortedAfter(a.l, at.X) {
				continue // the next position in a slice
			}
			return false
		}
	}
	return true
}

// shortcut reports whether a condition decides ok && x, or ok || x, where x has no effects.
func (a *accumulation) shortcut(cond *ssa.If) bool {
	if a.family != and && a.family != or {
		return false
	}
	rest := cond.Block().Succs[0]
	if a.family == or {
		rest = cond.Block().Succs[1]
	}
	for _, in := range rest.Instrs {
		switch in := in.(type) {
		case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer:
			return false
		case *ssa.Call:
			if fn := in.Call.StaticCallee(); builtin(&in.Call) == "" && (fn == nil || !a.l.c.Flow.Traits(fn).Pure()) {
				return false
			}
		}
	}
	return true
}

// collects reports whether a variable is a slice to which entries are appended, and that is sorted after the loop
// before it is used.
func (l *mapRange) collects(phi *ssa.Phi, e ssa.Value) bool {
	if !appends(l, phi, e, map[ssa.Value]bool{}) {
		return false
	}
	for _, r := range *phi.Referrers() { // nothing in the loop reads it
		if call, ok := r.(*ssa.Call); ok && (builtin(&call.Call) == "append" || builtin(&call.Call) == "len") {
			continue
		}
		if _, ok := r.(*ssa.Phi); !ok && l.blocks[r.Block()] {
			return false
		}
	}
	return sortedAfter(l, phi)
}

// appends reports whether a value is the slice with more elements.
func appends(l *mapRange, list ssa.Value, v ssa.Value, seen map[ssa.Value]bool) bool {
	if v == list || seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !appends(l, list, e, seen) {
				return false
			}
		}
		return l.inside(v)
	case *ssa.Call:
		return builtin(&v.Call) == "append" && appends(l, list, v.Call.Args[0], seen)
	}
	return false
}

// fills reports whether a write is to the next position in a slice that is sorted after the loop: list[i] = k; i++.
func fills(l *mapRange, s *ssa.Store) bool {
	at, ok := s.Addr.(*ssa.IndexAddr)
	return ok && l.sums[at.Index] && sortedAfter(l, at.X)
}

// sortedAfter reports whether a slice is sorted after the loop before anything else uses it.
func sortedAfter(l *mapRange, list ssa.Value) bool {
	outside := []ssa.Instruction{}
	for _, u := range usesOf(list) {
		if u.Block() != nil && !l.blocks[u.Block()] {
			outside = append(outside, u)
		}
	}
	inner := *l.c
	if m, ok := l.ranged.Type().Underlying().(*types.Map); ok {
		if s, ok := list.Type().Underlying().(*types.Slice); ok && types.Identical(s.Elem(), m.Key()) {
			inner.keys = m.Key()
		}
	}
	sorts := sortsOf(&inner, list)
	if _, grows := list.(*ssa.Phi); !grows && len(sorts) == 0 {
		return false
	}
	for _, u := range outside {
		fine := orderless(u)
		for _, s := range sorts {
			fine = fine || s == u || before(s, u)
		}
		if !fine {
			return false
		}
	}
	return true
}
