package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Callers returns the calls of a function by name, in its own package.
func (a *Analysis) Callers(fn *ssa.Function) []*ssa.CallCommon {
	p := fn.Package()
	if p == nil {
		return nil
	}
	calls, ok := a.callers[p]
	if !ok {
		calls = map[*ssa.Function][]*ssa.CallCommon{}
		functions(p, func(caller *ssa.Function) {
			for _, b := range caller.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(ssa.CallInstruction); ok {
						if callee := call.Common().StaticCallee(); callee != nil {
							calls[callee] = append(calls[callee], call.Common())
						}
					}
				}
			}
		})
		a.callers[p] = calls
	}
	return calls[fn]
}

// functions visits the functions of a package, including methods and literals.
func functions(p *ssa.Package, visit func(fn *ssa.Function)) {
	var all func(fn *ssa.Function)
	all = func(fn *ssa.Function) {
		visit(fn)
		for _, inner := range fn.AnonFuncs {
			all(inner)
		}
	}
	for _, m := range p.Members {
		switch m := m.(type) {
		case *ssa.Function:
			all(m)
		case *ssa.Type:
			n, ok := m.Type().(*types.Named)
			if !ok {
				continue
			}
			for i := range n.NumMethods() {
				if fn := p.Prog.FuncValue(n.Method(i)); fn != nil {
					all(fn)
				}
			}
		}
	}
}
