//detlint:ignore address the layout of each type comes from the compiler, and no address is compared
package canon

import (
	"errors"
	"reflect"
	"sync"
	"unsafe"
)

// ErrForeign means that a memento does not belong here: nothing was saved in it, or it holds the state of another
// value, or of another saver.
var ErrForeign = errors.New("a memento of something else")

// ErrUnknown means that an option of a [Saver] names a type or a field that does not exist.
var ErrUnknown = errors.New("no such type or field")

// Saver saves, restores, hashes and compares values of type T and everything that they refer to: shared pointers,
// cycles, slices, maps, interfaces, unexported fields. It works in place: memory is copied into a [Memento], and later
// back to the addresses that it came from. So a library that keeps its own pointers, or hashes by address, works as
// before, and no code has to be written for it. Get a saver from [SaverFor].
//
// A Saver is safe for concurrent use with different values and mementos. Its errors are [*WalkError], which name the
// path of what cannot be saved, or wrap [ErrForeign].
type Saver[T any] struct {
	saver
}

// SaverFor returns a saver of values of type T. The types that T refers to are examined once; dynamic types in
// interfaces are examined when they are met. The error says that an option names something that does not exist
// ([ErrUnknown]), as far as the types reveal that.
//
// What is done with values of each kind:
//
//   - Numbers, bools, strings, arrays, structs, pointers, slices, maps, interfaces: saved, with
//     unexported fields. A [time.Time] is compared by its instant and the name of its location.
//   - A func, a channel or an unsafe.Pointer that is not nil, and a uintptr that is not 0, which
//     may be an address: refused, with its path. See [Opaque], [Functions] and [Numbers].
//   - sync.Mutex, RWMutex, WaitGroup and Cond are left alone. A sync.Pool is emptied by Restore,
//     since it may hold what the restored state uses. A sync.Map is refused if it was used.
//   - A field tagged canon:"-" is [Opaque].
func SaverFor[T any](opts ...SaverOption) (*Saver[T], error) {
	s := &Saver[T]{}
	for _, o := range opts {
		o(&s.options)
	}
	s.shapes, s.shallow = map[reflect.Type]*shape{}, map[reflect.Type]*shape{}
	s.targets = targets{pointers: map[reflect.Type]bool{reflect.TypeFor[T](): true}, slices: map[reflect.Type]bool{}}
	s.root = s.shapeOf(reflect.TypeFor[T]())
	if err := s.options.unknown(s.open); err != nil {
		return nil, err
	}
	return s, nil
}

// Memento holds a state that a [Saver] has saved. The zero Memento holds none. The next Save reuses its memory, so that
// nothing is allocated once states no longer grow. It must not be copied, and keeps everything alive that it could
// restore: see [Memento.Forget].
//
// A memento is for one goroutine at a time.
type Memento[T any] struct {
	snapshot
	err error
}

// Save stores the state of *s, and of everything that it refers to, in m. After an error m holds nothing.
func (v *Saver[T]) Save(s *T, m *Memento[T]) error {
	w := v.walker()
	defer v.put(w)
	m.err = w.save(unsafe.Pointer(s), &m.snapshot)
	return m.err
}

// Restore restores the state that was saved in m, in the same memory: s must be the pointer that was saved. Objects
// made since then are no longer reachable, and dropped ones are back. Maps are filled again, and slices get their old
// length and elements back. m does not change.
//
// Fields given to [Reset] become zero, and pools empty.
func (v *Saver[T]) Restore(s *T, m *Memento[T]) error {
	if err := v.check(unsafe.Pointer(s), &m.snapshot); err != nil {
		m.err = err
		return err
	}
	w := v.walker()
	defer v.put(w)
	w.restore(&m.snapshot)
	m.err = nil
	return nil
}

// Hash returns the hash of *s: the same as that of a [Memento] in which it is saved.
func (v *Saver[T]) Hash(s *T) (uint64, error) {
	w := v.walker()
	defer v.put(w)
	if err := w.save(unsafe.Pointer(s), &w.scratch); err != nil {
		return 0, err
	}
	return w.scratch.hash(), nil
}

// Equal reports whether the state of *s is the one in m, wherever it is in memory: that is, whether a hash of all bits
// would be the same, with all NaNs equal. A state that cannot be saved equals none.
func (v *Saver[T]) Equal(s *T, m *Memento[T]) bool {
	w := v.walker()
	defer v.put(w)
	return m.saved() && w.save(unsafe.Pointer(s), &w.scratch) == nil && w.scratch.equal(&m.snapshot)
}

// Diff lists where two states that were saved by the same saver differ, with the paths that [DiffAny] uses, at most max
// of them, and counts all. The report is empty exactly if the states are equal. The differences nearest to the root
// come first.
func (v *Saver[T]) Diff(a, b *Memento[T], max int) Report {
	return diffSnapshots(&a.snapshot, &b.snapshot, max)
}

// Hash returns a hash of the state, which is the same on every architecture, wherever the state is in memory and
// whatever the order of its maps. It is XXH3-64 of the numbers and strings, and of which pointers, slices and maps
// share a target. Capacities do not count, and neither do the sign and the payload of a NaN, which depend on the
// processor. A memento that holds nothing has hash 0.
func (m *Memento[T]) Hash() uint64 { return m.hash() }

// Equal reports whether two mementos hold the same state, possibly in different memory.
func (m *Memento[T]) Equal(o *Memento[T]) bool { return m.equal(&o.snapshot) }

// Err returns why the last Save or Restore failed; nil if it did not.
func (m *Memento[T]) Err() error { return m.err }

// Size returns the approximate size of the memento in bytes.
func (m *Memento[T]) Size() int { return m.bytes() }

// Forget drops the state from the memento, so that it keeps nothing alive. The memento keeps its own memory.
func (m *Memento[T]) Forget() { m.forget() }

// saver is the part of a Saver that does not depend on its type.
type saver struct {
	options saverOptions
	root    *shape

	mu      sync.Mutex // guards the fields below
	shapes  map[reflect.Type]*shape
	shallow map[reflect.Type]*shape // the shapes of types that are not followed
	fresh   []*shape                // not compiled yet
	targets targets
	open    bool // an interface was met: there may be further types
	idle    []*walker
}

// walker returns a walker that is not in use.
func (s *saver) walker() *walker {
	s.mu.Lock() //detlint:ignore concurrency it hands out scratch memory, nothing of which outlasts a call
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		w := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return w
	}
	return newWalker(s)
}

// put returns a walker to the pool, which never holds more than were in use at the same time.
func (s *saver) put(w *walker) {
	s.mu.Lock() //detlint:ignore concurrency as in walker
	s.idle = append(s.idle, w)
	s.mu.Unlock()
}

// check returns an error if a snapshot cannot be restored to an address.
func (s *saver) check(at unsafe.Pointer, m *snapshot) error {
	switch {
	case !m.saved():
		return foreign("nothing was saved in it", "Save a state in it first")
	case m.by != s:
		return foreign("another saver has saved it", "Restore with the saver that has saved")
	case m.regions[0].addr != at:
		return foreign("it was saved from another value", "states are restored where they were saved; keep a memento for each value")
	}
	return nil
}

func foreign(what, remedy string) error {
	return &WalkError{Err: ErrForeign, What: what, Remedy: remedy}
}
