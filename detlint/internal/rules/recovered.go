package rules

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// recovered reports uses of the text of the value that recover returns: the text of a run-time error depends on the
// version of Go and on the machine, and may contain addresses. A value of a type of the game's own is recognized by
// its type.
func recovered(c *Context, in *ssa.Call) {
	if builtin(&in.Call) != "recover" {
		return
	}
	var look func(v ssa.Value, depth int)
	look = func(v ssa.Value, depth int) {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.ChangeInterface:
				look(r, depth)
			case *ssa.Phi:
				if depth < 4 {
					look(r, depth+1)
				}
			case *ssa.TypeAssert:
				if _, ok := r.AssertedType.Underlying().(*types.Interface); ok {
					look(r, depth)
				}
			case *ssa.Extract:
				if r.Index == 0 {
					look(r, depth)
				}
			case *ssa.Store: // for example into the list of printed values
				if at, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v && printedList(at) {
					c.report(in.Pos(), "the text of what went wrong depends on the version of Go and on the machine")
				}
			case ssa.CallInstruction:
				if call := r.Common(); call.IsInvoke() && call.Value == v && (call.Method.Name() == "Error" || call.Method.Name() == "String") {
					c.report(in.Pos(), "the text of what went wrong depends on the version of Go and on the machine")
				}
			}
		}
	}
	look(in, 0)
}

// printedList reports whether an element belongs to the list of values of a call that formats them.
func printedList(at *ssa.IndexAddr) bool {
	for _, r := range *at.X.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, u := range *s.Referrers() {
			if call, ok := u.(*ssa.Call); ok {
				pkg, name := called(&call.Call)
				if _, text := formatting[pkg+"."+name]; text {
					return true
				}
			}
		}
	}
	return false
}

// intoOld reports a decoder that writes into an existing state: fields that the text leaves out are unchanged, and
// maps keep their entries.
func intoOld(c *Context, in *ssa.Call, pkg, name string) {
	var target ssa.Value
	switch pkg + "." + name {
	case "encoding/json.Unmarshal", "encoding/xml.Unmarshal":
		target = in.Call.Args[1]
	case "encoding/json.Decoder.Decode", "encoding/gob.Decoder.Decode", "encoding/xml.Decoder.Decode":
		target = in.Call.Args[1]
	default:
		return
	}
	m, ok := target.(*ssa.MakeInterface)
	if !ok || c.Flow.Of(m.X).Params == 0 || setBefore(in, m.X) {
		return
	}
	f := c.report(in.Pos(), "%s.%s writes into what was there before: what the text leaves out stays, and maps keep their entries: decode into a new value, and assign that",
		pkg[len("encoding/"):], name)
	f.Roles = []string{"Unmarshal", "Restore"}
}

// setBefore reports whether a value was set as a whole before a call.
func setBefore(call *ssa.Call, addr ssa.Value) bool {
	for _, b := range call.Parent().Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && flow.Same(s.Addr, addr) && before(s, call) {
				return true
			}
		}
	}
	return false
}
