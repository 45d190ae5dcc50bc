//detlint:ignore concurrency what is remembered here follows from the content, and anybody who computes it gets the same
package world

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// Hash returns a hash of the content: XXH3-64 of the digests of all parts, in the order of the struct. The digest of a
// part covers its head and the digests of its pages; the digest of a page is the XXH3-64 of its encoding. It is the
// same on every architecture, and depends on each value and its place. Pages are not hashed again if they have not
// changed since a hash of this snapshot, or of another one that shares them.
func (n *Snapshot) Hash() uint64 {
	if h := n.hash.Load(); h != 0 {
		return h
	}
	h := n.store.digest()
	n.hash.Store(h)
	return h
}

// Hash returns the hash of a world, which equals that of its snapshot. Only the goroutine that runs the world may call
// it, between steps: in a step it panics with a [*UseError].
func Hash[W any](w *W) uint64 {
	s := storeOf(w)
	s.between("Hash")
	return s.digest()
}

func (s *store) digest() uint64 {
	var d digester
	for _, p := range s.parts {
		d.add(digestOf(p))
	}
	return d.sum()
}

// digestOf returns the digest of a part.
func digestOf(p paged) uint64 {
	var d digester
	h, n := p.head()
	for _, v := range h[:n] {
		d.add(v)
	}
	for i := range p.count() {
		d.add(p.digest(i))
	}
	return d.sum()
}

// digester hashes numbers, in 8 little-endian bytes each.
type digester struct {
	hasher xxh3.Hasher
	used   int
	buffer [512]byte
}

func (d *digester) add(v uint64) {
	if d.used == len(d.buffer) {
		d.hasher.Write(d.buffer[:]) // never fails
		d.used = 0
	}
	binary.LittleEndian.PutUint64(d.buffer[d.used:], v)
	d.used += 8
}

func (d *digester) sum() uint64 {
	d.hasher.Write(d.buffer[:d.used]) // never fails
	return d.hasher.Sum64()
}
