//detlint:ignore address,unproved it writes what it has read at the same place; see graphwalk.go
package canon

import (
	"reflect"
	"sync"
	"unsafe"
)

// copySpans copies bytes into memory that the garbage collector does not scan.
func copySpans(dst, src unsafe.Pointer, spans []span) {
	for i := range spans {
		s := &spans[i]
		if s.body == nil {
			copy(bytesAt(at(dst, s.off), s.n), bytesAt(at(src, s.off), s.n))
			continue
		}
		for k := range s.n {
			copySpans(at(dst, s.off+k*s.stride), at(src, s.off+k*s.stride), s.body)
		}
	}
}

// putWords sets all words that are pointers.
func putWords(dst, src unsafe.Pointer, words []span) {
	for i := range words {
		s := &words[i]
		if s.body != nil {
			for k := range s.n {
				putWords(at(dst, s.off+k*s.stride), at(src, s.off+k*s.stride), s.body)
			}
			continue
		}
		for k := range s.n {
			d, v := (*unsafe.Pointer)(at(dst, s.off+k*ptrSize)), *(*unsafe.Pointer)(at(src, s.off+k*ptrSize))
			if *d != v {
				*d = v
			}
		}
	}
}

// putSpans copies bytes to memory whose pointers are already the same. It does not write memory that is already equal.
func putSpans(dst, src unsafe.Pointer, spans []span) {
	for i := range spans {
		s := &spans[i]
		if s.body == nil {
			put(at(dst, s.off), at(src, s.off), s.n)
			continue
		}
		for k := range s.n {
			putSpans(at(dst, s.off+k*s.stride), at(src, s.off+k*s.stride), s.body)
		}
	}
}

func put(dst, src unsafe.Pointer, n uintptr) {
	d, s := bytesAt(dst, n), bytesAt(src, n)
	if string(d) != string(s) {
		copy(d, s)
	}
}

// blockBytes is how much is compared before it is written: little enough to be still in the cache when it is written.
const blockBytes = 4096

// putElements restores n values of a shape.
func putElements(dst, src unsafe.Pointer, sh *shape, n uintptr) {
	if sh.size == 0 {
		return
	}
	for block := max(1, blockBytes/sh.size); n > 0; {
		k := min(block, n)
		putBlock(dst, src, sh, k)
		if n -= k; n > 0 {
			dst, src = at(dst, k*sh.size), at(src, k*sh.size)
		}
	}
}

func putBlock(dst, src unsafe.Pointer, sh *shape, n uintptr) {
	if sh.partial {
		for e := range n {
			putWords(at(dst, e*sh.size), at(src, e*sh.size), sh.words)
			putSpans(at(dst, e*sh.size), at(src, e*sh.size), sh.runs)
			reset(at(dst, e*sh.size), sh.resets)
		}
		return
	}
	d, s := bytesAt(dst, n*sh.size), bytesAt(src, n*sh.size)
	if string(d) == string(s) {
		return
	}
	if len(sh.words) > 0 {
		for e := range n {
			putWords(at(dst, e*sh.size), at(src, e*sh.size), sh.words)
		}
	}
	copy(d, s)
}

// reset zeroes fields and empties pools.
func reset(p unsafe.Pointer, list []resetAt) {
	for i := range list {
		r := &list[i]
		for k := range r.n {
			reset(at(p, r.off+k*r.stride), r.body)
		}
		switch {
		case r.shape == nil:
		case r.shape.kind == shapePool:
			pool := (*sync.Pool)(at(p, r.off))
			*pool = sync.Pool{New: pool.New}
		case r.shape.typ.Kind() == reflect.Map:
			reflect.NewAt(r.shape.typ, at(p, r.off)).Elem().Clear() // not nil, but without entries
		default:
			reflect.NewAt(r.shape.typ, at(p, r.off)).Elem().SetZero()
		}
	}
}

// restore restores a snapshot.
func (w *walker) restore(m *snapshot) {
	for i := range m.regions {
		r := &m.regions[i]
		switch {
		case r.addr == nil:
		case r.shape.kind == shapeEntries:
			w.refill(r, m.content(r))
		default:
			putElements(r.addr, m.content(r), r.shape, uintptr(r.count))
		}
	}
}

// refill restores the content of a map.
func (w *walker) refill(r *region, p unsafe.Pointer) {
	sh := r.shape
	a := w.accessOf(sh)
	a.hold(r.addr)
	if a.holder.Len() > 0 {
		a.holder.Clear()
	}
	for e := range uintptr(r.count) {
		if sh.key.size > 0 {
			putElements(a.keyAt, at(p, e*sh.stride()), sh.key, 1)
		}
		if sh.elem.size > 0 {
			putElements(a.valueAt, at(p, e*sh.stride()+rounded(sh.key.size)), sh.elem, 1)
		}
		a.holder.SetMapIndex(a.key, a.value)
	}
	a.hold(nil)
	a.key.SetZero()
	a.value.SetZero()
}
