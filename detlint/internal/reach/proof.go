package reach

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Linked is the result of a link.
type Linked struct {
	Found    []Reached // the findings of the rules, and what was not followed, as findings of rules.Unproved
	Claims   []Claim   // the claims, in the order of the roots
	Reached  []*Func   // each function, once for each game that reaches it
	Resolved int       // calls through interfaces and function values that were followed
	Open     int       // the number of such calls for which no callee was found
}

// Claim is the claim that a function of a game is deterministic. All functions of a package that is examined as a
// whole are one claim.
type Claim struct {
	Role, Game string
	Func       string // for people
	Call       Call   // the call of the first root
	Roots      int
	Strict     bool // it is only true in a strict build
	Given      int  // for a package that is examined as a whole: calls of functions that only its users provide
}

// claim is the root of a claim.
type claim struct {
	Claim
	number  int
	entries []*visit
	lost    []Call // roots whose functions are not known
}

// claim returns the claim that a root is a part of.
func (l *linker) claim(r *Root, number int) *claim {
	whole := r.Role == "Package"
	if n := len(l.claims); n > 0 && whole && l.claims[n-1].Role == r.Role && l.claims[n-1].Game == r.Game {
		return l.claims[n-1]
	}
	c := &claim{Claim: Claim{Role: r.Role, Game: r.Game, Call: r.Call, Strict: l.strict}, number: number + len(l.claims)}
	l.claims = append(l.claims, c)
	return c
}

// spreadClaims determines which claims depend on each function that is reached.
func (l *linker) spreadClaims() {
	for _, c := range l.claims {
		work := slices.Clone(c.entries)
		for len(work) > 0 {
			v := work[len(work)-1]
			work = work[:len(work)-1]
			if n := len(v.claims); n > 0 && v.claims[n-1] == c {
				continue
			}
			v.claims = append(v.claims, c)
			for _, e := range v.calls {
				work = append(work, e.to)
			}
		}
	}
}

// depend returns the numbers of the claims that are disproved by a finding in a function.
func (v *visit) depend(f Finding) (list []int) {
	for _, c := range v.claims {
		if len(f.Roles) == 0 || slices.ContainsFunc(f.Roles, func(r string) bool { return strings.TrimPrefix(r, "=") == c.Role }) {
			list = append(list, c.number)
		}
	}
	return list
}

// dynamic is a call through an interface or a function value, identified by what instances of a generic function have
// in common.
type dynamic struct{ at, what string }

// unfollowed returns findings about what is reached and could not be followed.
func (l *linker) unfollowed(calls map[dynamic]bool) (list []Reached) {
	add := func(v *visit, c Call, format string, args ...any) {
		list = append(list, l.reachedBy(v, Finding{Rule: rules.Unproved, At: c.At, Message: fmt.Sprintf(format, args...)})...)
	}
	for _, p := range l.waiting {
		key := dynamic{p.call.At.String(), p.call.Target}
		if p.entered == 0 && !l.byLibrary(p.call) {
			_, seen := calls[key]
			calls[key] = false
			whole := true
			for _, c := range p.from.claims {
				if c.Role != "Package" {
					whole = false
				} else if !seen {
					c.Given++
				}
			}
			if !whole {
				add(p.from, p.call, "%s, and nothing in the program is found for it", said(p.call))
			}
			continue
		}
		if _, known := calls[key]; !known {
			calls[key] = true
		}
		if name := l.tooMany(p); name != "" {
			add(p.from, p.call, "%s, which may be any of more than %d functions: what they write to is not followed, and %s does so", said(p.call), mostCallees, name)
		}
	}
	for _, m := range l.unread {
		pkg, name := split(m.call.Target)
		why := "it is not among the packages that were read"
		if reason := l.Left[pkg]; reason != "" {
			why = reason
		}
		add(m.from, m.call, "%s.%s is called, and its package was not examined: %s", pkg, name, why)
	}
	for _, c := range l.claims {
		for _, lost := range c.lost {
			list = append(list, Reached{
				Finding: Finding{Rule: rules.Unproved, At: lost.At, Message: "nothing is found that is given here as " + c.Role},
				Role:    c.Role, Game: c.Game, Claims: []int{c.number},
			})
		}
	}
	return list
}

// said describes a call in words.
func said(c Call) string {
	if c.Kind == Dynamic {
		return "a function value is called"
	}
	name, _, _ := strings.Cut(c.Target, " ")
	return name[strings.LastIndexByte(name, '.')+1:] + " is called through an interface"
}

// byLibrary reports whether the callee of a call is known although no function of the program fits it: either it is
// in the standard library, whose functions are judged by the tables where the function value was made, or it is the
// body of a loop that is examined as a part of its function.
func (l *linker) byLibrary(c Call) bool {
	return c.Library || c.Yields || c.Kind == Dynamic && l.k.lent[c.Target]
}

// tooMany returns a function that writes to an argument of a call, if the call may reach more such functions than the
// analysis of memory follows.
func (l *linker) tooMany(p *pending) string {
	n := len(p.answers)
	if p.call.Kind == Dynamic {
		n = len(unique(slices.Clone(l.k.takes[p.call.Target])))
	}
	if n <= mostCallees {
		return ""
	}
	for _, v := range p.callees {
		if v.f.Traits.Writes != 0 {
			return v.f.Name
		}
	}
	return ""
}

// lost records a call of a function whose summary is missing.
func (l *linker) lost(from *visit, c Call, id, pkg string) {
	if strings.HasPrefix(id, "var ") || std.Known(pkg) || std.Trusted(pkg) || pkg == "" || l.k.foreign[id] {
		return
	}
	c.Target = id
	l.unread = append(l.unread, missed{from, c})
}

// missed is a call of a function without a summary.
type missed struct {
	from *visit
	call Call
}
