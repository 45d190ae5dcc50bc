package canon

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// GapKind says why some bytes of memory are not part of the canonical form.
type GapKind uint8

const (
	Padding  GapKind = iota // inserted by the compiler to align what follows
	Blank                   // a field named _
	Excluded                // a field tagged canon:"-"
)

// String names the kind: padding, blank or excluded.
func (k GapKind) String() string {
	return [...]string{"padding", "blank", "excluded"}[k]
}

// Gap is memory of a state that is not part of its canonical form. A type
// without gaps is hashed, encoded and compared at the speed of memory.
type Gap struct {
	// Path is the excluded or blank field itself, or the field that the padding follows (the enclosing struct, if the
	// padding is at its start). Elements of an array are written as [*].
	Path   string
	Kind   GapKind
	Offset int // the offset of the first such gap in the memory of the state
	Bytes  int // the size of each
	Count  int // how often: the product of the lengths of the arrays around it
}

// String returns `P[*].State: 2 bytes (padding) at offset 22, 2 times`.
func (g Gap) String() string {
	unit := "bytes"
	if g.Bytes == 1 {
		unit = "byte"
	}
	s := fmt.Sprintf("%s: %d %s (%v) at offset %d", label(g.Path), g.Bytes, unit, g.Kind, g.Offset)
	if g.Count > 1 {
		s += fmt.Sprintf(", %d times", g.Count)
	}
	return s
}

// Gaps lists where the memory of T is not canonical, in order of offset, so that fields can be reordered (widest first)
// or padding can be replaced by fields. It is nil if the memory is the encoding, up to byte order. The offsets are
// those of the current architecture.
func (p *Plan[T]) Gaps() []Gap {
	var g gapFinder
	g.walk(p.layout.root.typ, "", 0, 1)
	return g.gaps
}

type gapFinder struct{ gaps []Gap }

func (g *gapFinder) add(path string, kind GapKind, from, to uintptr, count int) {
	if to > from {
		g.gaps = append(g.gaps, Gap{path, kind, int(from), int(to - from), count})
	}
}

func (g *gapFinder) walk(t reflect.Type, path string, base uintptr, count int) {
	switch {
	case t.Kind() == reflect.Struct:
		g.structure(t, path, base, count)
	case t.Kind() == reflect.Array && t.Len() > 0:
		g.walk(t.Elem(), path+"[*]", base, count*t.Len())
	}
}

func (g *gapFinder) structure(t reflect.Type, path string, base uintptr, count int) {
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	// The current compiler keeps declaration order, but nothing here relies on that.
	slices.SortStableFunc(fields, func(a, b reflect.StructField) int { return cmp.Compare(a.Offset, b.Offset) })
	after, end := path, uintptr(0)
	for _, f := range fields {
		g.add(after, Padding, base+end, base+f.Offset, count)
		after, end = joinField(path, f.Name), f.Offset+f.Type.Size()
		switch role, _ := roleOf(f); role {
		case roleBlank:
			g.add(after, Blank, base+f.Offset, base+end, count)
		case roleExcluded:
			g.add(after, Excluded, base+f.Offset, base+end, count)
		default:
			g.walk(f.Type, after, base+f.Offset, count)
		}
	}
	g.add(after, Padding, base+end, base+t.Size(), count)
}
