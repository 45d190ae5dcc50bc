package reach

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// starts determines which functions only run at the start of a program. This depends on what can call a function
// later, not on its position: a literal in the declaration of a variable, or in a function init, is called whenever
// the function that received it calls it.
type starts struct {
	scan    *Scan
	whole   bool                              // everything that can call a function is in the program
	callers map[*ssa.Function][]*ssa.Function // by calls that name the function
	values  map[string]bool                   // functions that are called through values and interfaces
	later   map[*ssa.Function]bool            // what may be called later
	once    map[*ssa.Function]bool            // functions that are only passed to sync.Once
}

// find determines what can call these functions. All count as only called at the start until something else is found,
// so functions that only call each other are treated correctly.
func (s *starts) find(all []*ssa.Function) {
	s.once = givenToOnce(all)
	for changed := true; changed; {
		changed = false
		for _, fn := range all {
			if !s.later[fn] && !s.judge(fn) {
				s.later[fn], changed = true, true
			}
		}
	}
}

// only reports whether a function only runs at the start.
func (s *starts) only(fn *ssa.Function) bool { return !s.later[fn] }

func (s *starts) judge(fn *ssa.Function) bool {
	if isInit(fn) {
		return true
	}
	if s.once[fn] && len(s.callers[fn]) == 0 {
		return true
	}
	if p := fn.Parent(); p != nil {
		return s.only(p) && s.atOnce(fn)
	}
	if len(s.callers[fn]) == 0 || s.open(fn) {
		return false
	}
	for _, c := range s.callers[fn] {
		if !s.only(c) {
			return false
		}
	}
	return true
}

// open reports whether a function can be called in other ways than by its name here.
func (s *starts) open(fn *ssa.Function) bool {
	return s.values[IDOf(fn)] || !s.whole && ast.IsExported(fn.Name())
}

// closed returns the calls of functions that are called in no other way.
func (s *starts) closed(all []*ssa.Function) map[*ssa.Function][]*ssa.Call {
	calls := map[*ssa.Function][]*ssa.Call{}
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*ssa.Call); ok {
					if to := call.Call.StaticCallee(); to != nil && !s.open(to) {
						calls[to] = append(calls[to], call)
					}
				}
			}
		}
	}
	return calls
}

// atOnce reports whether a function literal is only called where it is made, or by functions that it is passed to
// while they run.
func (s *starts) atOnce(lit *ssa.Function) bool {
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(lit) {
				if !s.usedAtOnce(c) {
					return false
				}
				continue
			}
			for _, o := range in.Operands(nil) {
				if *o == ssa.Value(lit) && !s.callsAtOnce(in, lit) {
					return false
				}
			}
		}
	}
	return true
}

// usedAtOnce reports whether a function value is only called, or passed to functions that do not store it.
func (s *starts) usedAtOnce(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if !s.callsAtOnce(r, v) {
			return false
		}
	}
	return true
}

// callsAtOnce reports whether an instruction calls a function value, or passes it to a function that does not store
// it.
func (s *starts) callsAtOnce(in ssa.Instruction, v ssa.Value) bool {
	if _, debug := in.(*ssa.DebugRef); debug {
		return true
	}
	if _, concurrent := in.(*ssa.Go); concurrent {
		return false
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	common := call.Common()
	fn := common.StaticCallee()
	for i, x := range common.Args {
		if x != v {
			continue
		}
		if fn == nil {
			return false
		}
		if pkg, _ := rules.NameOf(fn); len(fn.Blocks) == 0 && !std.Known(pkg) {
			return false
		}
		if t := s.scan.Flow().Traits(fn); t.KeepsArg(i) || t.ReturnsArg(i) {
			return false
		}
	}
	return true
}

// isInit reports whether a function initialises its package.
func isInit(fn *ssa.Function) bool {
	return fn.Parent() == nil && (fn.Name() == "init" && fn.Synthetic != "" || strings.HasPrefix(fn.Name(), "init#"))
}

// givenToOnce returns the functions that are only called by sync.Once, and capture nothing: it does not matter which
// step runs them first, so they count as called at the start.
func givenToOnce(all []*ssa.Function) map[*ssa.Function]bool {
	once, otherwise := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				for _, o := range in.Operands(nil) {
					f, is := (*o).(*ssa.Function)
					switch {
					case !is || ok && call.Common().Value == ssa.Value(f):
					case ok && isOnceDo(call.Common()) && len(f.FreeVars) == 0:
						once[f] = true
					default:
						otherwise[f] = true
					}
				}
			}
		}
	}
	for f := range otherwise {
		delete(once, f)
	}
	return once
}

func isOnceDo(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil {
		return false
	}
	pkg, name := rules.NameOf(fn)
	return pkg == "sync" && name == "Once.Do"
}
