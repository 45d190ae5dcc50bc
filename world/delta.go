package world

import (
	"errors"
	"slices"
)

var errBase = errors.New("of another base")

// AppendDelta appends the difference between the snapshot and another one of the same type of world: only the pages
// that differ, and of these only what differs. docs/reference/world-encoding.md describes the format. It allocates only
// if b has no room. Pages that both share cost nothing.
func (n *Snapshot) AppendDelta(b []byte, base *Snapshot) []byte {
	b = append(b, deltaVersion)
	b = appendFixed(b, n.store.layout())
	b = appendFixed(b, base.Hash())
	for i, p := range n.store.parts {
		from := base.store.parts[i]
		h, heads := p.head()
		for _, v := range h[:heads] {
			b = appendUvarint(b, v)
		}
		next := 0
		for k := range p.count() {
			if !p.samePage(k, from) {
				b = appendUvarint(b, uint64(k-next)+1)
				b = p.appendPageDelta(b, k, from)
				next = k + 1
			}
		}
		b = append(b, 0)
	}
	return b
}

// ApplyDelta makes a snapshot, with one holder, from another one and a delta that was made from one with the same
// content. The error is a [*DecodeError]. Nothing in the delta is trusted: besides the memory that its length
// justifies, as in [Decode], it can only make each [Grid] one of the largest size, whose empty pages take 512 KiB. Only
// the goroutine that runs the world of the base may call it, between steps.
func ApplyDelta[W any](base *Snapshot, delta []byte) (*Snapshot, error) {
	live := base.live
	n := live.takeSpare()
	if n == nil {
		n = newSnapshot[W](live)
	}
	for i, p := range n.store.parts {
		p.copyFrom(base.store.parts[i])
	}
	//detlint:ignore concurrency the snapshot is new, and nobody else has it
	n.holders.Store(1)
	if err := n.store.apply(base, delta); err != nil {
		n.Release()
		return nil, err
	}
	return n, nil
}

// apply changes a copy of the base.
func (s *store) apply(base *Snapshot, delta []byte) error {
	r := reader{world: s.name, b: delta, whole: len(delta)}
	r.check(r.byte() == deltaVersion, errVersion)
	r.check(r.fixed() == s.layout(), errLayout)
	r.check(r.fixed() == base.Hash(), errBase)
	for i, p := range s.parts {
		r.path = p.pathOf()
		r.changedHead(p)
		r.changedPages(p, base.store.parts[i])
	}
	r.check(len(r.b) == 0, errRest)
	for _, p := range s.parts {
		if r.err == nil {
			r.path = p.pathOf()
			r.fail(p.finish())
		}
	}
	return r.err
}

// changedHead reads the head of a part. If the head has changed, the pages that remain keep their content.
func (r *reader) changedHead(p paged) {
	h, n := p.head()
	before := h
	for i := range h[:n] {
		h[i] = r.uvarint()
	}
	if h == before {
		return
	}
	// A new chunk of a table takes bytes even if its columns are zero, and so does a new page of a map. But a new page
	// of a grid may stay zero, and takes none: only the largest size limits a grid.
	if n < 2 {
		r.check(p.wanted(h) <= p.wanted(before)+uint64(len(r.b))*max(p.wanted(heading{1}), 1), errShort)
	}
	if r.err == nil {
		r.fail(p.setHead(h))
	}
}

// changedPages reads the changed pages of a part.
func (r *reader) changedPages(p, base paged) {
	for next := uint64(0); r.err == nil; next++ {
		gap := r.uvarint()
		if gap == 0 || r.err != nil {
			return
		}
		if next += gap - 1; next >= uint64(p.count()) || gap > MaxRows {
			r.fail(errOrder)
			return
		}
		used, err := p.applyPageDelta(int(next), r.b)
		r.failAt(p, int(next), err)
		if r.err == nil {
			r.take(used)
			r.check(!p.samePage(int(next), base), errSame)
		}
	}
}

// Parts returns the paths of the parts of the state, and the digest of each. If the digests of a part differ between
// two machines, the difference is in that part.
func (n *Snapshot) Parts() (paths []string, digests []uint64) {
	for _, p := range n.store.parts {
		paths, digests = append(paths, p.pathOf()), append(digests, digestOf(p))
	}
	return paths, digests
}

// PageDigests appends the digests of the pages of a part; parts are numbered as in [Snapshot.Parts].
func (n *Snapshot) PageDigests(list []uint64, part int) []uint64 {
	p := n.store.parts[part]
	list = slices.Grow(list, p.count())
	for i := range p.count() {
		list = append(list, p.digest(i))
	}
	return list
}
