//detlint:ignore address,unproved addresses only tell which objects are those of the origin; no encoding depends on them
package canon

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"
)

// Origin is a state that all machines of a match have, such as state 0. Later states are encoded relative to it: an
// object that the origin has is found again on the other machine, with everything in it that a [Saver] leaves out or
// takes as [Opaque], and all others are made anew. Get one from [Saver.Origin]. It is for the value that it was taken
// from, and for one goroutine at a time. It keeps the objects of the origin alive.
type Origin[T any] struct {
	origin
}

// Encodes reports whether the saver has the option [Encoded].
func (v *Saver[T]) Encodes() bool { return v.options.encodes }

// Origin returns the present state of *s as an origin. The saver must have the option [Encoded]. The error is a
// [*WalkError], as with Save, or about what cannot be encoded; see [Origin.Marshal].
func (v *Saver[T]) Origin(s *T) (*Origin[T], error) {
	o := &Origin[T]{origin{by: &v.saver}}
	if err := o.take(unsafe.Pointer(s)); err != nil {
		return nil, err
	}
	return o, nil
}

// Marshal appends an encoding of the state of *s to b: the same on every machine, whatever is where in memory. s must be
// the pointer that the origin was taken from, else the error wraps [ErrForeign].
//
// An encoding says which object refers to which, which slices and pointers share memory, and the capacities of slices,
// so that a match goes on alike on both machines. Errors are a [*WalkError] that wraps [ErrUnsupported] and names a type
// and a field. What cannot be encoded:
//
//   - A type in an interface that neither T nor the origin has, and that was not given to [Encoded].
//   - An [Opaque] reference that the origin does not have anywhere, such as a function that was made since.
//   - An object that the origin does not have, with a field that is left out and not zero: nobody could set it there.
//   - [Uncompared] fields, which differ between machines.
//   - An object of a package variable that the origin does not lead to, as far as the linker has placed it. What a
//     package variable refers to looks like any other object. On the other machine it would be another one than that of
//     the variable: let T lead to it.
//   - A [time.Time] with a location other than UTC and Local.
func (o *Origin[T]) Marshal(b []byte, s *T) ([]byte, error) {
	if unsafe.Pointer(s) != o.root {
		return b, o.elsewhere()
	}
	w := o.by.walker()
	defer o.by.put(w)
	if err := w.save(unsafe.Pointer(s), &w.scratch); err != nil {
		return b, err
	}
	return o.encode(b, &w.scratch)
}

// MarshalSaved does what Marshal does, for a state that was saved in m.
func (o *Origin[T]) MarshalSaved(b []byte, m *Memento[T]) ([]byte, error) {
	if err := o.by.check(o.root, &m.snapshot); err != nil {
		return b, err
	}
	return o.encode(b, &m.snapshot)
}

// Unmarshal gives *s the encoded state: s must be the pointer that this origin was taken from. The encoding may come from
// another machine, and nothing in it is trusted: it is either a state, or refused with an error that wraps
// [ErrEncoding], and *s is as it was. It wraps [ErrForeign] if the other machine has another origin.
func (o *Origin[T]) Unmarshal(s *T, b []byte) error {
	if unsafe.Pointer(s) != o.root {
		return o.elsewhere()
	}
	return o.decode(b)
}

func (o *Origin[T]) elsewhere() error {
	return foreign("the origin was taken from another value", "keep an origin for each value")
}

// origin is the part of an Origin that does not depend on its type.
type origin struct {
	by    *saver
	root  unsafe.Pointer
	hash  uint64
	known []reflect.Type // the types that encodings may name, by number
	types map[reflect.Type]int

	objects []object // as they are numbered
	blocks  []int    // the numbers of those that are no maps, by address
	maps    map[unsafe.Pointer]int

	opaque []opaqueRef // references that are not followed
	found  map[opaqueRef]int
}

// opaqueRef is a reference that is not followed: its words, of which those that it does not have are nil.
type opaqueRef struct {
	typ              reflect.Type
	words            [2]unsafe.Pointer
	length, capacity int // of a slice
}

type objectKind uint8

const (
	objectBlock objectKind = iota // elements in a row
	objectMap
	objectBox // what an interface holds
)

// object is memory that is allocated as a unit. Pointers and slices lead into it.
type object struct {
	kind  objectKind
	shape *shape // of an element, of the entries of a map, or of what an interface holds
	count uintptr
	addr  unsafe.Pointer
	order int // where it is met first
}

func (o *object) end() uintptr { return uintptr(o.addr) + o.count*o.shape.size }

// cost is the memory that a new object takes, about, in bytes.
func (o *object) cost() uint64 { return uint64(o.shape.size)*uint64(o.count) + 64 }

// take makes the state at root the origin.
func (o *origin) take(root unsafe.Pointer) error {
	if !o.by.options.encodes {
		return &WalkError{Err: ErrUnsupported, What: "its saver does not encode states", Remedy: "give the option Encoded to it"}
	}
	var m snapshot
	w := o.by.walker()
	defer o.by.put(w)
	if err := w.save(root, &m); err != nil {
		return err
	}
	o.root, o.hash = root, m.hash()
	o.know(o.by.root.typ)
	for _, t := range o.by.options.encoded {
		o.know(t)
	}
	for _, d := range m.dyns {
		o.know(d.typ)
	}
	objects, err := objectsOf(&m, nil)
	if err != nil {
		return err
	}
	o.objects, o.maps = objects, map[unsafe.Pointer]int{}
	for i := range objects {
		if objects[i].kind == objectMap {
			o.maps[objects[i].addr] = i
		} else {
			o.blocks = append(o.blocks, i)
		}
	}
	sortByAddress(o.objects, o.blocks)
	o.found = map[opaqueRef]int{}
	return o.learn(&m)
}

// learn collects the opaque references of the origin, and tries whether it can be encoded.
func (o *origin) learn(m *snapshot) error {
	e := graphEncoder{origin: o, m: m, learning: true}
	_, err := e.encode(nil)
	return err
}

// know numbers a type, and all that it contains or refers to.
func (o *origin) know(t reflect.Type) {
	if _, known := o.types[t]; known {
		return
	}
	if o.types == nil {
		o.types = map[reflect.Type]int{}
	}
	o.types[t] = len(o.known)
	o.known = append(o.known, t)
	switch t.Kind() {
	case reflect.Struct:
		if target, _, ok := atomicPointer(t); ok {
			o.know(target)
			return
		}
		for i := range t.NumField() {
			o.know(t.Field(i).Type)
		}
	case reflect.Map:
		o.know(t.Key())
		o.know(t.Elem())
	case reflect.Array, reflect.Pointer, reflect.Slice:
		o.know(t.Elem())
	}
}

// objectAt returns the object of the origin that contains an address.
func (o *origin) objectAt(p unsafe.Pointer) (number int, found bool) {
	return objectAt(o.objects, o.blocks, p)
}

// sortByAddress sorts numbers of objects.
func sortByAddress(objects []object, numbers []int) {
	//detlint:ignore sorttie no two objects begin at one address
	slices.SortFunc(numbers, func(a, b int) int {
		return cmp.Compare(uintptr(objects[a].addr), uintptr(objects[b].addr))
	})
}

func objectAt(objects []object, sorted []int, p unsafe.Pointer) (number int, found bool) {
	i, here := slices.BinarySearchFunc(sorted, p, func(n int, p unsafe.Pointer) int {
		return cmp.Compare(uintptr(objects[n].addr), uintptr(p))
	})
	if !here {
		i--
	}
	if i < 0 || uintptr(p) >= objects[sorted[i]].end() {
		return 0, false
	}
	return sorted[i], true
}

// objectsOf returns the objects that a snapshot leads to, in the order in which they are met, without those of an
// origin. Memory that overlaps is one object.
func objectsOf(m *snapshot, o *origin) ([]object, error) {
	var maps, parts []object
	order := 0
	add := func(addr unsafe.Pointer, sh *shape, n uintptr) {
		order++
		if o != nil {
			if _, found := o.objectAt(addr); found {
				return
			}
		}
		parts = append(parts, object{kind: objectBlock, shape: sh, count: n, addr: addr, order: order})
	}
	seen := map[unsafe.Pointer]*shape{}
	for i := range m.regions {
		r := &m.regions[i]
		switch {
		case r.shape.kind == shapeEntries:
			if sh, twice := seen[r.addr]; twice {
				return nil, unencodable(sh.typ, "a map that is reached as another type, too", "refer to it by one type")
			}
			seen[r.addr] = r.shape
			if order++; o == nil || !o.hasMap(r.addr) {
				maps = append(maps, object{kind: objectMap, shape: r.shape, addr: r.addr, order: order})
			}
		case r.addr != nil && r.shape.size > 0:
			add(r.addr, r.shape, uintptr(r.count))
		}
		for e := range uintptr(r.count) {
			m.eachSlice(r, e, add)
		}
	}
	blocks, err := merged(parts)
	if err != nil {
		return nil, err
	}
	all := append(blocks, maps...)
	slices.SortFunc(all, func(a, b object) int { return cmp.Compare(a.order, b.order) })
	return all, nil
}

func (o *origin) hasMap(p unsafe.Pointer) bool { _, found := o.maps[p]; return found }

// eachSlice calls add with the memory of each slice in an element of a region, up to its capacity.
func (m *snapshot) eachSlice(r *region, e uintptr, add func(unsafe.Pointer, *shape, uintptr)) {
	p, sh := m.content(r), r.shape
	if p == nil {
		return
	}
	if sh.kind != shapeEntries {
		slicesIn(at(p, e*sh.size), sh.code.follow, add)
		return
	}
	slicesIn(at(p, e*sh.stride()), sh.key.code.follow, add)
	slicesIn(at(p, e*sh.stride()+rounded(sh.key.size)), sh.elem.code.follow, add)
}

func slicesIn(p unsafe.Pointer, list []ref, add func(unsafe.Pointer, *shape, uintptr)) {
	for i := range list {
		r := &list[i]
		switch r.kind {
		case followRepeat:
			for k := range r.n {
				slicesIn(at(p, r.off+k*r.stride), r.body, add)
			}
		case followSlice:
			if s := sliceAt(at(p, r.off)); s.capacity > 0 && r.shape.elem.size > 0 {
				add(s.data, r.shape.elem, uintptr(s.capacity))
			}
		}
	}
}

// sliceHeader is a slice as it lies in memory.
type sliceHeader struct {
	data             unsafe.Pointer
	length, capacity int
}

func sliceAt(p unsafe.Pointer) *sliceHeader { return (*sliceHeader)(p) }

// merged joins memory that overlaps.
func merged(parts []object) ([]object, error) {
	sortParts(parts)
	var list []object
	for _, p := range parts {
		if len(list) == 0 || uintptr(p.addr) >= list[len(list)-1].end() {
			list = append(list, p)
			continue
		}
		host := &list[len(list)-1]
		host.order = min(host.order, p.order)
		if p.end() <= host.end() {
			continue
		}
		if p.shape != host.shape || (uintptr(p.addr)-uintptr(host.addr))%host.shape.size != 0 {
			return nil, unencodable(p.shape.typ, "memory that is partly that of a "+host.shape.typ.String(), "let none of both have more than the other")
		}
		host.count = (p.end() - uintptr(host.addr)) / host.shape.size
	}
	return list, nil
}

// sortParts sorts memory by address; of parts that begin together, the longest comes first.
func sortParts(parts []object) {
	slices.SortFunc(parts, func(a, b object) int {
		return cmp.Or(cmp.Compare(uintptr(a.addr), uintptr(b.addr)), cmp.Compare(b.end(), a.end()), cmp.Compare(a.order, b.order))
	})
}

// locate returns which element of a block is at an offset, and the steps from there to n values of a type in a row.
func (o *object) locate(off uintptr, t reflect.Type, n uintptr) (element uintptr, steps []int, ok bool) {
	element, off = off/o.shape.size, off%o.shape.size
	in, room := o.shape.typ, o.count-element
	for off > 0 || n > room || !sameLayout(in, t) {
		switch {
		case in.Kind() == reflect.Struct && in.NumField() > 0:
			f, i := fieldAt(in, off)
			steps, off, in, room = append(steps, i), off-f.Offset, f.Type, 1
		case in.Kind() == reflect.Array && in.Size() > 0:
			i := off / in.Elem().Size()
			steps, off, room, in = append(steps, int(i)), off%in.Elem().Size(), uintptr(in.Len())-i, in.Elem()
		default:
			return 0, nil, false
		}
	}
	return element, steps, true
}

// follow is the inverse of locate: it returns the offset of a place, if n values of a type are there.
func (o *object) follow(element uint64, steps []int, t reflect.Type, n uint64) (off uintptr, ok bool) {
	if element >= uint64(o.count) {
		return 0, false
	}
	off = uintptr(element) * o.shape.size
	in, room := o.shape.typ, uint64(o.count)-element
	for _, s := range steps {
		switch {
		case in.Kind() == reflect.Struct && s < in.NumField():
			f := in.Field(s)
			off, in, room = off+f.Offset, f.Type, 1
		case in.Kind() == reflect.Array && s < in.Len():
			room, in = uint64(in.Len()-s), in.Elem()
			off += uintptr(s) * in.Size()
		default:
			return 0, false
		}
	}
	return off, n <= room && sameLayout(in, t)
}

// sameLayout reports whether a pointer to a value of one type can be one to a value of the other.
func sameLayout(a, b reflect.Type) bool {
	return a == b || reflect.PointerTo(a).ConvertibleTo(reflect.PointerTo(b))
}

// unencodable returns the error about a type.
func unencodable(t reflect.Type, what, remedy string) error {
	return &WalkError{Path: t.String(), Err: ErrUnsupported, What: what, Remedy: remedy + withoutEncoded}
}

const withoutEncoded = "; or leave out Encoded, and states are not encoded"
