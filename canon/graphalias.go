//detlint:ignore address,unproved where memory overlaps depends on the references of the game, not on the addresses
package canon

import (
	"cmp"
	"reflect"
	"slices"
	"sync/atomic"
)

// Regions overlap if there is a pointer to a field or to an element of a slice that is also reached as a whole, or if
// slices share elements. Each region is saved and restored as it is, which is consistent, since all are copied at the
// same time. But the overlap is part of the state: a write through one region is visible in the other. So the form has
// an alias for each region that begins inside another one.

// alias says where one region begins inside another one.
type alias struct {
	guest, host uint32 // numbers of regions
	element     uint32 // the index of the element of the host
	place       uint64 // where in the element
}

// targets has the types that pointers and slices refer to.
type targets struct {
	pointers, slices map[reflect.Type]bool
}

// findOverlaps finds the shapes whose regions may overlap others: elements of slices; values inside other values that
// have pointers to them; and those other values. In most games, most shapes are none of these.
func (s *saver) findOverlaps() {
	found := map[reflect.Type]bool{}
	for t := range s.targets.slices {
		found[t] = true
	}
	//detlint:ignore maporder each is looked at by itself
	for t := range s.shapes {
		s.targets.inside(t, t, false, found)
	}
	s.targets.converted(found)
	for t, sh := range s.shapes {
		if found[t] {
			//detlint:ignore concurrency regions that need not be looked at may be looked at
			atomic.StoreUint32(&sh.overlap, 1)
		}
	}
	s.findConvertedMaps()
}

// converted finds the structs that pointers of two types may refer to, since converting a pointer changes only its
// type.
func (g *targets) converted(found map[reflect.Type]bool) {
	//detlint:ignore maporder each is looked at by itself
	for t := range g.pointers {
		//detlint:ignore maporder each is looked at by itself
		for u := range g.pointers {
			if t != u && t.Kind() == reflect.Struct && u.Kind() == reflect.Struct && t.Size() == u.Size() && reflect.PointerTo(t).ConvertibleTo(reflect.PointerTo(u)) {
				found[t], found[u] = true, true
			}
		}
	}
}

// findConvertedMaps finds the types of maps that can be converted to each other, so that one map may be reached under
// two of them. The map is then two regions, and their identity is part of the state.
func (s *saver) findConvertedMaps() {
	//detlint:ignore maporder each is looked at by itself
	for t, sh := range s.shapes {
		if sh.kind != shapeMap || sh.entries == nil {
			continue
		}
		//detlint:ignore maporder each is looked at by itself
		for u := range s.shapes {
			if t != u && u.Kind() == reflect.Map && t.ConvertibleTo(u) {
				//detlint:ignore concurrency regions that need not be looked at may be looked at
				atomic.StoreUint32(&sh.entries.overlap, 1)
			}
		}
	}
}

// inside looks for targets among the parts of a type.
func (g *targets) inside(whole, t reflect.Type, elements bool, found map[reflect.Type]bool) {
	if whole != t && (g.pointers[t] || elements && g.slices[t]) {
		found[whole], found[t] = true, true
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			g.inside(whole, t.Field(i).Type, false, found)
		}
	case reflect.Array:
		g.inside(whole, t.Elem(), true, found)
	}
}

// stretch is the memory of a region.
type stretch struct {
	from, to uintptr
	region   uint32
}

// findAliases finds the aliases of the regions that are compared.
func (m *snapshot) findAliases() {
	if m.aliased {
		return
	}
	m.aliased, m.aliases, m.stretches = true, m.aliases[:0], m.stretches[:0]
	for i := range m.compared {
		r := &m.regions[i]
		size := uintptr(r.count) * r.shape.size
		if r.shape.kind == shapeEntries {
			size = 1 // it is not inside other memory of the state, but may be reached again as another type
		}
		if r.addr == nil || size == 0 {
			continue
		}
		//detlint:ignore concurrency regions that need not be looked at may be looked at
		if atomic.LoadUint32(&r.shape.overlap) != 0 {
			from := uintptr(r.addr)
			m.stretches = append(m.stretches, stretch{from, from + size, uint32(i)})
		}
	}
	// Sort by address; of regions that begin together, the longest comes first. Within an overlapping group, this order
	// does not depend on where the group is in memory.
	slices.SortFunc(m.stretches, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.region, b.region))
	})
	host := 0
	for i, s := range m.stretches {
		for host < i && m.stretches[host].to <= s.from {
			host++
		}
		if host < i {
			m.aliases = append(m.aliases, m.aliasOf(s, m.stretches[host]))
		}
	}
	//detlint:ignore sorttie a region is the guest of one other at most
	slices.SortFunc(m.aliases, func(a, b alias) int { return cmp.Compare(a.guest, b.guest) })
}

func (m *snapshot) aliasOf(guest, host stretch) alias {
	off, sh := guest.from-host.from, m.regions[host.region].shape
	if sh.kind == shapeEntries {
		return alias{guest: guest.region, host: host.region}
	}
	a := alias{guest: guest.region, host: host.region, element: uint32(off / sh.size)}
	a.place = placeOf(sh.typ, off%sh.size)
	return a
}

// placeOf mixes the numbers of the fields and elements on the way to an offset.
func placeOf(t reflect.Type, off uintptr) uint64 {
	h := uint64(1)
	for off > 0 {
		switch t.Kind() {
		case reflect.Struct:
			f, i := fieldAt(t, off)
			h, off, t = h*spread+uint64(i)+1, off-f.Offset, f.Type
		case reflect.Array:
			size := t.Elem().Size()
			h, off, t = h*spread+uint64(off/size)+1, off%size, t.Elem()
		default:
			return h*spread + uint64(off) // in the middle of a number
		}
	}
	return h
}

// fieldAt returns the field of a struct that contains an offset, or for an offset in a gap the field before it.
func fieldAt(t reflect.Type, off uintptr) (reflect.StructField, int) {
	for i := t.NumField() - 1; i > 0; i-- {
		if f := t.Field(i); f.Offset <= off && f.Type.Size() > 0 {
			return f, i
		}
	}
	return t.Field(0), 0
}

// appendPlace appends the path to an offset in a value: .Items[3].Name.
func appendPlace(b []byte, sh *shape, off uintptr) []byte {
	t := sh.typ
	for {
		switch {
		case t.Kind() == reflect.Struct && t.NumField() > 0 && !isLeafStruct(t):
			f, _ := fieldAt(t, off)
			b, off, t = appendField(b, f.Name), off-f.Offset, f.Type
		case t.Kind() == reflect.Array && t.Len() > 0 && t.Elem().Size() > 0:
			size := t.Elem().Size()
			b, off, t = appendIndex(b, off/size), off%size, t.Elem()
		default:
			return b
		}
	}
}

// isLeafStruct reports whether the fields of a struct are unknown to games.
func isLeafStruct(t reflect.Type) bool {
	return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic" || t.PkgPath() == "time"
}

// path returns the path of the place where a walk is.
func (w *walker) path() string {
	var steps []parent
	for p, n := w.at, 0; ; n++ {
		steps = append(steps, p)
		if p.region == 0 || n == maxHops {
			break
		}
		p = w.parents[p.region]
	}
	var b []byte
	last := steps[len(steps)-1]
	if last.region != 0 {
		b = appendNumber(b, int(last.region+1))
	}
	for i, p := range slices.Backward(steps) {
		r := &w.m.regions[p.region]
		up := w.parents[p.region]
		switch {
		case up.held && r.shape.kind != shapeEntries:
			b = append(append(append(b, ".(*"...), r.shape.typ.String()...), ')')
		case up.held || up.boxed:
			b = append(append(append(b, ".("...), r.shape.typ.String()...), ')')
		}
		sh := r.shape
		switch {
		case r.shape.kind == shapeEntries:
			start := uintptr(p.element) * r.shape.stride()
			if r.count > 0 && (i > 0 || !w.whole) {
				b = append(b, keyText(reflect.NewAt(sh.typ.Key(), at(w.m.content(r), start)).Elem())...)
			}
			if sh = r.shape.elem; p.part == partKey {
				sh = r.shape.key
			}
		case up.indexed && (i > 0 || !w.whole):
			b = appendIndex(b, uintptr(p.element))
		}
		if i > 0 || !w.whole {
			b = appendPlace(b, sh, uintptr(p.off))
		}
	}
	return string(b)
}

// fail returns an error about the place where the walk is.
func (w *walker) fail(err error, what, remedy string) error {
	return &WalkError{Path: w.path(), Err: err, What: what, Remedy: remedy}
}

// refuse returns the error about a value that cannot be saved.
func (w *walker) refuse(sh *shape) error {
	what, remedy := sh.typ.String(), "give the field to Leave or Opaque, or keep it outside the state"
	switch {
	case sh.typ.Kind() == reflect.Func:
		what += ": the captured variables of a function cannot be saved"
		remedy = "give the field to Leave or Opaque, or all functions to Functions"
	case sh.typ.Kind() == reflect.Uintptr:
		what += " may be an address"
		remedy = "give the field or type to Numbers if it is none, else to Uncompared or Leave"
	case sh.typ.Kind() == reflect.Struct:
		remedy = "use a map, or give the field to Leave or Reset"
	}
	return w.fail(ErrUnsupported, what, remedy)
}
