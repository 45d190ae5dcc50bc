package reach

import (
	"go/token"
	"slices"
)

// edge is a call that was followed.
type edge struct {
	to *visit
	at token.Position
}

// door is a call from the user's own code into a library, or a root that is in one.
type door struct {
	from *visit // nil for a root
	edge
}

// mostBehind limits how many findings of a rule behind one door are listed: the nearest ones.
const mostBehind = 16

// doors are the calls that lead into libraries. A problem in a library is reported at each of them: the user cannot
// edit the library, and has to avoid the call.
type doors struct {
	list []door
	ways map[*visit]map[*visit]edge // by the function that is entered: how each library function behind it is reached; an edge's to is the caller
	said map[doorRule]int
}

type doorRule struct {
	door int
	rule string
}

// home reports whether a function is in the user's own code.
func (l *linker) home(v *visit) bool { return l.Home == nil || l.Home(v.f.At.Filename) }

// findDoors finds the ways into libraries, once everything is reached.
func (l *linker) findDoors() {
	l.doors = doors{ways: map[*visit]map[*visit]edge{}, said: map[doorRule]int{}}
	add := func(d door) {
		if l.home(d.to) || slices.ContainsFunc(l.doors.list, func(x door) bool { return x == d }) {
			return
		}
		l.doors.list = append(l.doors.list, d)
		if l.doors.ways[d.to] == nil {
			l.doors.ways[d.to] = l.behind(d.to)
		}
	}
	for _, v := range l.order {
		if v.root != nil {
			add(door{nil, edge{v, v.at}})
		}
		if l.home(v) {
			for _, e := range v.calls {
				add(door{v, e})
			}
		}
	}
}

// behind finds the functions of libraries that can be reached from one without leaving them, by the shortest paths.
func (l *linker) behind(first *visit) map[*visit]edge {
	way := map[*visit]edge{first: {}}
	for work := []*visit{first}; len(work) > 0; work = work[1:] {
		for _, e := range work[0].calls {
			if _, known := way[e.to]; !known && !l.home(e.to) {
				way[e.to] = edge{work[0], e.at}
				work = append(work, e.to)
			}
		}
	}
	return way
}

// reachedBy returns how a finding in a function is reached: in a library, once for each door.
func (l *linker) reachedBy(v *visit, f Finding) (list []Reached) {
	if l.home(v) {
		chain, root := v.chain()
		return []Reached{{Finding: f, Role: root.Role, Game: root.Game, Chain: chain, Claims: v.depend(f)}}
	}
	for i, d := range l.doors.list {
		way := l.doors.ways[d.to]
		if _, behind := way[v]; !behind {
			continue
		}
		key := doorRule{i, f.Rule}
		if l.doors.said[key]++; l.doors.said[key] > mostBehind {
			continue
		}
		var inside []Step
		for at := v; at != d.to; at = way[at].to {
			inside = append(inside, Step{at.f.Name, way[at].at})
		}
		inside = append(inside, Step{d.to.f.Name, d.at})
		slices.Reverse(inside)
		r := Reached{Finding: f, Via: d.at}
		var root *Root
		if d.from != nil {
			r.Chain, root = d.from.chain()
			r.Claims = d.from.depend(f)
		} else {
			root, r.Claims = d.to.root, d.to.depend(f)
		}
		r.Chain = append(r.Chain, inside...)
		r.Role, r.Game = root.Role, root.Game
		list = append(list, r)
	}
	return list
}
