//detlint:ignore address,unproved addresses only lead to what is hashed, in one order of bytes
package canon

import (
	"encoding/binary"
	"time"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// The form of a snapshot, from which its hash is computed, is the form of its regions one after the other: the type and
// the number of elements, then each element. Numbers are little-endian, those of platform-dependent width in 8 bytes;
// strings have their length. A reference is the number of its region, for a slice with the length, for an interface
// with the type, and with its content if that has no references. After the regions comes a list of those that lie
// inside others.

// hash returns the hash of the form.
func (m *snapshot) hash() uint64 {
	if !m.saved() {
		return 0
	}
	m.findAliases()
	var h formHash
	for i := range m.compared {
		r := &m.regions[i]
		h.uint64(r.shape.name)
		h.uint64(uint64(r.count))
		c := cursor{m, int(r.link), int(r.dyn)}
		h.region(r, m.content(r), &c)
	}
	for i := range m.aliases {
		a := &m.aliases[i]
		h.uint64(uint64(a.guest)<<32 | uint64(a.host))
		h.uint64(uint64(a.element))
		h.uint64(a.place)
	}
	h.flush()
	return h.hasher.Sum64()
}

// cursor iterates over the links of a region.
type cursor struct {
	m         *snapshot
	link, dyn int
}

func (c *cursor) next() uint32 {
	c.link++
	return c.m.links[c.link-1]
}

func (c *cursor) nextType() *shape {
	c.dyn++
	return c.m.dyns[c.dyn-1]
}

// formHash hashes a form part by part.
type formHash struct {
	hasher xxh3.Hasher
	n      uintptr
	buf    [largeBuffer]byte
}

func (h *formHash) flush() {
	h.hasher.Write(h.buf[:h.n]) // never fails
	h.n = 0
}

func (h *formHash) uint64(x uint64) {
	if h.n+8 > largeBuffer {
		h.flush()
	}
	binary.LittleEndian.PutUint64(h.buf[h.n:], x)
	h.n += 8
}

// bytes hashes memory as it is.
func (h *formHash) bytes(p unsafe.Pointer, n uintptr) {
	switch {
	case n <= smallRun && h.n+n <= largeBuffer:
		moveSmall(unsafe.Pointer(&h.buf[h.n&(largeBuffer-1)]), p, n)
		h.n += n
		return
	case h.n+n > largeBuffer:
		h.flush()
	}
	if n > largeBuffer {
		h.hasher.Write(bytesAt(p, n)) // never fails
		return
	}
	copy(h.buf[h.n:], bytesAt(p, n))
	h.n += n
}

func (h *formHash) region(r *region, p unsafe.Pointer, c *cursor) {
	sh := r.shape
	switch {
	case sh.kind == shapeEntries:
		for e := range uintptr(r.count) {
			h.form(at(p, e*sh.stride()), sh.key.form, c)
			h.form(at(p, e*sh.stride()+rounded(sh.key.size)), sh.elem.form, c)
		}
	case sh.dense && len(sh.form) == 1:
		all := sh.form[0]
		all.n *= uintptr(r.count)
		h.leaf(p, &all)
	default:
		for e := range uintptr(r.count) {
			h.form(at(p, e*sh.size), sh.form, c)
		}
	}
}

func (h *formHash) form(p unsafe.Pointer, form []piece, c *cursor) {
	for i := range form {
		f := &form[i]
		q := at(p, f.off)
		switch f.kind {
		case shapeNumber:
			h.leaf(q, f)
		case shapeString:
			s := *(*string)(q)
			h.uint64(uint64(len(s)))
			h.bytes(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
		case shapeTime:
			second, nanosecond, zone := instant(q)
			h.uint64(second)
			h.uint64(nanosecond)
			h.uint64(zone)
		case shapeSlice:
			h.uint64(uint64(c.next()))
			h.uint64(uint64(*(*int)(at(q, ptrSize))))
		case shapeIface:
			h.iface(q, c)
		case shapeArray:
			for k := range f.n {
				h.form(at(q, k*f.stride), f.body, c)
			}
		default:
			h.uint64(uint64(c.next()))
		}
	}
}

func (h *formHash) iface(p unsafe.Pointer, c *cursor) {
	link := c.next()
	h.uint64(uint64(link))
	if *(*unsafe.Pointer)(p) == nil {
		return
	}
	dyn := c.nextType()
	h.uint64(dyn.name)
	if dyn.flat && dyn.kind != shapePointer {
		h.form(inside(p, dyn), dyn.form, nil)
	}
}

// inside returns the address of the value that an interface holds.
func inside(p unsafe.Pointer, dyn *shape) unsafe.Pointer {
	if dyn.direct {
		return at(p, ptrSize)
	}
	return *(*unsafe.Pointer)(at(p, ptrSize))
}

// leaf hashes the numbers of a piece.
func (h *formHash) leaf(p unsafe.Pointer, f *piece) {
	switch {
	case f.float != 0 && hasNaN(p, f):
		h.floats(p, f)
	case f.width == 1:
		h.bytes(p, f.n)
	default:
		h.numbers(p, f)
	}
}

// hasNaN reports whether a NaN is among the floats of a piece.
func hasNaN(p unsafe.Pointer, f *piece) bool {
	n := f.n * f.width / f.float
	if f.float == 8 {
		for _, b := range unsafe.Slice((*uint64)(p), n) {
			if isNaN64(b) {
				return true
			}
		}
		return false
	}
	for _, b := range unsafe.Slice((*uint32)(p), n) {
		if isNaN32(b) {
			return true
		}
	}
	return false
}

// floats hashes floats, with all NaNs as the same one, since processors make different ones.
func (h *formHash) floats(p unsafe.Pointer, f *piece) {
	for k := range f.n * f.width / f.float {
		x := withOneNaN(loadNumber(at(p, k*f.float), f.float), f.float)
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], x)
		h.bytes(unsafe.Pointer(&b), f.float)
	}
}

// numbers hashes numbers whose memory differs from their form.
func (h *formHash) numbers(p unsafe.Pointer, f *piece) {
	for k := range f.n {
		x, width := f.number(p, k)
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], x)
		h.bytes(unsafe.Pointer(&b), width)
	}
}

// number returns one of the numbers of a piece, and its size in the form in bytes.
func (f *piece) number(p unsafe.Pointer, k uintptr) (x uint64, width uintptr) {
	x, width = loadNumber(at(p, k*f.width), f.width), f.width
	if f.wide {
		width = 8
		if f.signed {
			x = uint64(int64(int32(x)))
		}
	}
	return x, width
}

// instant returns the parts of a time that are compared.
func instant(p unsafe.Pointer) (second, nanosecond, zone uint64) {
	t := *(*time.Time)(p)
	//detlint:ignore environment the name is part of what the game has in its state
	return uint64(t.Unix()), uint64(t.Nanosecond()), xxh3.HashString(t.Location().String())
}

func appendUint64(b []byte, x uint64) []byte { return binary.LittleEndian.AppendUint64(b, x) }

// appendLeafForm appends the form of a value without references.
func appendLeafForm(b []byte, p unsafe.Pointer, f *piece) []byte {
	switch {
	case f.kind == shapeNumber && f.float != 0 && hasNaN(p, f): // NaNs of other machines could have another place in the order
		for k := range f.n * f.width / f.float {
			b = appendUint64(b, withOneNaN(loadNumber(at(p, k*f.float), f.float), f.float))
			b = b[:len(b)-8+int(f.float)]
		}
	case f.kind == shapeNumber && f.width == 1:
		return append(b, bytesAt(p, f.n)...)
	case f.kind == shapeNumber:
		for k := range f.n {
			x, width := f.number(p, k)
			b = appendUint64(b, x)
			b = b[:len(b)-8+int(width)]
		}
	case f.kind == shapeString:
		s := *(*string)(p)
		b = append(appendUint64(b, uint64(len(s))), s...)
	case f.kind == shapeTime:
		second, nanosecond, zone := instant(p)
		b = appendUint64(appendUint64(appendUint64(b, second), nanosecond), zone)
	}
	return b
}

// appendOwnForm appends the form of the value itself, without what it refers to.
func appendOwnForm(b []byte, p unsafe.Pointer, form []piece) []byte {
	for i := range form {
		f := &form[i]
		q := at(p, f.off)
		if f.kind != shapeArray {
			b = appendLeafForm(b, q, f)
			continue
		}
		for k := range f.n {
			b = appendOwnForm(b, at(q, k*f.stride), f.body)
		}
	}
	return b
}

// equal reports whether two snapshots have the same form.
func (m *snapshot) equal(o *snapshot) bool {
	if !m.saved() || !o.saved() {
		return m.saved() == o.saved()
	}
	if m.compared != o.compared || m.linked != o.linked {
		return false
	}
	for i, to := range m.links[:m.linked] {
		if to != o.links[i] {
			return false
		}
	}
	for i := range m.compared {
		if !m.sameRegion(o, i) {
			return false
		}
	}
	m.findAliases()
	o.findAliases()
	if len(m.aliases) != len(o.aliases) {
		return false
	}
	for i := range m.aliases {
		if m.aliases[i] != o.aliases[i] {
			return false
		}
	}
	return true
}

// sameRegion compares the content of two regions whose links are the same.
func (m *snapshot) sameRegion(o *snapshot, i int) bool {
	a, b := &m.regions[i], &o.regions[i]
	sh := a.shape
	if sh.typ != b.shape.typ || sh.kind != b.shape.kind || a.count != b.count {
		return false
	}
	p, q := m.content(a), o.content(b)
	s := sameForm{cursor{m, int(a.link), int(a.dyn)}, cursor{o, int(b.link), int(b.dyn)}}
	n := uintptr(a.count)
	switch {
	case sh.kind == shapeEntries:
		for e := range n {
			off := e * sh.stride()
			if !s.form(at(p, off), at(q, off), sh.key.form) || !s.form(at(p, off+rounded(sh.key.size)), at(q, off+rounded(sh.key.size)), sh.elem.form) {
				return false
			}
		}
	case sh.dense && string(bytesAt(p, n*sh.size)) == string(bytesAt(q, n*sh.size)):
	default: // even in dense memory, floats may be NaN on both sides
		for e := range n {
			if !s.form(at(p, e*sh.size), at(q, e*sh.size), sh.form) {
				return false
			}
		}
	}
	return true
}

// sameForm compares the content of two regions except the links.
type sameForm struct{ a, b cursor }

func (s *sameForm) form(p, q unsafe.Pointer, form []piece) bool {
	for i := range form {
		f := &form[i]
		x, y := at(p, f.off), at(q, f.off)
		same := true
		switch f.kind {
		case shapeNumber:
			n := f.n * f.width
			same = string(bytesAt(x, n)) == string(bytesAt(y, n)) || f.float != 0 && sameFloats(x, y, f)
		case shapeString:
			same = *(*string)(x) == *(*string)(y)
		case shapeTime:
			s1, n1, z1 := instant(x)
			s2, n2, z2 := instant(y)
			same = s1 == s2 && n1 == n2 && z1 == z2
		case shapeSlice:
			same = *(*int)(at(x, ptrSize)) == *(*int)(at(y, ptrSize)) // of elements of size zero, or of no elements
		case shapeIface:
			same = s.iface(x, y)
		case shapeArray:
			for k := range f.n {
				if !s.form(at(x, k*f.stride), at(y, k*f.stride), f.body) {
					return false
				}
			}
		}
		if !same {
			return false
		}
	}
	return true
}

// sameFloats compares floats as their hash does: all NaNs are equal.
func sameFloats(p, q unsafe.Pointer, f *piece) bool {
	for k := range f.n * f.width / f.float {
		if withOneNaN(loadNumber(at(p, k*f.float), f.float), f.float) != withOneNaN(loadNumber(at(q, k*f.float), f.float), f.float) {
			return false
		}
	}
	return true
}

func (s *sameForm) iface(x, y unsafe.Pointer) bool {
	hasX, hasY := *(*unsafe.Pointer)(x) != nil, *(*unsafe.Pointer)(y) != nil
	if !hasX || !hasY {
		return hasX == hasY
	}
	dx, dy := s.a.nextType(), s.b.nextType()
	if dx.typ != dy.typ {
		return false
	}
	return !dx.flat || dx.kind == shapePointer || s.form(inside(x, dx), inside(y, dy), dx.form)
}
