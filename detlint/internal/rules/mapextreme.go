package rules

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// extreme reports whether a variable keeps the smallest or the largest entry, of an order in
// which no two entries are equal: all variables that change together are compared, or the key
// is, so that ties are broken.
func (l *mapRange) extreme(e ssa.Value, from int) bool {
	together := l.back(from)
	if merge, ok := e.(*ssa.Phi); ok && l.inside(merge) {
		together = l.together(merge)
	}
	compared := map[*ssa.Phi]bool{}
	keyed := false
	for _, pair := range together {
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

// pair is a variable of a loop, and what a better entry makes of it.
type pair struct {
	old *ssa.Phi
	new ssa.Value
}

// back are the variables that change on one way back to the header.
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

// together are the variables that change where this one does.
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

// matches reports whether what a variable is compared with is what it becomes.
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
