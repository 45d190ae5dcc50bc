//detlint:ignore address,unproved,concurrency addresses only find the objects, which are numbered as they are met
package canon

import (
	"encoding/binary"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"time"
	"unsafe"
)

// The encoding of a graph, relative to an origin:
//
//	version    byte      encodingVersion
//	origin     8 bytes   the hash of the origin
//	objects    varint    the number of objects that the origin does not have
//	           for each: kind (byte), type (varint), and for a block the number of its elements (varint)
//	regions    varint    the number of regions with content
//	           for each: kind (byte), of a block the type (varint) and place, else the object (varint);
//	           number of elements or entries, unless it is a box (varint); and these
//
// A place is the number of an object, those of the origin first, then the element of a block, times two, plus one if the
// place is inside the element: then come the number of steps and each step, a number of a field or of an element of an
// array. Numbers have their width, little-endian, those of platform-dependent width 8 bytes. References begin with
// toNil, toEmpty or toPlace. All that counts is a varint.
const encodingVersion = 1

const (
	toNil   = 0
	toEmpty = 1 // it leads to something of size zero
	toPlace = 2 // a place follows
)

// How locations of times are encoded.
const (
	zoneUTC   = 0
	zoneLocal = 1
)

// maxSteps bounds how deep a place is inside an element.
const maxSteps = 64

// graphEncoder encodes a snapshot.
type graphEncoder struct {
	*origin
	m        *snapshot
	learning bool // the snapshot is the origin, whose opaque references are collected

	b      []byte
	fresh  []object // what the origin does not have; its numbers follow those of the origin
	blocks []int    // numbers in fresh, by address
	maps   map[unsafe.Pointer]int
	boxes  map[int]int // by region: the number of the object

	links   cursor
	key     bool           // what is encoded is the key of a map
	foreign bool           // the origin does not have what is encoded: nothing in it may be left out
	owner   reflect.Type   // the type of the element that is encoded
	start   unsafe.Pointer // where it begins
	copied  unsafe.Pointer // the copy of the region at hand
	copyOf  unsafe.Pointer // what it is a copy of, if the copy does not have all
	err     error
}

func (o *origin) encode(b []byte, m *snapshot) ([]byte, error) {
	e := graphEncoder{origin: o, m: m}
	return e.encode(b)
}

func (e *graphEncoder) encode(b []byte) ([]byte, error) {
	if err := e.prepare(); err != nil {
		return b, err
	}
	e.b = binary.LittleEndian.AppendUint64(append(b, encodingVersion), e.hash)
	e.varint(len(e.fresh))
	for i := range e.fresh {
		o := &e.fresh[i]
		e.b = append(e.b, byte(o.kind))
		e.typ(o.shape.typ)
		if o.kind == objectBlock {
			e.varint(int(o.count))
		}
	}
	list := e.content()
	e.varint(len(list))
	for _, i := range list {
		e.region(i)
	}
	if e.err != nil {
		return b, e.err
	}
	return e.b, nil
}

// prepare finds the objects.
func (e *graphEncoder) prepare() error {
	var err error
	if e.fresh, err = objectsOf(e.m, e.origin); err != nil {
		return err
	}
	e.maps, e.boxes = map[unsafe.Pointer]int{}, map[int]int{}
	for i := range e.fresh {
		o := &e.fresh[i]
		if o.kind == objectMap {
			e.maps[o.addr] = i
			continue
		}
		e.blocks = append(e.blocks, i)
		if !onHeap(o.addr) {
			return unencodable(o.shape.typ, "an object of a package variable, which the origin does not have", "let the state lead to it from the start")
		}
	}
	sortByAddress(e.fresh, e.blocks)
	e.findBoxes()
	left := uint64(decodeLimit)
	for i := range e.fresh {
		cost := e.fresh[i].cost()
		if cost > left { // nobody would decode it
			return &WalkError{
				Path: e.fresh[i].shape.typ.String(), Err: ErrTooLarge, What: "objects that the origin does not have take more than " + strconv.Itoa(decodeLimit>>20) + " MiB",
				Remedy: "let slices have smaller capacities, or let the origin have them" + withoutEncoded,
			}
		}
		left -= cost
	}
	return nil
}

// onHeap reports whether an object was allocated while the program ran. Those that the linker has placed have nothing
// that could be cleaned up.
func onHeap(p unsafe.Pointer) (heap bool) {
	defer func() {
		if recover() != nil {
			heap = false // memory that is not Go's
		}
	}()
	//detlint:ignore collector nothing is cleaned up: whether there could be depends on where the object was made
	c := runtime.AddCleanup((*byte)(p), func(struct{}) {}, struct{}{})
	c.Stop() //detlint:ignore collector as above
	return c != (runtime.Cleanup{})
}

// findBoxes makes an object of each content of an interface that has references.
func (e *graphEncoder) findBoxes() {
	for i := range e.m.regions {
		r := &e.m.regions[i]
		if r.addr == nil && !r.shape.direct {
			e.boxes[i] = len(e.origin.objects) + len(e.fresh)
			e.fresh = append(e.fresh, object{kind: objectBox, shape: r.shape, count: 1})
		}
	}
}

// content returns the regions whose content is not that of others.
func (e *graphEncoder) content() (list []int) {
	type part struct {
		object int
		shape  *shape
	}
	end := map[part]uintptr{} // how far the content of an object is known, as that of a shape
	covered := make([]bool, len(e.m.regions))
	for _, i := range e.m.byAddress() {
		r := &e.m.regions[i]
		to := uintptr(r.addr) + uintptr(r.count)*r.shape.size
		number, _, _ := e.objectOf(r.addr)
		known := part{number, r.shape}
		covered[i] = to <= end[known]
		end[known] = max(end[known], to)
	}
	for i := range e.m.regions {
		r := &e.m.regions[i]
		switch {
		case covered[i], r.addr == nil && r.shape.direct, r.addr != nil && r.shape.size == 0 && r.shape.kind != shapeEntries:
		default:
			list = append(list, i)
		}
	}
	return list
}

// byAddress returns the numbers of the regions that lie in blocks, by address; of those that begin together, the longest
// comes first.
func (m *snapshot) byAddress() []int {
	var parts []object
	for i := range m.regions {
		if r := &m.regions[i]; r.addr != nil && r.shape.kind != shapeEntries && r.shape.size > 0 {
			parts = append(parts, object{shape: r.shape, count: uintptr(r.count), addr: r.addr, order: i})
		}
	}
	sortParts(parts)
	list := make([]int, len(parts))
	for i := range parts {
		list[i] = parts[i].order
	}
	return list
}

// objectOf returns the object that contains an address, and its number.
func (e *graphEncoder) objectOf(p unsafe.Pointer) (number int, o *object, found bool) {
	if number, found = e.objectAt(p); found {
		return number, &e.origin.objects[number], true
	}
	if i, found := objectAt(e.fresh, e.blocks, p); found {
		return len(e.origin.objects) + i, &e.fresh[i], true
	}
	return 0, nil, false
}

func (e *graphEncoder) region(i int) {
	r := &e.m.regions[i]
	p, sh := e.m.content(r), r.shape
	e.links = cursor{e.m, int(r.link), int(r.dyn)}
	if sh.kind == shapeEntries {
		e.b = append(e.b, byte(objectMap))
		e.foreign = !e.mapPlace(r.addr)
		e.varint(int(r.count))
		for k := range uintptr(r.count) {
			e.key = true
			e.element(sh.key, at(p, k*sh.stride()))
			e.key = false
			e.element(sh.elem, at(p, k*sh.stride()+rounded(sh.key.size)))
		}
		return
	}
	if number, boxed := e.boxes[i]; boxed {
		e.b = append(e.b, byte(objectBox))
		e.foreign = true
		e.varint(number)
		e.copied, e.copyOf = p, e.fresh[number-len(e.origin.objects)].addr
	} else {
		e.copied, e.copyOf = p, r.addr
		e.b = append(e.b, byte(objectBlock))
		e.owner, e.start = sh.typ, r.addr
		e.typ(sh.typ)
		e.foreign = !e.place(r.addr, sh, uintptr(r.count))
		e.varint(int(r.count))
	}
	for k := range uintptr(r.count) {
		e.element(sh, at(p, k*sh.size))
	}
	e.copied, e.copyOf = nil, nil
}

// original returns the address that a part of the region at hand was copied from: what is left out is not in the copy.
func (e *graphEncoder) original(p unsafe.Pointer) unsafe.Pointer {
	if e.copyOf == nil {
		return p
	}
	return at(e.copyOf, uintptr(p)-uintptr(e.copied))
}

// element encodes a value whose type errors name.
func (e *graphEncoder) element(sh *shape, p unsafe.Pointer) {
	e.owner, e.start = sh.typ, p
	e.value(sh, p)
}

// refuse remembers the error about the value at p.
func (e *graphEncoder) refuse(p unsafe.Pointer, what, remedy string) {
	if e.err == nil {
		path := appendPlace([]byte(e.owner.String()), &shape{typ: e.owner}, uintptr(p)-uintptr(e.start))
		e.err = &WalkError{Path: string(path), Err: ErrUnsupported, What: what, Remedy: remedy + withoutEncoded}
	}
}

func (e *graphEncoder) varint(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

// typ encodes a type by its number, if it has one.
func (e *graphEncoder) typ(t reflect.Type) bool {
	number, known := e.types[t]
	if known {
		e.varint(number)
	} else if e.err == nil {
		e.err = unencodable(t, "another machine does not know that interfaces may hold this type", "give a value of it to Encoded")
	}
	return known
}

// place encodes where n elements are, and reports whether that is in an object of the origin.
func (e *graphEncoder) place(p unsafe.Pointer, sh *shape, n uintptr) (known bool) {
	number, o, found := e.objectOf(p)
	if !found {
		e.refuse(p, "an object that is not among those of the state", "say so to the authors of this library")
		return false
	}
	element, steps, ok := o.locate(uintptr(p)-uintptr(o.addr), sh.typ, n)
	if !ok || len(steps) > maxSteps {
		e.refuse(p, "a "+sh.typ.String()+" that is no part of a "+o.shape.typ.String(), "let the state refer to the whole, or to a field or an element of it")
		return false
	}
	e.varint(number)
	if len(steps) == 0 {
		e.varint(int(element) << 1)
	} else {
		e.varint(int(element)<<1 | 1)
		e.varint(len(steps))
		for _, s := range steps {
			e.varint(s)
		}
	}
	return number < len(e.origin.objects)
}

// mapPlace encodes which map it is.
func (e *graphEncoder) mapPlace(p unsafe.Pointer) (known bool) {
	if number, known := e.origin.maps[p]; known {
		e.varint(number)
		return true
	}
	e.varint(len(e.origin.objects) + e.maps[p])
	return false
}

// value encodes a value.
func (e *graphEncoder) value(sh *shape, p unsafe.Pointer) {
	if e.err != nil {
		return
	}
	switch sh.kind {
	case shapeNumber:
		e.numbers(sh, p, 1)
	case shapeString:
		e.text(*(*string)(p))
	case shapeTime:
		e.time(p)
	case shapePointer:
		e.links.next()
		e.pointer(*(*unsafe.Pointer)(p), sh.elem)
	case shapeSlice:
		e.links.next()
		e.slice(sliceAt(p), sh.elem)
	case shapeMap:
		e.links.next()
		e.mapRef(*(*unsafe.Pointer)(p))
	case shapeIface:
		e.iface(p)
	case shapeStruct:
		for i := range sh.fields {
			f := &sh.fields[i]
			if f.hidden {
				e.refuse(at(p, f.off), "uncompared data, which differ between machines, cannot be encoded", "take them out of the state, or write Marshal yourself")
				return
			}
			e.value(f.shape, at(p, f.off))
		}
	case shapeArray:
		e.array(sh, p)
	case shapeOpaque:
		e.opaqueValue(sh.elem, p)
	case shapeLeft:
		if e.foreign && !isZero(e.original(p), sh.size) {
			e.refuse(p, "it is left out, and only one machine has this object", "let the origin have the object, or keep the field elsewhere")
		}
	case shapePool:
		if e.foreign && (*sync.Pool)(e.original(p)).New != nil {
			e.refuse(p, "a pool that only one machine has", "let the origin have it")
		}
	case shapeReset, shapeRefused: // zero after each restore, or else never saved
	}
}

func (e *graphEncoder) array(sh *shape, p unsafe.Pointer) {
	if sh.elem.kind == shapeNumber {
		e.numbers(sh.elem, p, sh.count)
		return
	}
	for i := range sh.count {
		e.value(sh.elem, at(p, i*sh.elem.size))
	}
}

// numbers encodes numbers of a shape.
func (e *graphEncoder) numbers(sh *shape, p unsafe.Pointer, n uintptr) {
	n *= sh.size / sh.width
	f := numberPiece(sh)
	if f.float == 0 && !f.wide && (littleEndian || sh.width == 1) {
		e.b = append(e.b, bytesAt(p, n*sh.width)...)
		return
	}
	for k := range n {
		x, width := f.number(p, k)
		if f.float != 0 {
			x = withOneNaN(x, f.float)
		}
		e.b = appendUint64(e.b, x)
		e.b = e.b[:len(e.b)-8+int(width)]
	}
}

func (e *graphEncoder) text(s string) {
	e.varint(len(s))
	e.b = append(e.b, s...)
}

func (e *graphEncoder) time(p unsafe.Pointer) {
	t := *(*time.Time)(p)
	e.b = appendUint64(e.b, uint64(t.Unix()))
	e.b = binary.LittleEndian.AppendUint32(e.b, uint32(t.Nanosecond()))
	//detlint:ignore environment only which of two locations it is gets encoded
	switch t.Location() {
	case time.UTC:
		e.b = append(e.b, zoneUTC)
	case time.Local: //detlint:ignore environment as above
		e.b = append(e.b, zoneLocal)
	default:
		//detlint:ignore environment it is only part of an error
		e.refuse(p, "a time in the location "+t.Location().String(), "use UTC")
	}
}

func (e *graphEncoder) pointer(p unsafe.Pointer, elem *shape) {
	switch {
	case p == nil:
		e.varint(toNil)
	case elem.size == 0:
		e.varint(toEmpty)
	default:
		e.varint(toPlace)
		e.place(p, elem, 1)
	}
}

func (e *graphEncoder) slice(s *sliceHeader, elem *shape) {
	switch {
	case s.data == nil:
		e.varint(toNil)
		return
	case elem.size == 0, s.capacity == 0:
		e.varint(toEmpty)
	default:
		e.varint(toPlace)
		e.varint(s.length)
		e.varint(s.capacity)
		e.place(s.data, elem, uintptr(s.capacity))
		return
	}
	e.varint(s.length)
	e.varint(s.capacity)
}

func (e *graphEncoder) mapRef(p unsafe.Pointer) {
	if p == nil {
		e.varint(toNil)
		return
	}
	e.varint(toPlace)
	e.mapPlace(p)
}

func (e *graphEncoder) iface(p unsafe.Pointer) {
	link := e.links.next()
	if *(*unsafe.Pointer)(p) == nil {
		e.varint(toNil)
		return
	}
	dyn := e.links.nextType()
	e.varint(toPlace)
	if !e.typ(dyn.typ) {
		return
	}
	word := *(*unsafe.Pointer)(at(p, ptrSize))
	switch {
	case dyn.kind == shapePointer:
		e.pointer(word, dyn.elem)
	case dyn.kind == shapeMap:
		e.mapRef(word)
	case dyn.flat || dyn.direct:
		e.inline(dyn, link, inside(p, dyn))
	case e.key:
		e.refuse(p, "a "+dyn.typ.String()+" in the key of a map", "use a pointer to it, or a key without interfaces")
	default:
		number := e.boxes[int(link-linkFirst)]
		e.fresh[number-len(e.origin.objects)].addr = word
		e.varint(number)
	}
}

// inline encodes a value that an interface holds and that has no references, or is one itself.
func (e *graphEncoder) inline(dyn *shape, link uint32, p unsafe.Pointer) {
	links, foreign, owner, start, copyOf := e.links, e.foreign, e.owner, e.start, e.copyOf
	e.foreign, e.owner, e.start, e.copyOf = true, dyn.typ, p, nil
	if link >= linkFirst {
		r := &e.m.regions[link-linkFirst]
		e.links = cursor{e.m, int(r.link), int(r.dyn)}
	}
	e.value(dyn, p)
	e.links, e.foreign, e.owner, e.start, e.copyOf = links, foreign, owner, start, copyOf
}

// opaqueValue encodes a value that is not followed: its numbers and strings, and the numbers of its references among
// those of the origin.
func (e *graphEncoder) opaqueValue(sh *shape, p unsafe.Pointer) {
	if e.err != nil {
		return
	}
	switch sh.kind {
	case shapeNumber:
		e.numbers(sh, p, 1)
	case shapeString:
		e.text(*(*string)(p))
	case shapeTime:
		e.time(p)
	case shapePointer, shapeMap:
		e.opaqueRef(p, opaqueRef{typ: sh.typ, words: [2]unsafe.Pointer{*(*unsafe.Pointer)(p)}})
	case shapeIface:
		e.opaqueRef(p, opaqueRef{typ: sh.typ, words: *(*[2]unsafe.Pointer)(p)})
	case shapeSlice:
		s := sliceAt(p)
		e.opaqueRef(p, opaqueRef{typ: sh.typ, words: [2]unsafe.Pointer{s.data}, length: s.length, capacity: s.capacity})
	case shapeRefused:
		switch {
		case sh.typ.Kind() == reflect.Func, sh.typ.Kind() == reflect.Chan, sh.typ.Kind() == reflect.UnsafePointer:
			e.opaqueRef(p, opaqueRef{typ: sh.typ, words: [2]unsafe.Pointer{*(*unsafe.Pointer)(p)}})
		case !isZero(p, sh.size):
			e.refuse(p, "an opaque "+sh.typ.String()+", which may be an address", "use Leave")
		}
	case shapeStruct:
		for i := range sh.fields {
			e.opaqueValue(sh.fields[i].shape, at(p, sh.fields[i].off))
		}
	case shapeArray:
		for i := range sh.count {
			e.opaqueValue(sh.elem, at(p, i*sh.elem.size))
		}
	default:
		e.refuse(p, "an opaque "+sh.typ.String(), "use Leave")
	}
}

// opaqueRef encodes which of the origin's references it is.
func (e *graphEncoder) opaqueRef(p unsafe.Pointer, r opaqueRef) {
	if r.words == [2]unsafe.Pointer{} && r.length == 0 {
		e.varint(toNil)
		return
	}
	number, known := e.found[r]
	switch {
	case known:
	case e.learning:
		number = len(e.opaque)
		e.opaque, e.found[r] = append(e.opaque, r), number
	default:
		e.refuse(p, "an opaque reference that the origin does not have", "let the state have it from the start, or do without it")
		return
	}
	e.varint(toPlace + number)
}
