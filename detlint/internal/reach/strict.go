package reach

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// Floats says what is known about the floats of a game where a function is assigned to it.
type Floats uint8

// What a game says about its floats.
const (
	Unsaid Floats = iota // not set there; they may be set elsewhere
	Plain                // they depend on the build, or it is not known before the program runs
	Strict               // they are the same in all programs built in strict mode: docs/floats.md
)

// floatsRole is the role of an entry that is not a root: a place that sets the floats of a game whose functions
// were assigned elsewhere.
const floatsRole = "Floats"

// settable has the types of games with a field Floats.
var settable = []string{module + "/rollback.Game", module + "/rollback.OwnMemory"}

// settings are the fields Floats of games that a function sets, by the address of the game.
type settings struct {
	fn    *ssa.Function
	games []setting
	given map[ssa.Value]bool // the games to which functions are assigned here
}

type setting struct {
	game ssa.Value
	is   Floats
	root Root // a root without a call: the place that sets the floats
}

// floats returns the values to which a function sets the floats of games.
func (s *summariser) floats(fn *ssa.Function) *settings {
	x := &settings{fn: fn, given: map[ssa.Value]bool{}}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			at, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			g, ok := ownerOf(at)
			if !ok || !slices.Contains(settable, g.pkg+"."+g.name) {
				continue
			}
			switch name := fieldName(at.X.Type(), at.Field); {
			case name == floatsRole:
				root := Root{Group: s.groupOf(g), Role: floatsRole, Types: s.typesOf(g), Floats: Plain, Call: Call{At: s.Fset.Position(st.Pos())}}
				if k, ok := st.Val.(*ssa.Const); ok && k.Value != nil {
					if n, exact := constant.Int64Val(constant.ToInt(k.Value)); exact && n == 1 {
						root.Floats = Strict
					}
				}
				x.games = append(x.games, setting{at.X, root.Floats, root})
			case slices.Contains(given[g.pkg+"."+g.name], name):
				x.given[at.X] = true
			}
		}
	}
	return x
}

// of returns what is known about the floats of a game at the end of this function: the value that is set there, or
// in a variable to which the game is copied. If the game leaves the function with Floats unset, they may still be
// set elsewhere.
func (x *settings) of(game ssa.Value) Floats { return x.follow(game, map[ssa.Value]bool{}) }

func (x *settings) follow(game ssa.Value, seen map[ssa.Value]bool) Floats {
	seen[game] = true
	set := Unsaid
	for _, g := range x.games {
		if flow.Same(g.game, game) {
			if g.is == Plain {
				return Plain // set more than once: it is not known which value is the last
			}
			set = g.is
		}
	}
	if set != Unsaid {
		return set
	}
	copies, leaves := x.copies(game)
	for _, c := range copies {
		if seen[c] {
			continue
		}
		switch is := x.follow(c, seen); {
		case is == Plain:
			return Plain
		case is == Unsaid:
			leaves = true
		default:
			set = is
		}
	}
	if leaves {
		return Unsaid
	}
	return set
}

// copies returns the variables of the function to which a game is copied as a whole, and whether it goes anywhere
// else.
func (x *settings) copies(game ssa.Value) (list []ssa.Value, leaves bool) {
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			load, ok := in.(*ssa.UnOp)
			if !ok || !flow.Same(load.X, game) {
				continue
			}
			for _, r := range *load.Referrers() {
				st, stores := r.(*ssa.Store)
				if _, debug := r.(*ssa.DebugRef); debug {
					continue
				}
				if stores && st.Val == ssa.Value(load) {
					if a, local := st.Addr.(*ssa.Alloc); local {
						list = append(list, a)
						continue
					}
				}
				leaves = true
			}
		}
	}
	if a, local := game.(*ssa.Alloc); !local || a.Heap {
		leaves = leaves || addressLeaves(game)
	}
	return list, leaves || len(list) == 0
}

// addressLeaves reports whether the address of a game leaves the function.
func addressLeaves(game ssa.Value) bool {
	refs := game.Referrers()
	if refs == nil {
		return true
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == game {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// elsewhere returns the settings of games whose functions are assigned in another function.
func (x *settings) elsewhere() (list []Root) {
	for _, g := range x.games {
		here := false
		for game := range x.given {
			here = here || flow.Same(g.game, game) || x.leadsTo(game, g.game, map[ssa.Value]bool{})
		}
		if !here {
			list = append(list, g.root)
		}
	}
	return list
}

// leadsTo reports whether a game is copied to another variable.
func (x *settings) leadsTo(from, to ssa.Value, seen map[ssa.Value]bool) bool {
	seen[from] = true
	copies, _ := x.copies(from)
	return slices.ContainsFunc(copies, func(c ssa.Value) bool {
		return flow.Same(c, to) || !seen[c] && x.leadsTo(c, to, seen)
	})
}

// judgedFloats returns the roots with what is finally known about their floats, and without entries that are not
// roots. Roots of games with strict floats form a separate group. With all, every game counts as strict.
func judgedFloats(roots []Root, all bool) (list []Root) {
	said := map[string][]Floats{}
	for _, r := range roots {
		if r.Role == floatsRole {
			said[r.key()] = append(said[r.key()], r.Floats)
		}
	}
	states := map[string][]Floats{} // of the games that have a state
	for _, r := range roots {
		if r.Role == floatsRole {
			continue
		}
		if later := said[r.key()]; r.Floats == Unsaid && len(later) > 0 && !slices.Contains(later, Plain) {
			r.Floats = Strict
		}
		if all {
			r.Floats = Strict
		}
		list = append(list, r)
		if r.settable() {
			note(states, r)
		}
	}
	for _, r := range roots {
		if r.Role == floatsRole {
			note(states, r)
		}
	}
	for i := range list {
		r := &list[i]
		if r.Floats == Unsaid && !r.settable() && len(r.Types) > 0 { // a world, options, stored states: like the games with their state
			games := states[r.Types[0]]
			if len(games) > 0 && !slices.ContainsFunc(games, func(f Floats) bool { return f != Strict }) {
				r.Floats = Strict
			}
		}
		if r.Floats == Strict && !all {
			r.Group += " strict"
		}
	}
	return list
}

// note adds what a game says, for the types of its states: the one that a step changes, and the one that is stored.
func note(states map[string][]Floats, r Root) {
	for i, t := range r.Types {
		if i < len(r.Types)-1 && !slices.Contains(r.Types[:i], t) {
			states[t] = append(states[t], r.Floats)
		}
	}
}

// key identifies the types of a game.
func (r *Root) key() string { return strings.Join(r.Types, ", ") }

// settable reports whether a root belongs to a game that can say what its floats are.
func (r *Root) settable() bool {
	return len(r.Types) > 0 && (strings.HasPrefix(r.Game, "rollback.Game[") || strings.HasPrefix(r.Game, "rollback.OwnMemory["))
}

// Setting reports whether an entry is not a root, but only says what the floats of a game are.
func (r *Root) Setting() bool { return r.Role == floatsRole }
