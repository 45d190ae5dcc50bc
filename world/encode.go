package world

import (
	"fmt"
	"slices"

	"github.com/tickback/tickback/canon"
)

// version is the first byte of an encoding, and deltaVersion that of a delta.
const (
	version      = 1
	deltaVersion = 0x81
)

// Append appends an encoding of the snapshot to b: few bytes more than its pages, without pages that are zero. It is
// the same on every machine, and two snapshots with the same content have the same encoding.
// docs/reference/world-encoding.md describes the format. It allocates only if b has no room.
func (n *Snapshot) Append(b []byte) []byte { return n.store.append(b) }

// encodedSize returns the maximum size of an encoding in bytes.
func (s *store) encodedSize() int {
	size := 1 + 8
	for _, p := range s.parts {
		size += 20 + p.count()/8 + 1 + p.count()*p.pageBytes()
	}
	return size
}

func (s *store) append(b []byte) []byte {
	b = slices.Grow(b, s.encodedSize())
	b = append(b, version)
	b = appendFixed(b, s.layout())
	for _, p := range s.parts {
		h, n := p.head()
		for _, v := range h[:n] {
			b = appendUvarint(b, v)
		}
		bits := len(b)
		b = append(b, make([]byte, (p.count()+7)/8)...)
		for i := range p.count() {
			if !p.isZero(i) {
				b[bits+i/8] |= 1 << (i % 8)
				b = p.appendPage(b, i)
			}
		}
	}
	return b
}

// layout returns a hash of the structure of the world: the paths of its parts, and the shapes of their pages. It is in
// every encoding, so that an encoding of another build is refused.
func (s *store) layout() uint64 {
	if s.shape == 0 {
		var b []byte
		for _, p := range s.parts {
			b = fmt.Appendf(b, "%s %s\n", p.pathOf(), p.elements())
		}
		s.shape = canon.HashBytes(b)
	}
	return s.shape
}

// Decode makes a snapshot from an encoding, with one holder and a world of its own: read it with [ViewOf]. The error is
// a [*DecodeError]. Nothing in b is trusted, and the memory used is at most [Amplification] times its length.
func Decode[W any](b []byte) (*Snapshot, error) {
	w, err := New[W]()
	if err != nil {
		return nil, err
	}
	return decodeFor(w, b)
}

// Amplification is the maximum number of bytes of memory that decoding uses for each byte: a byte can say that eight
// pages are zero, and each of those takes a pointer.
const Amplification = 64

// decodeFor makes a snapshot from an encoding, to which the world can be restored.
func decodeFor[W any](w *W, b []byte) (*Snapshot, error) {
	live := storeOf(w)
	n := live.takeSpare()
	if n == nil {
		n = newSnapshot[W](live)
	}
	//detlint:ignore concurrency the snapshot is new, and nobody else has it
	n.holders.Store(1)
	n.store.pause = live.pause
	err := n.store.decode(b)
	n.store.pause = nil
	if err != nil {
		n.Release()
		return nil, err
	}
	return n, nil
}

// Load sets the world to the state in an encoding. On an error, which is a [*DecodeError], the world is as it was. Only
// the goroutine that runs the world may call it, between steps: in a step it panics with a [*UseError].
func Load[W any](w *W, b []byte) error {
	storeOf(w).between("Load")
	n, err := decodeFor(w, b)
	if err != nil {
		return err
	}
	Restore(w, n)
	n.Release()
	return nil
}

// decode reads an encoding. The parts must be as after reset.
func (s *store) decode(b []byte) error {
	r := reader{world: s.name, b: b, whole: len(b), pause: s.pause}
	r.check(r.byte() == version, errVersion)
	r.check(r.fixed() == s.layout(), errLayout)
	for _, p := range s.parts {
		r.path = p.pathOf()
		r.head(p)
		r.pages(p)
	}
	r.check(len(r.b) == 0, errRest)
	for _, p := range s.parts {
		if r.err == nil {
			r.path = p.pathOf()
			r.fail(p.finish())
			r.spend(p.count() * finishWork)
		}
	}
	return r.err
}

// head reads the head of a part, and makes its pages.
func (r *reader) head(p paged) {
	var h heading
	_, n := p.head()
	for i := range h[:n] {
		h[i] = r.uvarint()
	}
	if r.err != nil {
		return
	}
	if r.check(p.wanted(h)/8 <= uint64(len(r.b)), errShort); r.err == nil { // each page takes one bit
		r.fail(p.setHead(h))
	}
}

// pages reads which pages of a part are not zero, and then those pages.
func (r *reader) pages(p paged) {
	if r.err != nil {
		return
	}
	bits := r.take((p.count() + 7) / 8)
	if unused := p.count() % 8; unused != 0 && r.err == nil {
		r.check(bits[len(bits)-1]>>unused == 0, errBits)
	}
	for i := 0; i < p.count() && r.err == nil; i++ {
		if bits[i/8]>>(i%8)&1 == 0 {
			continue
		}
		if content := r.take(p.pageBytes()); r.err == nil {
			r.failAt(p, i, p.decodePage(i, content))
			r.check(r.err != nil || !p.isZero(i), errZero)
			r.spend(1 + len(content)/bytesInWork)
		}
	}
}
