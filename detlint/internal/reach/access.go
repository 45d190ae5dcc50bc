package reach

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// access describes what a function does with one field: it reads a value from before the call, or it writes to it, or
// to what it refers to.
type access struct {
	s             *summariser
	read, written bool
	through       bool // what it leads to is written, such as an element of its slice
	lent          bool // its address is returned
	length        bool // its length is used
	seen          []ssa.Value
}

// deepest is the maximum number of steps for which an address is followed.
const deepest = 12

// address examines the uses of the address of a field, or of a part of it.
func (a *access) address(addr ssa.Value, depth int) {
	if depth > deepest {
		a.read, a.written = true, true
		return
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			a.written = true
			if r.Val == addr {
				a.read = true
			}
		case *ssa.UnOp:
			if r.Op == token.MUL && !cut(r) && !overwritten(r) {
				a.read = a.read || !measured(r)
				a.length = true
			}
			a.value(r)
		case *ssa.FieldAddr:
			a.address(r, depth+1)
		case *ssa.IndexAddr:
			a.address(r, depth+1)
		case *ssa.Slice: // of an array
			a.read = true
			part := access{s: a.s} // an array is a part of its struct
			part.value(r)
			a.written = a.written || part.written
		case ssa.CallInstruction:
			a.read = true
			writes, known := a.passed(r.Common(), addr)
			a.written = a.written || writes || !known
		case *ssa.Phi: // for example of a value that is returned
			a.read, a.written, a.lent = true, true, true
		case *ssa.Return:
			a.read, a.written, a.lent = true, true, true
		default:
			a.read, a.written = true, true
		}
	}
}

// value checks whether something is written to what a value refers to.
func (a *access) value(v ssa.Value) {
	if a.through || slices.Contains(a.seen, v) || !leadsOn(v.Type()) {
		return
	}
	a.seen = append(a.seen, v)
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if r.X == v {
				a.element(r)
			}
		case *ssa.FieldAddr:
			a.element(r)
		case *ssa.UnOp: // what a pointer leads to
			a.value(r)
		case *ssa.MapUpdate:
			a.through = a.through || r.Map == v
		case *ssa.Store:
			a.through = a.through || r.Addr == v
		case *ssa.Slice, *ssa.Phi, *ssa.ChangeType, *ssa.Lookup, *ssa.Extract:
			a.value(r.(ssa.Value))
		case ssa.CallInstruction:
			writes, known := a.passed(r.Common(), v)
			a.through = a.through || writes
			a.written = a.written || !known
		}
	}
	a.written = a.written || a.through
}

// element examines an element of what a field refers to.
func (a *access) element(addr ssa.Value) {
	if slices.Contains(a.seen, addr) {
		return
	}
	a.seen = append(a.seen, addr)
	inner := access{s: a.s, seen: a.seen}
	inner.address(addr, deepest/2)
	a.through = a.through || inner.written
}

// passed reports whether a call writes to what one of its arguments refers to. known is false if the callee is not
// known.
func (a *access) passed(call *ssa.CallCommon, v ssa.Value) (writes, known bool) {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "copy", "delete", "clear":
			writes = call.Args[0] == v
		}
		return writes, true
	}
	a.s.Flow().Each(call, func(t flow.Traits, args []ssa.Value) {
		for i, x := range args {
			writes = writes || x == v && t.WritesTo(i)
		}
	})
	return writes, call.StaticCallee() != nil
}

// cut reports whether a slice that is read is only truncated to length 0, so that its memory is reused.
func cut(load *ssa.UnOp) bool {
	used := false
	for _, r := range *load.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Slice:
			k, ok := r.High.(*ssa.Const)
			if !ok || k.Value == nil || constant.Sign(k.Value) != 0 {
				return false
			}
			used = true
		default:
			return false
		}
	}
	return used
}

// measured reports whether only the length of a slice, a map or a string is used.
func measured(load *ssa.UnOp) bool {
	used := false
	for _, r := range *load.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		b, ok := call.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "len" && b.Name() != "cap" {
			return false
		}
		used = true
	}
	return used
}

// overwritten reports whether what is read was written earlier in the same call.
func overwritten(load *ssa.UnOp) bool {
	for _, b := range load.Parent().Blocks {
		if !b.Dominates(load.Block()) {
			continue
		}
		for _, in := range b.Instrs {
			if in == ssa.Instruction(load) {
				break
			}
			if s, ok := in.(*ssa.Store); ok && flow.Same(s.Addr, load.X) && !reads(s.Val, load.X, 0) {
				return true
			}
		}
	}
	return false
}

// reads reports whether a value is computed from the value at an address: x.n = x.n + 1 does not overwrite x.n.
func reads(v, addr ssa.Value, depth int) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || depth > deepest {
		return depth > deepest
	}
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		return flow.Same(u.X, addr) && !cut(u)
	}
	for _, o := range in.Operands(nil) {
		if *o != nil && reads(*o, addr, depth+1) {
			return true
		}
	}
	return false
}

// leadsOn reports whether memory may be written through what is read.
func leadsOn(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
}
