package reach

import (
	"go/token"
	"slices"
	"strings"
)

// knowledge combines what all packages say.
type knowledge struct {
	types   map[string][]Method
	structs []map[string]Struct // by package; a package that is being read adds to its own with each function
	writes  map[string]token.Position
	makes   []string
	takes   map[string][]Taken // by signature
	moves   map[string][]Move  // by signature
	foreign map[string]bool
	lent    map[string]bool     // signatures of functions that the library provides
	answers map[string][]answer // for calls through interfaces, by the methods they need; see answering
}

// answer is a type with a method that a call through an interface reaches if the type is used.
type answer struct{ key, id string }

// answering lists the types of the program that have all methods that a call through an interface needs.
func (k *knowledge) answering(c Call) []answer {
	what := c.Target + "\n" + strings.Join(c.Needs, "\n")
	list, ok := k.answers[what]
	if !ok {
		for _, key := range k.makes {
			if id, ok := implements(k.types[key], c); ok {
				list = append(list, answer{key, id})
			}
		}
		k.answers[what] = list
	}
	return list
}

// structure returns what is known about the fields of a struct.
func (k *knowledge) structure(key string) (s Struct, ok bool) {
	for _, list := range k.structs {
		if s, ok = list[key]; ok {
			break
		}
	}
	return s, ok
}

func (w *World) knowledge() *knowledge {
	k := &knowledge{map[string][]Method{}, nil, map[string]token.Position{}, nil, map[string][]Taken{}, map[string][]Move{}, map[string]bool{}, map[string]bool{}, map[string][]answer{}}
	for _, p := range w.Packages {
		for key, m := range p.Types {
			k.types[key] = m
		}
		k.structs = append(k.structs, p.Structs)
		for g, pos := range p.Writes {
			k.writes[g] = pos
		}
		for id := range p.Foreign {
			k.foreign[id] = true
		}
		for _, signature := range p.Lent {
			k.lent[signature] = true
		}
		k.makes = append(k.makes, p.Makes...)
		for _, t := range p.Takes {
			k.takes[t.Signature] = append(k.takes[t.Signature], t)
		}
		for _, m := range p.Moves {
			k.moves[m.Signature] = append(k.moves[m.Signature], m)
		}
	}
	k.makes = unique(k.makes)
	slices.Sort(k.makes)
	return k
}
