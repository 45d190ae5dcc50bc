//detlint:ignore address,unproved,machine references are made of numbers that have been checked, to objects of the type that they need
package canon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"time"
	"unsafe"
)

// ErrEncoding means that bytes given to [Origin.Unmarshal] are not an encoding of a state.
var ErrEncoding = errors.New("not an encoding of a state")

// decodeLimit bounds the memory of the objects that an encoding asks for.
const decodeLimit = 256 << 20

// graphDecoder makes a snapshot of an encoding, whose regions are in objects of the origin and in new ones. Nothing of the
// state changes until all of it is known to be right.
type graphDecoder struct {
	*origin
	b      []byte
	size   int // of all
	fresh  []object
	opened map[*object]bool // the boxes that are in an interface already
	m      snapshot
	room   uint64 // how many more bytes the content may take
	steps  []int
	key    bool // what is decoded is the key of a map
	err    error
}

func (o *origin) decode(b []byte) error {
	d := graphDecoder{origin: o, b: b, size: len(b), opened: map[*object]bool{}}
	d.all()
	if d.err != nil {
		return d.err
	}
	w := o.by.walker()
	defer o.by.put(w)
	w.restore(&d.m)
	runtime.KeepAlive(&d) // what only its bytes refer to
	return nil
}

func (d *graphDecoder) all() {
	version, hash := d.uint(1), d.uint(8)
	switch {
	case d.err != nil:
		return
	case version != encodingVersion:
		d.fail("it has version %d, and this build reads %d", version, encodingVersion)
		return
	case hash != d.hash:
		d.err = foreign("the encoding is relative to another origin", "take it from the same state 0, of the same build")
		return
	}
	d.objects()
	d.regions()
	if d.err == nil && len(d.b) > 0 {
		d.fail("%d bytes follow it", len(d.b))
	}
}

func (d *graphDecoder) fail(format string, values ...any) {
	if d.err == nil {
		d.err = &WalkError{
			Path: fmt.Sprintf("byte %d of %d", d.size-len(d.b), d.size), Err: ErrEncoding,
			What: fmt.Sprintf(format, values...), Remedy: "it is damaged, or of another build",
		}
	}
}

// take returns the next n bytes, or none after an error.
func (d *graphDecoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail("it ends early")
	}
	if d.err != nil {
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

// uint returns the next number of a width up to 8 bytes.
func (d *graphDecoder) uint(width int) (x uint64) {
	for i, c := range d.take(uint64(width)) {
		x |= uint64(c) << (8 * i)
	}
	return x
}

func (d *graphDecoder) varint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail("a count is damaged")
	}
	if d.err != nil {
		return 0
	}
	d.b = d.b[n:]
	return x
}

// count returns a number of things each of which takes a byte at least.
func (d *graphDecoder) count(what string) int {
	n := d.varint()
	if n > uint64(len(d.b)) {
		d.fail("%d %s cannot be in it", n, what)
		return 0
	}
	return int(n)
}

func (d *graphDecoder) typ() reflect.Type {
	n := d.varint()
	if n >= uint64(len(d.known)) {
		d.fail("there is no type %d", n)
		return nil
	}
	return d.known[n]
}

// objects makes the new objects.
func (d *graphDecoder) objects() {
	left := uint64(decodeLimit)
	for range d.count("objects") {
		o := object{kind: objectKind(d.uint(1)), count: 1}
		t := d.typ()
		if o.kind == objectBlock {
			o.count = uintptr(min(d.varint(), decodeLimit))
		}
		if d.err != nil {
			return
		}
		if !d.describe(&o, t) {
			d.fail("an object of kind %d cannot be a %v", o.kind, t)
			return
		}
		cost := o.cost()
		if cost > left {
			d.fail("its objects take more than %d MiB", decodeLimit>>20)
			return
		}
		left -= cost
		d.make(&o)
		d.keep(o.addr)
		d.fresh = append(d.fresh, o)
	}
}

// describe finds the shape of an object of a type.
func (d *graphDecoder) describe(o *object, t reflect.Type) bool {
	o.shape = d.by.shapeOf(t)
	switch o.kind {
	case objectBlock:
		return o.shape.size > 0 && o.count > 0
	case objectMap:
		if o.shape = o.shape.entries; o.shape == nil {
			return false
		}
		return o.shape.key != nil && o.shape.elem != nil
	case objectBox:
		return t.Kind() != reflect.Interface && !o.shape.flat && !o.shape.direct
	}
	return false
}

func (d *graphDecoder) make(o *object) {
	switch {
	case o.kind == objectMap:
		o.addr = reflect.MakeMap(o.shape.typ).UnsafePointer()
	case o.count == 1:
		o.addr = reflect.New(o.shape.typ).UnsafePointer()
	default:
		o.addr = reflect.MakeSlice(reflect.SliceOf(o.shape.typ), int(o.count), int(o.count)).UnsafePointer()
	}
}

// object returns an object by its number.
func (d *graphDecoder) object(n uint64) *object {
	switch known := uint64(len(d.origin.objects)); {
	case d.err != nil:
	case n < known:
		return &d.origin.objects[n]
	case n-known < uint64(len(d.fresh)):
		return &d.fresh[n-known]
	default:
		d.fail("there is no object %d", n)
	}
	return nil
}

// spot is a place that was read, but not yet looked for.
type spot struct {
	object  *object
	element uint64
	steps   []int
}

// spot reads a place. Its steps are valid until the next one is read.
func (d *graphDecoder) spot() spot {
	s := spot{object: d.object(d.varint())}
	s.element = d.varint()
	d.steps = d.steps[:0]
	if s.element&1 != 0 {
		n := d.count("steps")
		if n > maxSteps {
			d.fail("%d steps lead to a place", n)
			n = 0
		}
		for range n {
			d.steps = append(d.steps, int(min(d.varint(), decodeLimit)))
		}
	}
	s.element, s.steps = s.element>>1, d.steps
	return s
}

// find returns the address of a spot, where n values of a type must be in a row.
func (d *graphDecoder) find(s spot, t reflect.Type, n uint64) unsafe.Pointer {
	if d.err != nil {
		return nil
	}
	if s.object.kind == objectBlock && n > 0 {
		if off, ok := s.object.follow(s.element, s.steps, t, n); ok {
			return at(s.object.addr, off)
		}
	}
	d.fail("there are no %d of %v in an object of %v", n, t, s.object.shape.typ)
	return nil
}

// regions decodes the content of all objects.
func (d *graphDecoder) regions() {
	d.room = decodeLimit
	for i := range d.origin.objects {
		o := &d.origin.objects[i]
		d.room += uint64(o.count) * uint64(o.shape.size)
	}
	for range d.count("regions") {
		switch kind := objectKind(d.uint(1)); kind {
		case objectBlock:
			t := d.typ()
			s, n := d.spot(), d.varint()
			if p := d.find(s, t, n); p != nil {
				d.content(p, d.by.shapeOf(t), n)
			}
		case objectMap:
			if o := d.object(d.varint()); o != nil && o.kind == objectMap {
				d.content(o.addr, o.shape, d.varint())
				break
			}
			d.fail("its object is no map")
		case objectBox:
			if o := d.object(d.varint()); o != nil && o.kind == objectBox {
				d.content(o.addr, o.shape, 1)
				break
			}
			d.fail("its object is no box")
		default:
			d.fail("there is no region of kind %d", kind)
		}
		if d.err != nil {
			return
		}
	}
}

// content decodes n elements or entries of a region.
func (d *graphDecoder) content(addr unsafe.Pointer, sh *shape, n uint64) {
	size := uint64(sh.size)
	if sh.kind == shapeEntries {
		if size = uint64(sh.stride()); size == 0 && n > 1 {
			d.fail("a map has %d entries that are alike", n)
		}
	}
	if size > 0 && n > d.room/size || n > arenaLimit {
		d.fail("it has more content than objects")
	}
	if d.err != nil {
		return
	}
	d.room -= n * size
	count, from := uint32(n), len(d.m.arena)
	d.m.arena = append(d.m.arena, make([]uint64, (n*size+7)/8)...)
	d.m.regions = append(d.m.regions, region{addr: addr, shape: sh, count: count, at: uint32(from)})
	p := d.m.content(&d.m.regions[len(d.m.regions)-1])
	for k := range uintptr(count) {
		if d.err != nil {
			return
		}
		if sh.kind != shapeEntries {
			d.value(sh, at(p, k*sh.size))
			continue
		}
		d.key = true
		d.value(sh.key, at(p, k*sh.stride()))
		d.key = false
		d.value(sh.elem, at(p, k*sh.stride()+rounded(sh.key.size)))
	}
}

// value decodes a value to p, where all is zero. That memory is not scanned for references; they are kept elsewhere.
func (d *graphDecoder) value(sh *shape, p unsafe.Pointer) {
	if d.err != nil {
		return
	}
	switch sh.kind {
	case shapeNumber:
		d.numbers(sh, p, 1)
	case shapeString:
		d.text(p)
	case shapeTime:
		d.time(p)
	case shapePointer:
		d.putWord(p, d.pointer(sh.elem))
	case shapeSlice:
		d.slice(p, sh.elem)
	case shapeMap:
		d.putWord(p, d.mapRef(sh.entries))
	case shapeIface:
		d.iface(sh, p)
	case shapeStruct:
		for i := range sh.fields {
			d.value(sh.fields[i].shape, at(p, sh.fields[i].off))
		}
	case shapeArray:
		if sh.elem.kind == shapeNumber {
			d.numbers(sh.elem, p, sh.count)
			return
		}
		for i := range sh.count {
			d.value(sh.elem, at(p, i*sh.elem.size))
		}
	case shapeOpaque:
		d.opaqueValue(sh.elem, p)
	}
}

// putWord writes a reference.
func (d *graphDecoder) putWord(p, word unsafe.Pointer) {
	if d.err == nil {
		*(*uintptr)(p) = uintptr(word)
	}
}

func (d *graphDecoder) keep(p unsafe.Pointer) unsafe.Pointer {
	d.m.kept = append(d.m.kept, p)
	return p
}

func (d *graphDecoder) numbers(sh *shape, p unsafe.Pointer, n uintptr) {
	f := numberPiece(sh)
	if !f.wide && (littleEndian || sh.width == 1) {
		b := d.take(uint64(n) * uint64(sh.size))
		copy(bytesAt(p, uintptr(len(b))), b)
		if sh.typ.Kind() == reflect.Bool {
			for _, c := range b {
				if c > 1 {
					d.fail("a bool is %d", c)
				}
			}
		}
		return
	}
	for k := range n * (sh.size / sh.width) {
		width := sh.width
		if f.wide {
			width = 8
		}
		x := d.uint(int(width))
		q := at(p, k*sh.width)
		storeNumber(q, sh.width, x)
		if y, _ := f.number(q, 0); f.wide && y != x && d.err == nil {
			d.fail("%d does not fit in %d bytes", x, sh.width)
		}
	}
}

func (d *graphDecoder) text(p unsafe.Pointer) {
	s := string(d.take(d.varint()))
	if s != "" {
		d.putWord(p, d.keep(unsafe.Pointer(unsafe.StringData(s))))
		*(*int)(at(p, ptrSize)) = len(s)
	}
}

func (d *graphDecoder) time(p unsafe.Pointer) {
	second, nanosecond, zone := d.uint(8), d.uint(4), d.uint(1)
	if nanosecond >= 1e9 || zone > zoneLocal {
		d.fail("a time is damaged")
	}
	if d.err != nil {
		return
	}
	//detlint:ignore environment it is what the game has in its state
	t := time.Unix(int64(second), int64(nanosecond))
	if zone == zoneUTC {
		t = t.UTC()
	}
	copy(bytesAt(p, unsafe.Sizeof(t)), bytesAt(unsafe.Pointer(&t), unsafe.Sizeof(t)))
}

func (d *graphDecoder) pointer(elem *shape) unsafe.Pointer {
	switch kind := d.varint(); {
	case d.err != nil, kind == toNil:
	case kind == toEmpty && elem.size == 0:
		return d.keep(reflect.New(elem.typ).UnsafePointer())
	case kind == toPlace && elem.size > 0:
		return d.find(d.spot(), elem.typ, 1)
	default:
		d.fail("there is no reference %d to a %v", kind, elem.typ)
	}
	return nil
}

func (d *graphDecoder) slice(p unsafe.Pointer, elem *shape) {
	kind := d.varint()
	if kind == toNil || d.err != nil {
		return
	}
	length, capacity := d.varint(), d.varint()
	if length > capacity || capacity > arenaLimit {
		d.fail("a slice has length %d and capacity %d", length, capacity)
	}
	var data unsafe.Pointer
	switch {
	case d.err != nil:
		return
	case kind == toEmpty && (elem.size == 0 || capacity == 0):
		data = d.keep(reflect.MakeSlice(reflect.SliceOf(elem.typ), 0, 0).UnsafePointer())
	case kind == toPlace && elem.size > 0:
		data = d.find(d.spot(), elem.typ, capacity)
	default:
		d.fail("there is no slice %d of %v", kind, elem.typ)
		return
	}
	d.putWord(p, data)
	s := sliceAt(p)
	s.length, s.capacity = int(length), int(capacity)
}

func (d *graphDecoder) mapRef(entries *shape) unsafe.Pointer {
	kind := d.varint()
	if kind == toNil || d.err != nil {
		return nil
	}
	o := d.object(d.varint())
	if d.err == nil && (kind != toPlace || o.kind != objectMap || o.shape.typ != entries.typ) {
		d.fail("a reference to a %v leads to a %v", entries.typ, o.shape.typ)
	}
	if d.err != nil {
		return nil
	}
	return o.addr
}

// iface decodes an interface: which of its words says what its type is, reflect knows.
func (d *graphDecoder) iface(sh *shape, p unsafe.Pointer) {
	kind := d.varint()
	if kind == toNil || d.err != nil {
		return
	}
	t := d.typ()
	if d.err == nil && (kind != toPlace || t.Kind() == reflect.Interface || !t.AssignableTo(sh.typ) || d.key && !t.Comparable()) {
		d.fail("a %v cannot hold a %v here", sh.typ, t)
	}
	if d.err != nil {
		return
	}
	dyn := d.by.shapeOf(t)
	holder := reflect.New(sh.typ)
	holder.Elem().Set(reflect.Zero(t))
	words := (*[2]unsafe.Pointer)(holder.UnsafePointer())
	switch {
	case dyn.kind == shapePointer:
		words[1] = d.pointer(dyn.elem)
	case dyn.kind == shapeMap:
		words[1] = d.mapRef(dyn.entries)
	case dyn.flat || dyn.direct:
		// It is at most one word if it is direct.
		scratch := make([]uint64, (dyn.size+7)/8+1)
		d.value(dyn, unsafe.Pointer(&scratch[0]))
		if d.err != nil {
			return
		}
		value := reflect.New(t)
		putElements(value.UnsafePointer(), unsafe.Pointer(&scratch[0]), dyn, 1)
		holder.Elem().Set(value.Elem())
	default:
		o := d.object(d.varint())
		if d.err == nil && (o.kind != objectBox || o.shape != dyn || d.key || d.opened[o]) {
			d.fail("an interface holds an object that is no %v of its own", t)
		}
		if d.err != nil {
			return
		}
		d.opened[o] = true
		words[1] = o.addr
	}
	d.putWord(p, words[0])
	d.putWord(at(p, ptrSize), d.keep(words[1]))
}

func (d *graphDecoder) opaqueValue(sh *shape, p unsafe.Pointer) {
	if d.err != nil {
		return
	}
	switch sh.kind {
	case shapeNumber:
		d.numbers(sh, p, 1)
	case shapeString:
		d.text(p)
	case shapeTime:
		d.time(p)
	case shapePointer, shapeMap, shapeIface, shapeSlice:
		d.opaqueRef(sh, p)
	case shapeRefused:
		if k := sh.typ.Kind(); k == reflect.Func || k == reflect.Chan || k == reflect.UnsafePointer {
			d.opaqueRef(sh, p)
		}
	case shapeStruct:
		for i := range sh.fields {
			d.opaqueValue(sh.fields[i].shape, at(p, sh.fields[i].off))
		}
	case shapeArray:
		for i := range sh.count {
			d.opaqueValue(sh.elem, at(p, i*sh.elem.size))
		}
	}
}

// opaqueRef decodes one of the references that the origin has.
func (d *graphDecoder) opaqueRef(sh *shape, p unsafe.Pointer) {
	n := d.varint()
	if n == toNil || d.err != nil {
		return
	}
	n -= toPlace
	if n >= uint64(len(d.opaque)) || d.opaque[n].typ != sh.typ || d.key && sh.kind == shapeIface {
		d.fail("there is no opaque %v of number %d", sh.typ, n)
		return
	}
	r := &d.opaque[n]
	d.putWord(p, r.words[0])
	switch sh.kind {
	case shapeIface:
		d.putWord(at(p, ptrSize), r.words[1])
	case shapeSlice:
		s := sliceAt(p)
		s.length, s.capacity = r.length, r.capacity
	}
}
