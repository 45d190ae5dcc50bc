package rules

import (
	"go/token"
	"go/types"
	"path"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/std"
)

var status = &Rule{
	Name: "status", Short: "what is predicted or simulated again, where it can reach the state", Duty: "What is predicted",
	Fix: "use the input as it is; only rollback.Disconnected is the same everywhere", examine: examineStatus,
}

// disconnected is the value of rollback.Disconnected.
const disconnected = 2

// stepping are the roles in which something may affect the state: all except that of a package that is examined as a
// whole, which may be prediction code.
var stepping = []string{"Init", "Step", "Predict", "Start", "Sight", "Check", "Carry", "StandIn", "Save", "Restore", "Hash", "Equal", "Marshal", "Unmarshal", "Describe", "New", "-root", "Mark"}

func examineStatus(c *Context) {
	defer func() {
		for i := range c.found {
			c.found[i].Roles = stepping
		}
	}()
	if p := declared(c.Fn); p != nil && p.Pkg.Path() == engine {
		return
	}
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Call:
			if pkg, name := called(&in.Call); pkg == engine && name == "Tick.Resimulating" && used(in) && !bound(in) {
				c.report(in.Pos(), "whether a frame is simulated again differs between machines")
			} else if pkg == engine && name == "Status.String" && !isConst(in.Call.Args[0]) {
				c.report(in.Pos(), "a status becomes a text: it is predicted on one machine and confirmed on another")
			} else if std.Known(pkg) && slices.ContainsFunc(in.Call.Args, tells) {
				c.report(in.Pos(), "%s.%s is told a status: it is predicted on one machine and confirmed on another", path.Base(pkg), name)
			}
		case *ssa.MakeClosure:
			if pkg, name := nameOf(in.Fn.(*ssa.Function)); pkg == engine && name == "Tick.Resimulating" {
				c.report(in.Pos(), "whether a frame is simulated again differs between machines")
			}
		case *ssa.BinOp:
			if isStatus(in.X) || isStatus(in.Y) {
				c.compares(in)
			} else if (in.Op == token.EQL || in.Op == token.NEQ) && hasStatus(in.X.Type(), 0) {
				c.report(c.pos(in), "what is compared has a status in it: it is predicted on one machine and confirmed on another")
			}
		case *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface:
			if m, ok := in.(*ssa.MakeInterface); ok && isTick(m.X.Type()) && hasMethod(m.Type(), "Resimulating") {
				c.report(c.pos(in), "whether a frame is simulated again differs between machines, and this interface tells it")
			}
			if x := *in.Operands(nil)[0]; isStatus(x) && !isConst(x) {
				c.report(c.pos(in), "a status is made a value of its own: it is predicted on one machine and confirmed on another")
			}
		case *ssa.Store:
			if isStatus(in.Val) && !isConst(in.Val) && c.Flow.Of(in.Addr).Outer() {
				c.report(c.pos(in), "a status is stored: it is predicted on one machine and confirmed on another")
			}
		case *ssa.MapUpdate:
			if isStatus(in.Key) && !isConst(in.Key) || isStatus(in.Value) && !isConst(in.Value) {
				c.report(c.pos(in), "a status is stored: it is predicted on one machine and confirmed on another")
			}
		case *ssa.Lookup:
			if isStatus(in.Index) && !isConst(in.Index) && !updates(in) {
				c.report(c.pos(in), "a status is a key: it is predicted on one machine and confirmed on another")
			}
		case *ssa.IndexAddr:
			if isStatus(in.Index) && !isConst(in.Index) {
				c.report(c.pos(in), "a status is an index: it is predicted on one machine and confirmed on another")
			}
		}
	})
}

// updates reports whether an entry is read in order to be changed, which is a separate finding.
func updates(look *ssa.Lookup) bool {
	return slices.ContainsFunc(look.Block().Instrs, func(in ssa.Instruction) bool {
		u, ok := in.(*ssa.MapUpdate)
		return ok && u.Key == look.Index
	})
}

// hasMethod reports whether an interface has a method with this name.
func hasMethod(t types.Type, name string) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for j := range i.NumMethods() {
		if i.Method(j).Name() == name {
			return true
		}
	}
	return false
}

func used(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug {
			return true
		}
	}
	return false
}

// tells reports whether an argument is a status, or a slice of them.
func tells(v ssa.Value) bool {
	if list, ok := v.Type().Underlying().(*types.Slice); ok {
		return hasStatus(list.Elem(), 0) && !isConst(v)
	}
	return isStatus(v) && !isConst(v)
}

// hasStatus reports whether a value of a type contains a status, without following pointers.
func hasStatus(t types.Type, depth int) bool {
	if isNamed(t, engine, "Status") {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return depth < 8 && hasStatus(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if depth < 8 && hasStatus(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

func isStatus(v ssa.Value) bool { return isNamed(v.Type(), engine, "Status") }

// compares reports a comparison of a status with a value other than Disconnected.
func (c *Context) compares(b *ssa.BinOp) {
	n, isX := constInt(b.X)
	isY := false
	if !isX {
		n, isY = constInt(b.Y)
	}
	fine := false
	switch b.Op {
	case token.EQL, token.NEQ:
		fine = n == disconnected
	case token.LSS, token.GEQ:
		fine = n == disconnected && !isX
	case token.GTR, token.LEQ:
		fine = n == disconnected && isX || n == disconnected-1 && !isX
	}
	if !isX && !isY || !fine {
		c.report(c.pos(b), "whether an input is predicted or confirmed differs between machines")
	}
}

// bound reports whether a call is one of a method value, which is examined where it is made.
func bound(call *ssa.Call) bool {
	_, is := call.Call.Value.(*ssa.MakeClosure)
	return is
}
