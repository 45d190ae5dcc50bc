package rules

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// extreme reports whether a variable keeps the smallest or the largest entry, by an order in which no two entries are
// equal: all variables that change together are compared, or the key is, so that ties are broken.
func (l *mapRange) extreme(e ssa.Value, from int) bool {
	together := l.back(from)
	if merge, ok := e.(*ssa.Phi); ok && l.inside(merge) {
		if rereads(l, merge) {
			return false
		}
		together = l.together(merge)
	}
	compared := map[*ssa.Phi]bool{}
	keyed := false
	for _, pair := range together {
		if b, ok := pair.new.(*ssa.BinOp); ok && (b.X == ssa.Value(pair.old) || b.Y == ssa.Value(pair.old)) {
			return false // a count that has an influence
		}
		for _, r := range *pair.old.Referrers() {
			if !l.blocks[r.Block()] {
				continue
			}
			switch r := r.(type) {
			case *ssa.Phi, *ssa.DebugRef:
			case *ssa.If: // "is there any yet?"
				if !l.flag(pair) {
					return false
				}
			case *ssa.UnOp:
				if !l.flag(pair) || r.Op != token.NOT {
					return false
				}
			case *ssa.BinOp:
				other := r.X
				if other == ssa.Value(pair.old) {
					other = r.Y
				}
				if !l.matches(other, pair.new) {
					return false
				}
				if ordered(r.Op) {
					compared[pair.old] = true
					keyed = keyed || l.isKey(pair.new)
				}
			case *ssa.FieldAddr, *ssa.Field:
				ok, unique := rivals(r.(ssa.Value), pair.new)
				if !ok {
					return false
				}
				keyed = keyed || unique
			case *ssa.Call:
				ok, total := compares(r, pair)
				if !ok {
					return false
				}
				keyed = keyed || total
			default:
				return false
			}
		}
	}
	if keyed {
		return true
	}
	for _, pair := range together {
		if !compared[pair.old] && !l.flag(pair) {
			return false
		}
	}
	return len(together) > 0
}

// rereads reports whether the loop uses the best entry after each comparison for anything other than keeping it.
func rereads(l *mapRange, merge *ssa.Phi) bool {
	return slices.ContainsFunc(*merge.Referrers(), func(r ssa.Instruction) bool {
		phi, ok := r.(*ssa.Phi)
		_, debug := r.(*ssa.DebugRef)
		return !debug && l.blocks[r.Block()] && !(ok && phi.Block() == l.header)
	})
}

// rivals reports whether a field of the best entry so far is only compared with the same field of another one, and
// whether that field distinguishes entries.
func rivals(best, entry ssa.Value) (ok, apart bool) {
	values := []ssa.Value{best}
	name := ""
	switch f := best.(type) {
	case *ssa.FieldAddr:
		name, _ = field(f.X.Type(), f.Field)
		values = nil
		for _, r := range *f.Referrers() {
			load, is := r.(*ssa.UnOp)
			if !is {
				return false, false
			}
			values = append(values, load)
		}
	case *ssa.Field:
		name, _ = field(f.X.Type(), f.Field)
	}
	for _, v := range values {
		for _, r := range *v.Referrers() {
			var rest []ssa.Value
			orders := false
			switch r := r.(type) {
			case *ssa.DebugRef:
				continue
			case *ssa.BinOp:
				rest, orders = []ssa.Value{r.X, r.Y}, ordered(r.Op)
			case *ssa.Call:
				pkg, called := called(&r.Call)
				rest, orders = r.Call.Args, pkg == "cmp" || pkg == "strings" && called == "Compare"
			}
			if len(rest) != 2 || !slices.ContainsFunc(rest, func(o ssa.Value) bool { return o != v && sameField(o, best, entry) }) {
				return false, false
			}
			apart = apart || orders && unique(name)
		}
	}
	return true, apart
}

// sameField reports whether a value is the same field of an entry as another value is of the best one.
func sameField(v, best, entry ssa.Value) bool {
	switch f := best.(type) {
	case *ssa.FieldAddr:
		load, ok := v.(*ssa.UnOp)
		if !ok {
			return false
		}
		at, ok := load.X.(*ssa.FieldAddr)
		return ok && at.Field == f.Field && at.X == entry
	case *ssa.Field:
		g, ok := v.(*ssa.Field)
		return ok && g.Field == f.Field && g.X == entry
	}
	return false
}

// compares reports whether a call only compares the best entry so far with another one, and whether by an order in
// which no two are equal.
func compares(call *ssa.Call, p pair) (ok, total bool) {
	fn := call.Call.StaticCallee()
	if fn == nil || len(call.Call.Args) != 2 || !slices.Contains(call.Call.Args, p.new) || !comparison(fn) {
		return false, false
	}
	return true, totalFunc(fn, false)
}

// pair is a variable of a loop, and its value after a better entry.
type pair struct {
	old *ssa.Phi
	new ssa.Value
}

// back returns the variables that change on one path back to the header.
func (l *mapRange) back(from int) (list []pair) {
	for _, in := range l.header.Instrs {
		m, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if e := m.Edges[from]; e != ssa.Value(m) {
			list = append(list, pair{m, e})
		}
	}
	return list
}

// together returns the variables that change together with a given one.
func (l *mapRange) together(merge *ssa.Phi) (list []pair) {
	for _, in := range merge.Block().Instrs {
		m, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		var p pair
		for _, e := range m.Edges {
			if old, ok := e.(*ssa.Phi); ok && old.Block() == l.header {
				p.old = old
			} else {
				p.new = e
			}
		}
		if p.old != nil && p.new != nil {
			list = append(list, p)
		}
	}
	return list
}

// matches reports whether the value with which a variable is compared is the one that it is set to.
func (l *mapRange) matches(compared, becomes ssa.Value) bool {
	if compared == becomes || sameValue(compared, becomes) {
		return true
	}
	_, constant := compared.(*ssa.Const) // "is there any yet?"
	return constant
}

// flag reports whether a variable only says that there is an entry at all.
func (l *mapRange) flag(p pair) bool {
	k, ok := p.new.(*ssa.Const)
	return ok && k.Value != nil && isBoolean(k.Type())
}

// sameValue reports whether two values are read from the same place of the entry.
func sameValue(a, b ssa.Value) bool {
	x, ok := a.(*ssa.UnOp)
	y, also := b.(*ssa.UnOp)
	if ok && also && x.Op == token.MUL && y.Op == token.MUL {
		return sameAddr(x.X, y.X)
	}
	f, ok := a.(*ssa.Field)
	g, also := b.(*ssa.Field)
	return ok && also && f.Field == g.Field && (f.X == g.X || sameValue(f.X, g.X))
}
