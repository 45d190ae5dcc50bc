package reach

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// RootError means that a root was named that is not in the program.
type RootError struct {
	Name string
	Near []string // names that end alike
}

// Error names the root, and others that may be meant.
func (e *RootError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("-root %s: there is no such function: write package.Func or package.Type.Method", e.Name)
	}
	return fmt.Sprintf("-root %s: there is no such function, or more than one: did you mean %s?", e.Name, strings.Join(e.Near, " or "))
}

// Named makes roots of functions by their names: package.Func or package.Type.Method, where the
// package may be the end of its path.
func (s *Scan) Named(names []string) (list []Root, err error) {
	for _, name := range names {
		var exact, near []string
		for _, id := range slices.Sorted(maps.Keys(s.byID)) {
			pkg, own := split(id)
			switch full := pkg + "." + own; {
			case strings.ContainsRune(id, '$'):
			case full == name:
				exact = append(exact, id)
			case strings.HasSuffix(full, "/"+name):
				near = append(near, id)
			}
		}
		if len(exact) == 0 && len(near) == 1 {
			exact = near
		}
		if len(exact) == 0 {
			return nil, &RootError{name, near}
		}
		for _, id := range exact {
			fn := s.byID[id]
			list = append(list, Root{
				Group: "root " + name, Role: "-root", Game: name,
				Call: Call{Kind: Static, Target: id, At: s.Fset.Position(fn.Pos())},
			})
		}
	}
	return list, nil
}
