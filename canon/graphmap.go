//detlint:ignore address,unproved,maporder entries are sorted by their keys before they are used
package canon

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// mapScratch is memory for reading and writing maps.
type mapScratch struct {
	access map[*shape]*mapAccess
	found  []uint64   // entries in the order found
	order  []entryRef // the same entries, to be sorted
	forms  []byte
	boxes  int
}

// mapAccess reads and writes the maps of a type. Everything is allocated once, so that nothing is allocated later.
type mapAccess struct {
	holder     reflect.Value // a variable of the type of the map
	key, value reflect.Value // variables for one entry
	iter       *reflect.MapIter
	mapAt      unsafe.Pointer // where these are
	keyAt      unsafe.Pointer
	valueAt    unsafe.Pointer
}

// entryRef is an entry to be sorted: by number, by the string, or by the form.
type entryRef struct {
	index    int
	number   uint64
	text     string
	from, to int // the position of the form in mapScratch.forms
}

func (w *walker) accessOf(sh *shape) *mapAccess {
	if a := w.maps.access[sh]; a != nil {
		return a
	}
	if w.maps.access == nil {
		w.maps.access = map[*shape]*mapAccess{}
	}
	holder, key, value := reflect.New(sh.typ), reflect.New(sh.typ.Key()), reflect.New(sh.typ.Elem())
	a := &mapAccess{
		holder: holder.Elem(), key: key.Elem(), value: value.Elem(),
		mapAt: holder.UnsafePointer(), keyAt: key.UnsafePointer(), valueAt: value.UnsafePointer(),
	}
	a.iter = a.holder.MapRange()
	w.maps.access[sh] = a
	return a
}

// hold selects the map that is read and written; nil releases it.
func (a *mapAccess) hold(m unsafe.Pointer) { *(*unsafe.Pointer)(a.mapAt) = m }

// rounded returns the size of a key or a value in the arena.
func rounded(n uintptr) uintptr { return (n + 7) &^ 7 }

// stride returns the size of an entry in the arena.
func (sh *shape) stride() uintptr { return rounded(sh.key.size) + rounded(sh.elem.size) }

// entries copies the entries of a map, sorted by their keys, and follows their references.
func (w *walker) entries(i int) error {
	r := &w.m.regions[i]
	sh := r.shape
	w.at, w.whole = parent{region: uint32(i)}, true
	base, n, err := w.gather(r)
	if err != nil {
		return err
	}
	dst, err := w.room(r, uintptr(n)*sh.stride())
	if err != nil {
		return err
	}
	r.count = uint32(n)
	w.store(dst, base, sh.stride())
	if !w.hiding && (len(sh.key.hidden) > 0 || len(sh.elem.hidden) > 0) {
		w.later = append(w.later, uint32(i))
	}
	if err := w.follow(i, false); err != nil || !w.hiding {
		return err
	}
	return w.follow(i, true)
}

// gather copies the entries of a map to scratch memory at base, and sorts them by their keys.
func (w *walker) gather(r *region) (base unsafe.Pointer, n int, err error) {
	sh := r.shape
	a := w.accessOf(sh)
	a.hold(r.addr)
	a.iter.Reset(a.holder)
	n, stride := a.holder.Len(), sh.stride()
	if uint64(n) > uint64(walkLimit) {
		return nil, 0, w.fail(ErrTooLarge, "a map of "+strconv.Itoa(n), "leave out what is no state")
	}
	s := &w.maps
	words := n * int(stride/8)
	s.found, s.order, s.forms = slices.Grow(s.found[:0], words)[:words], slices.Grow(s.order[:0], n), s.forms[:0]
	base = unsafe.Pointer(unsafe.SliceData(s.found))
	for k := 0; a.iter.Next(); k++ {
		a.key.SetIterKey(a.iter)
		a.value.SetIterValue(a.iter)
		if stride > 0 {
			p := at(base, uintptr(k)*stride)
			clear(bytesAt(p, stride))
			copy(bytesAt(p, sh.key.size), bytesAt(a.keyAt, sh.key.size))
			if sh.elem.size > 0 {
				copy(bytesAt(at(p, rounded(sh.key.size)), sh.elem.size), bytesAt(a.valueAt, sh.elem.size))
			}
		}
		s.order = append(s.order, entryRef{index: k})
	}
	a.hold(nil)
	a.iter.Reset(reflect.Value{})
	if !w.hiding {
		err = w.sort(sh, base)
	}
	return base, n, err
}

// store copies the entries that were gathered, as they are sorted.
func (w *walker) store(dst, base unsafe.Pointer, stride uintptr) {
	s := &w.maps
	if stride > 0 {
		for k := range s.order {
			copy(bytesAt(at(dst, uintptr(k)*stride), stride), bytesAt(at(base, uintptr(s.order[k].index)*stride), stride))
		}
	}
	clear(s.order)
}

func (w *walker) followEntries(r *region, hidden bool) error {
	sh := r.shape
	keys, values := sh.key.list(hidden), sh.elem.list(hidden)
	if len(keys) == 0 && len(values) == 0 {
		return nil
	}
	for e := range uintptr(r.count) {
		start := uintptr(r.at)*8 + e*sh.stride()
		w.at.element, w.at.part = uint32(e), partKey
		if err := w.refs(start, 0, keys); err != nil {
			return err
		}
		w.at.part = partEntry
		if err := w.refs(start+rounded(sh.key.size), 0, values); err != nil {
			return err
		}
	}
	return nil
}

// sort sorts the entries that were found: integers by value, strings by bytes, other keys by their form.
func (w *walker) sort(sh *shape, base unsafe.Pointer) error {
	s := &w.maps
	if len(s.order) < 2 {
		return nil
	}
	if !sh.key.flat {
		w.enterAll() // the targets of keys will be looked up
	}
	stride, kind := sh.stride(), sh.typ.Key().Kind()
	for k := range s.order {
		e := &s.order[k]
		p := at(base, uintptr(k)*stride)
		switch {
		case sh.key.kind == shapeString:
			e.text = *(*string)(p)
		case sh.key.kind == shapeNumber && kind >= reflect.Int && kind <= reflect.Uintptr:
			e.number = loadNumber(p, sh.key.size)
			if kind <= reflect.Int64 { // the least is the first
				shift := 64 - 8*sh.key.size
				e.number = uint64(int64(e.number<<shift)>>shift) ^ 1<<63
			}
		default:
			e.from = len(s.forms)
			s.boxes = 0
			var err error
			if s.forms, err = w.appendKey(s.forms, p, sh.key.form); err != nil {
				return err
			}
			e.to = len(s.forms)
		}
	}
	slices.SortFunc(s.order, s.compare)
	for k := 1; k < len(s.order); k++ {
		if s.compare(s.order[k-1], s.order[k]) == 0 {
			return w.fail(ErrAmbiguousKey, "two keys of "+sh.typ.String(), "use keys that differ by what they hold themselves, or have Uncompared on the field of the map")
		}
	}
	return nil
}

func (s *mapScratch) compare(a, b entryRef) int {
	switch {
	case a.number != b.number:
		return cmp.Compare(a.number, b.number)
	case a.to != 0 || b.to != 0:
		return bytes.Compare(s.forms[a.from:a.to], s.forms[b.from:b.to])
	}
	return strings.Compare(a.text, b.text)
}

// boxLimit bounds how many interfaces are opened to compare one key.
const boxLimit = 1 << 10

// appendKey appends the form of a key: its own content, and the numbers of its targets. Targets without a number come
// after those with one, in the order of their own numbers and strings.
func (w *walker) appendKey(b []byte, p unsafe.Pointer, form []piece) ([]byte, error) {
	err := error(nil)
	for i := range form {
		f := &form[i]
		q := at(p, f.off)
		switch f.kind {
		case shapeArray:
			for k := range f.n {
				if b, err = w.appendKey(b, at(q, k*f.stride), f.body); err != nil {
					return b, err
				}
			}
		case shapePointer:
			b, err = w.appendTarget(b, *(*unsafe.Pointer)(q), f.shape.elem)
		case shapeIface:
			b, err = w.appendBox(b, q, f.shape)
		default:
			b = appendLeafForm(b, q, f)
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// appendTarget appends the target of a pointer: its number, or its content.
func (w *walker) appendTarget(b []byte, p unsafe.Pointer, elem *shape) ([]byte, error) {
	const isNil, isMet, isNew = 0, 1, 2
	switch {
	case p == nil:
		return append(b, isNil), nil
	case elem.size == 0:
		return append(b, isNew), nil
	}
	if to, found := w.find(p, elem, 1); found {
		return append(b, isMet, byte(to>>24), byte(to>>16), byte(to>>8), byte(to)), nil
	}
	return appendOwnForm(append(b, isNew), p, elem.form), nil
}

// appendBox appends what an interface holds.
func (w *walker) appendBox(b []byte, p unsafe.Pointer, sh *shape) ([]byte, error) {
	typ := *(*unsafe.Pointer)(p)
	if typ == nil {
		return append(b, 0), nil
	}
	if w.maps.boxes++; w.maps.boxes > boxLimit {
		return b, w.fail(ErrTooDeep, "a key with more than "+strconv.Itoa(boxLimit)+" interfaces", "use a simpler key")
	}
	dyn := w.dynamic(p, typ, sh)
	b = appendUint64(append(b, 1), dyn.name)
	data := *(*unsafe.Pointer)(at(p, ptrSize))
	switch {
	case dyn.kind == shapePointer:
		return w.appendTarget(b, data, dyn.elem)
	case dyn.direct:
		data = at(p, ptrSize)
	}
	return w.appendKey(b, data, dyn.form)
}
