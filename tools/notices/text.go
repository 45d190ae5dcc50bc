package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// kinds returns the licences of a part.
func (p *part) kinds() string {
	var ids []string
	for _, id := range p.licences {
		for one := range strings.SplitSeq(id, ", ") {
			if one != "" {
				ids = append(ids, one)
			}
		}
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), ", ")
}

// text returns a list of all parts, and then each licence once, with the parts that it applies to.
func text(title, own string, parts map[string]*part) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Licences of %s\n\nTickback itself:\n\n%s\n", title, own)
	b.WriteString("It is built with the work of others, for one system or another:\n\n")
	names := slices.Sorted(maps.Keys(parts))
	users := map[string][]string{} // parts, by licence
	for _, name := range names {
		kinds := parts[name].kinds()
		if kinds == "" {
			return nil, fmt.Errorf("%s has no licence file", name)
		}
		fmt.Fprintf(&b, "  %s: %s\n", name, kinds)
		for licence := range parts[name].licences {
			users[licence] = append(users[licence], name)
		}
	}
	order := slices.SortedFunc(maps.Keys(users), func(x, y string) int {
		if c := slices.Compare(users[x], users[y]); c != 0 {
			return c
		}
		return strings.Compare(x, y)
	})
	for _, licence := range order {
		fmt.Fprintf(&b, "\n%s\n", strings.Repeat("-", 78))
		for _, name := range users[licence] {
			fmt.Fprintf(&b, "%s\n", name)
		}
		fmt.Fprintf(&b, "\n%s", licence)
	}
	return b.Bytes(), nil
}
