package rules

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var view = &Rule{
	Name: "view", Short: "writes to a state outside of its step", Scope: Anywhere,
	Fix: "change the state in its step alone; work on a copy elsewhere", examine: examineView,
}

// shown are the functions that return a state for reading.
var shown = map[string]map[string]bool{
	tickback:              {"Match.View": true, "Match.Settled": true, "Client.View": true, "Server.View": true, "Viewer.View": true, "Player.View": true, "front.View": true, "front.Settled": true, "Client.Settled": true, "Server.Settled": true, "Spectator.View": true},
	engine:                {"Engine.State": true, "Engine.StateAt": true, "Sandbox.State": true},
	tickback + "/predict": {"Predictor.State": true},
	tickback + "/world":   {"ViewOf": true},
}

// examineView follows the states that a match returns for reading.
func examineView(c *Context) {
	lent := map[ssa.Value]string{}
	c.instructions(func(in ssa.Instruction) {
		if call, ok := in.(*ssa.Call); ok {
			if pkg, name := called(&call.Call); shown[pkg][name] {
				lent[call] = name
			}
		}
	})
	if len(lent) == 0 {
		return
	}
	c.follow(lent)
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			if name := lent[in.Addr]; name != "" {
				c.report(c.pos(in), "it writes to a state that %s lends to be looked at", name)
			} else if name := lent[in.Val]; name != "" && keepsPart(c, in) {
				c.report(c.pos(in), "it keeps a part of a state that %s lends to be looked at until the next frame: copy it", name)
			}
		case *ssa.MapUpdate:
			if name := lent[in.Map]; name != "" {
				c.report(c.pos(in), "it writes to a state that %s lends to be looked at", name)
			}
		case *ssa.Send:
			if name := lent[in.X]; name != "" {
				c.report(c.pos(in), "it gives a state that %s lends to be looked at to who runs beside the match: send a copy", name)
			}
		case *ssa.Call:
			fn := in.Call.StaticCallee()
			if fn == nil {
				changesLent(c, in, lent)
				c.Flow.Each(&in.Call, func(t flow.Traits, args []ssa.Value) {
					for i, x := range args {
						if name := lent[x]; name != "" && t.WritesTo(i) {
							c.report(in.Pos(), "what is called here may change a state that %s lends to be looked at", name)
						}
					}
				})
				return
			}
			t := c.Flow.Traits(fn)
			for i, x := range in.Call.Args {
				if name := lent[x]; name != "" && t.WritesTo(i) && known(c, fn) {
					_, callee := nameOf(fn)
					c.report(in.Pos(), "%s changes a state that %s lends to be looked at", callee, name)
				}
			}
		}
	})
}

// keepsPart reports whether a slice or a map of a lent state is stored in memory that existed before. (A pointer to
// the whole state may be stored to draw the frame.)
func keepsPart(c *Context, s *ssa.Store) bool {
	switch s.Val.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		return c.Flow.Of(s.Addr).Outer()
	}
	return false
}

// known reports whether it is known what a function does.
func known(c *Context, fn *ssa.Function) bool {
	if len(fn.Blocks) > 0 {
		return true
	}
	_, ok := c.Flow.Elsewhere(fn)
	return ok
}

// changesLent reports built-in functions that change lent memory.
func changesLent(c *Context, in *ssa.Call, lent map[ssa.Value]string) {
	switch builtin(&in.Call) {
	case "append", "copy", "clear", "delete":
		if name := lent[in.Call.Args[0]]; name != "" {
			c.report(in.Pos(), "%s may change a state that %s lends to be looked at", builtin(&in.Call), name)
		}
	}
}

// follow marks what pointers in a result refer to. A copy of the state belongs to the caller.
func (c *Context) follow(lent map[ssa.Value]string) {
	for changed := true; changed; {
		changed = false
		mark := func(v ssa.Value, from ssa.Value) {
			if lent[from] != "" && lent[v] == "" {
				lent[v], changed = lent[from], true
			}
		}
		c.instructions(func(in ssa.Instruction) {
			switch v := in.(type) {
			case *ssa.Extract:
				if pointer(v) {
					mark(v, v.Tuple)
				}
			case *ssa.Field:
				if pointer(v) {
					mark(v, v.X)
				}
			case *ssa.Range:
				mark(v, v.X)
			case *ssa.Next:
				mark(v, v.Iter)
			case *ssa.Lookup:
				if pointer(v) {
					mark(v, v.X)
				}
			case *ssa.FieldAddr:
				mark(v, v.X)
			case *ssa.IndexAddr:
				mark(v, v.X)
			case *ssa.UnOp:
				if pointer(v) {
					mark(v, v.X)
				}
			case *ssa.Slice: // append to list[:n:n] does not change existing elements
				if v.Max == nil || v.High == nil || !sameOrLoaded(v.Max, v.High) {
					mark(v, v.X)
				}
			case *ssa.ChangeType:
				mark(v, v.X)
			case *ssa.MakeInterface: // for example to sort it
				if pointer(v.X) {
					mark(v, v.X)
				}
			case *ssa.TypeAssert:
				mark(v, v.X)
			case *ssa.Call:
				if fn := v.Call.StaticCallee(); fn != nil && pointer(v) {
					for i, x := range v.Call.Args {
						if c.Flow.Traits(fn).ReturnsArg(i) && known(c, fn) {
							mark(v, x)
						}
					}
				}
			case *ssa.Phi:
				for _, e := range v.Edges {
					mark(v, e)
				}
			case *ssa.Store: // a result in a variable: its pointers
				a, ok := v.Addr.(*ssa.Alloc)
				if !ok || lent[v.Val] == "" {
					return
				}
				for _, r := range *a.Referrers() {
					if f, ok := r.(*ssa.FieldAddr); ok {
						for _, u := range *f.Referrers() {
							if l, ok := u.(*ssa.UnOp); ok && pointer(l) {
								mark(l, v.Val)
							}
						}
					} else if l, ok := r.(*ssa.UnOp); ok && pointer(l) {
						mark(l, v.Val)
					}
				}
			}
		})
	}
}

func pointer(v ssa.Value) bool {
	switch v.Type().Underlying().String()[0] {
	case '*', '[', 'm':
		return true
	}
	return false
}
