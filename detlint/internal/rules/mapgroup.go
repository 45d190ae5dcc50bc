package rules

import (
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// grouped reports whether an entry is appended to one of the slices of another map, and all of these slices are
// sorted after the loop: groups[k] = append(groups[k], x).
func grouped(l *mapRange, u *ssa.MapUpdate) bool {
	add, ok := u.Value.(*ssa.Call)
	if !ok || builtin(&add.Call) != "append" {
		return false
	}
	list, ok := add.Call.Args[0].(*ssa.Lookup)
	if !ok || !sameOrLoaded(list.X, u.Map) || !flow.Same(list.Index, u.Key) || !onlyRead(list, add) {
		return false
	}
	for b := range l.each() { // an entry that reads what others have added depends on the order
		for _, in := range b.Instrs {
			if x, ok := in.(*ssa.Lookup); ok && x != list && sameOrLoaded(x.X, u.Map) {
				return false
			}
		}
	}
	return groupsSorted(l, u.Map)
}

// onlyRead reports whether a slice of the map is only appended to.
func onlyRead(list *ssa.Lookup, add *ssa.Call) bool {
	for _, r := range *list.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug && r != ssa.Instruction(add) {
			return false
		}
	}
	return true
}

// groupsSorted reports whether another loop, which is only reached at the end of this one, sorts each slice of a map.
func groupsSorted(l *mapRange, m ssa.Value) bool {
	if l.header == nil {
		return false
	}
	for _, b := range l.fn.Blocks {
		if l.blocks[b] || !l.header.Dominates(b) {
			continue
		}
		for _, in := range b.Instrs {
			sort, ok := in.(*ssa.Call)
			if !ok || len(sort.Call.Args) == 0 {
				continue
			}
			pkg, name := called(&sort.Call)
			if r := ofEach(sort.Call.Args[0], m); r != nil && sortsTotally(l.c, sort, pkg, name) {
				return !readBefore(l, m, r)
			}
		}
	}
	return false
}

// readBefore reports whether a slice of the map is read between the loop and the range in which all are sorted.
func readBefore(l *mapRange, m ssa.Value, sorts *ssa.Range) bool {
	for _, b := range l.fn.Blocks {
		if l.blocks[b] || !l.header.Dominates(b) || sorts.Block().Dominates(b) && b != sorts.Block() {
			continue
		}
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Lookup:
				if sameOrLoaded(x.X, m) {
					return true
				}
			case *ssa.Range:
				if x != sorts && sameOrLoaded(x.X, m) {
					return true
				}
			}
		}
	}
	return false
}

// ofEach returns the range over a map if a slice is its value.
func ofEach(list, m ssa.Value) *ssa.Range {
	for {
		switch x := list.(type) {
		case *ssa.MakeInterface:
			list = x.X
			continue
		case *ssa.ChangeType:
			list = x.X
			continue
		case *ssa.Lookup:
			if !sameOrLoaded(x.X, m) {
				return nil
			}
			return entryOf(x.Index, m, 1)
		}
		return entryOf(list, m, 2)
	}
}

// entryOf returns the range over a map if a value is its key or its value.
func entryOf(v, m ssa.Value, index int) *ssa.Range {
	e, ok := v.(*ssa.Extract)
	if !ok || e.Index != index {
		return nil
	}
	next, ok := e.Tuple.(*ssa.Next)
	if !ok {
		return nil
	}
	if r, ok := next.Iter.(*ssa.Range); ok && sameOrLoaded(r.X, m) {
		return r
	}
	return nil
}
