package sight

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tickback/tickback/canon"
)

// Generators are the random generators contained in the states of a game: fields of the types of package rng, and
// of other types that have a method Uint64, like the sources of math/rand/v2. A client that knows a generator can
// predict everything that it will draw, hidden or not.
type Generators[S any] struct {
	plan  *canon.Plan[S]
	spans []span
	a, b  []byte // reused memory
}

// span is the position of a generator in the encoding of a state.
type span struct {
	from, to int
	path     string
}

// GeneratorsOf finds the generators in a state type. The error is that of [canon.PlanFor].
func GeneratorsOf[S any]() (*Generators[S], error) {
	plan, err := canon.PlanFor[S](canon.AllowFloats)
	if err != nil {
		return nil, err
	}
	g := &Generators[S]{plan: plan}
	g.find(reflect.TypeFor[S](), "", 0)
	return g, nil
}

// First returns the path of the first generator, and whether there is any.
func (g *Generators[S]) First() (path string, any bool) {
	if len(g.spans) == 0 {
		return "", false
	}
	return g.spans[0].path, true
}

// GeneratorError means that a player gets something that depends on a generator of the state.
type GeneratorError struct {
	Player Player
	Told   string // the path of what it gets
}

// Error names the player and the path.
func (e *GeneratorError) Error() string {
	return fmt.Sprintf("player %d is told %q, which depends on a random generator of the state: blank it, since all that it will draw can be predicted", e.Player, e.Told)
}

// Check checks that what a sight leaves of a state does not depend on the state's generators: it compares the state
// as it is with the same state with different generators. The error is a [*GeneratorError].
func (g *Generators[S]) Check(sight func(s *S, p Player) PlayerSet, s *S, p Player) error {
	if len(g.spans) == 0 {
		return nil
	}
	one, other := *s, *s
	g.b = g.plan.Append(g.b[:0], s)
	for _, at := range g.spans {
		for i := at.from; i < at.to; i++ {
			g.b[i] ^= 1
		}
	}
	if g.plan.Decode(&other, g.b) != nil {
		return nil // a generator of some other package, which holds more than numbers
	}
	sight(&one, p)
	sight(&other, p)
	g.a, g.b = g.plan.Append(g.a[:0], &one), g.plan.Append(g.b[:0], &other)
	for i := range g.a {
		if g.a[i] != g.b[i] {
			return &GeneratorError{p, g.plan.ScalarAt(i).Path}
		}
	}
	return nil
}

// find records the generators in a type with this path, at an offset of the encoding, and returns the encoded size
// of the type.
func (g *Generators[S]) find(t reflect.Type, path string, at int) (size int) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && f.Tag.Get("canon") != "-" {
				size += g.find(f.Type, strings.TrimPrefix(path+"."+f.Name, "."), at+size)
			}
		}
	case reflect.Array:
		if t.Len() == 0 {
			return 0
		}
		before := len(g.spans)
		each := g.find(t.Elem(), path+"[0]", at)
		for i := 1; i < t.Len() && len(g.spans) > before; i++ {
			g.find(t.Elem(), fmt.Sprintf("%s[%d]", path, i), at+i*each)
		}
		size = t.Len() * each
	default:
		size = int(t.Size())
	}
	if generates(t) && size > 0 && (len(g.spans) == 0 || g.spans[len(g.spans)-1].from < at) {
		g.spans = append(g.spans, span{at, at + size, path})
	}
	return size
}

// source is the method of a generator of another package.
type source interface{ Uint64() uint64 }

const packageRng = "github.com/tickback/tickback/rng"

// generates reports whether a type is a generator. If the method does not need a pointer receiver, it only reads a
// number.
func generates(t reflect.Type) bool {
	random := reflect.TypeFor[source]()
	return t.PkgPath() == packageRng || reflect.PointerTo(t).Implements(random) && !t.Implements(random)
}
