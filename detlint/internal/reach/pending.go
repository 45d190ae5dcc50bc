package reach

import (
	"slices"
	"strings"
)

// pending is a call whose callees depend on what else is reached.
type pending struct {
	from    *visit
	call    Call
	answers []answer // for Invoke
	known   []bool   // which of them were entered; for Dynamic, of the functions that the program takes
	seen    int      // for Dynamic, how many functions of its type were entered
	entered int      // functions that it leads to
	callees []*visit // the entered functions that have summaries
}

// enters enters a function that a call may reach.
func (l *linker) enters(p *pending, id string) {
	p.entered++
	if v := l.enter(p.from, p.call, id, nil); v != nil {
		p.callees = append(p.callees, v)
	}
}

// follow enters what a call calls.
func (l *linker) follow(from *visit, c Call) {
	switch {
	case c.Kind == Static:
		l.enter(from, c, c.Target, nil)
	case c.Kind == Invoke:
		list := l.k.answering(c)
		l.waiting = append(l.waiting, &pending{from: from, call: c, answers: list, known: make([]bool, len(list))})
	default:
		l.waiting = append(l.waiting, &pending{from: from, call: c})
	}
}

// resolve finds callees of a call through an interface or a function value that were not known before.
func (l *linker) resolve(p *pending, last bool) {
	if p.call.Kind == Dynamic {
		l.resolveValue(p, last)
		return
	}
	all := len(l.loads[p.call.Target]) > 0 || last && !l.answered(p)
	for i, a := range p.answers {
		if !p.known[i] && (all || l.makes[a.key]) {
			p.known[i] = true
			l.enters(p, a.id)
		}
	}
}

func (l *linker) resolveValue(p *pending, last bool) {
	functions := l.values[p.call.Target]
	loaded := l.loads[p.call.Target]
	if last {
		l.recall(p, func(t Taken) bool {
			return len(loaded) > 0 && (t.Place == anywhere || slices.Contains(loaded, anywhere) || slices.Contains(loaded, t.Place))
		})
		if p.entered == 0 && !p.call.Yields && !l.answered(p) {
			l.recall(p, func(Taken) bool { return true })
		}
		return
	}
	for ; p.seen < len(functions); p.seen++ {
		l.enters(p, functions[p.seen])
	}
}

// recall enters functions that the program keeps somewhere.
func (l *linker) recall(p *pending, from func(t Taken) bool) {
	all := l.k.takes[p.call.Target]
	if p.known == nil {
		p.known = make([]bool, len(all))
	}
	for i, t := range all {
		if !p.known[i] && l.near[t.By] && from(t) {
			p.known[i], l.recalled[t.ID] = true, true
			l.enters(p, t.ID)
		}
	}
}

// repositories returns the repositories of everything that was reached. The code that passes a function value to a
// game is in one of them, and not in a library that only happens to use functions of the same type, such as our
// own library, whose clocks and sources do not belong to the games that it runs.
func (l *linker) repositories() map[string]bool {
	list := map[string]bool{}
	for _, v := range l.order {
		if from := repository(v.f.ID); from != ours || l.home(v) {
			list[from] = true
		}
	}
	return list
}

// ours is the repository of the code that runs games.
const ours = "github.com/tickback/tickback"

// repository returns the part of a package's path that says where it comes from.
func repository(id string) string {
	path := PackageOf(id)
	parts := strings.SplitN(path, "/", 4)
	if len(parts) > 3 && strings.Contains(parts[0], ".") {
		return path[:len(path)-len(parts[3])-1]
	}
	if strings.Contains(parts[0], ".") {
		return path
	}
	return parts[0]
}

// answered reports whether something that is reached answers a call.
func (l *linker) answered(p *pending) bool {
	if p.call.Kind == Dynamic {
		return len(l.values[p.call.Target]) > 0
	}
	return slices.ContainsFunc(p.answers, func(a answer) bool { return l.makes[a.key] })
}

// implements returns the method of a type that a call reaches, if the type has all methods that are needed.
func implements(methods []Method, c Call) (id string, ok bool) {
	for _, need := range c.Needs {
		if !slices.ContainsFunc(methods, func(m Method) bool { return m.Key == need }) {
			return "", false
		}
	}
	for _, m := range methods {
		if m.Key == c.Target {
			return m.ID, true
		}
	}
	return "", false
}
