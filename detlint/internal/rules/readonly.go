package rules

import (
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var readonly = &Rule{
	Name: "readonly", Short: "functions that may only look, and change what they are given",
	Fix: "work on a copy", examine: examineReadOnly,
}

// lookers are the functions of a game that only read the state, by the name of their field, with the parameters that
// they must not change.
var lookers = map[string]uint64{
	"Check": 1, "StandIn": 1, "Carry": 3, "Predict": 1 << 3,
	"Save": 1, "Restore": 2, "Hash": 1, "Equal": 3, "Marshal": 2, "Describe": 1,
}

// examineReadOnly reports where a function that should only read writes to a parameter. The roles restrict it to the
// functions for which that counts.
func examineReadOnly(c *Context) {
	for role, params := range lookers {
		var at ssa.Instruction
		c.instructions(func(in ssa.Instruction) {
			if at != nil {
				return
			}
			switch in := in.(type) {
			case *ssa.Store:
				if c.Flow.Of(in.Addr).Params&params != 0 && !forPicture(in.Addr) {
					at = in
				}
			case *ssa.MapUpdate:
				if c.Flow.Of(in.Map).Params&params != 0 {
					at = in
				}
			case *ssa.Call:
				if name := builtin(&in.Call); name == "copy" || name == "delete" || name == "clear" {
					if c.Flow.Of(in.Call.Args[0]).Params&params != 0 {
						at = in
					}
				} else if fn := in.Call.StaticCallee(); fn != nil && known(c, fn) {
					t := c.Flow.Traits(fn)
					for i, x := range in.Call.Args {
						if t.WritesTo(i) && c.Flow.Of(x).Params&params != 0 && !forPicture(x) {
							at = in
						}
					}
				}
			}
		})
		if at != nil {
			f := c.report(c.pos(at), "%s only looks at what it is given, and this changes it", role)
			f.Roles = []string{"=" + role}
		}
	}
}

// forPicture reports whether memory belongs to an excluded field, which is not part of the state.
func forPicture(v ssa.Value) bool {
	for x := range flow.Within(v) {
		if f, ok := x.(*ssa.FieldAddr); ok && excludedField(f.X.Type(), f.Field) != "" {
			return true
		}
	}
	return false
}
