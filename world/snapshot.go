//detlint:ignore concurrency any goroutine may hold a snapshot and let go of it; which memory is used again is not seen
package world

import (
	"reflect"
	"sync/atomic"
)

// Snapshot is a world as it was at some time. It never changes: any goroutine may read it through
// [ViewOf], hash it and encode it.
//
// It shares unchanged pages with the world and with other snapshots. A caller that gets it from [Save] or [Decode] must
// call [Snapshot.Release] once, and once more for each [Snapshot.Retain]. After the last call its memory is reused, and
// the snapshot must not be used any more. A missing Release only costs memory, until the world itself is garbage.
type Snapshot struct {
	holders atomic.Int32
	live    *store // the world that it was saved from
	world   any    // *W
	store   store
	hash    atomic.Uint64 // 0 if not known
}

// Save returns a snapshot of the world, with one holder. It costs a few nanoseconds for each page.
// Only the goroutine that runs the world may call it, between steps: in a step it panics with a [*UseError].
func Save[W any](w *W) *Snapshot {
	s := storeOf(w)
	s.between("Save")
	n := s.takeSpare()
	if n == nil {
		n = newSnapshot[W](s)
	}
	n.fill(s)
	return n
}

// saveIn is like Save, but reuses an older snapshot if the caller is its only holder; otherwise it releases it.
func saveIn[W any](w *W, old *Snapshot) *Snapshot {
	s := storeOf(w)
	s.between("Save")
	if old == nil || old.live != s || old.holders.Load() != 1 {
		old.Release()
		return Save(w)
	}
	s.reclaim()
	old.fill(s)
	return old
}

func newSnapshot[W any](live *store) *Snapshot {
	n := &Snapshot{live: live}
	n.store.name, n.store.phase, n.store.shape = live.name, frozen, live.layout()
	w := new(W)
	b := binder{store: &n.store, like: live.bound}
	b.world(reflect.ValueOf(w).Elem())
	n.world = w
	return n
}

// fill turns the snapshot into one of the current world.
func (n *Snapshot) fill(s *store) {
	for i, p := range n.store.parts {
		p.copyFrom(s.parts[i])
	}
	n.hash.Store(0)
	n.holders.Store(1)
}

// Retain adds a holder, and returns the snapshot.
func (n *Snapshot) Retain() *Snapshot {
	n.holders.Add(1)
	return n
}

// Release removes one holder of the snapshot. After the last holder is removed, the snapshot must not be used. A nil
// snapshot is ignored.
func (n *Snapshot) Release() {
	if n == nil {
		return
	}
	switch left := n.holders.Add(-1); {
	case left < 0:
		panic("world: a snapshot was released more often than it was retained")
	case left == 0:
		n.live.mu.Lock()
		n.live.released = append(n.live.released, n)
		n.live.mu.Unlock()
	}
}

// reclaim takes back the pages of snapshots that have no holder left.
func (s *store) reclaim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, n := range s.released {
		for _, p := range n.store.parts {
			p.reset()
		}
		n.hash.Store(0)
		s.spare = append(s.spare, n)
		s.released[i] = nil
	}
	s.released = s.released[:0]
}

// takeSpare returns a snapshot for reuse, or nil.
func (s *store) takeSpare() *Snapshot {
	s.reclaim()
	n := len(s.spare)
	if n == 0 {
		return nil
	}
	taken := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return taken
}

// Restore sets the world to the state that was saved in the snapshot. A snapshot of another world of the same type is
// copied. Only the goroutine that runs the world may call it, between steps: in a step, and for the view of a snapshot,
// it panics with a [*UseError].
func Restore[W any](w *W, n *Snapshot) {
	s := storeOf(w)
	if s.phase != outside {
		panic(s.refusal("Restore", s.name, noRow))
	}
	if n.live != s {
		if err := Load(w, n.Append(nil)); err != nil {
			panic(err) // it is a snapshot of another type of world
		}
		return
	}
	for i, p := range s.parts {
		p.copyFrom(n.store.parts[i])
	}
	s.epoch++
}

// ViewOf returns the snapshot as a world that can be read but not changed. It is valid as long as the snapshot is held.
// It panics if the snapshot is not one of a W.
func ViewOf[W any](n *Snapshot) *W { return n.world.(*W) }

// Equal reports whether both snapshots have the same content. Pages that they share are not
// compared.
func (n *Snapshot) Equal(other *Snapshot) bool { return n.store.equal(&other.store) }

// equal compares two worlds of one type.
func (s *store) equal(other *store) bool {
	if s.name != other.name || len(s.parts) != len(other.parts) {
		return false
	}
	for i, p := range s.parts {
		q := other.parts[i]
		a, _ := p.head()
		if b, _ := q.head(); a != b {
			return false
		}
		for k := range p.count() {
			if !p.samePage(k, q) {
				return false
			}
		}
	}
	return true
}

// Bytes returns roughly how many bytes of memory the snapshot would take by itself.
func (n *Snapshot) Bytes() int {
	size := 0
	for _, p := range n.store.parts {
		size += p.count() * (p.memory() + pageOverhead)
	}
	return size
}

// pageOverhead is the approximate memory of a page besides its content.
const pageOverhead = 32
