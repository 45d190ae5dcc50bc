package world

import (
	"cmp"
	"errors"
	"iter"
	"sort"

	"github.com/tickback/tickback/canon"
)

// Key is the type of the keys by which a [Map] or a [Set] is sorted.
type Key interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// MaxKeys is the maximum number of keys of a [Map] or a [Set].
const MaxKeys = 1 << 20

// Map is a map in ascending order of keys, for the few places that need one: a new key moves all greater ones, and
// copies their pages if a snapshot has them. V is plain, as [canon.PlanFor] requires.
type Map[K Key, V any] struct {
	pages[mapPage[K, V]]
	length int
	value  *canon.Plan[V]
}

// mapPage has the keys and values of Rows places. All pages but the last are full, so that the pages depend only on the
// content of the map, not on its history. Unused places are zero.
type mapPage[K Key, V any] struct {
	Keys   [Rows]K
	Values [Rows]V
}

func (m *Map[K, V]) bind(b *binder, path string, _ *Table, like part) {
	m.attach(b, path, like)
	var err error
	if m.value, err = canon.PlanFor[V](); err != nil {
		b.refuse(path, err)
	}
}

// Len returns the number of keys.
func (m *Map[K, V]) Len() int { return m.length }

// find returns the place of the first key that is not less than k, and whether it equals k.
func (m *Map[K, V]) find(k K) (place int, found bool) {
	place = sort.Search(m.length, func(i int) bool { return m.key(i) >= k })
	return place, place < m.length && m.key(place) == k
}

func (m *Map[K, V]) key(place int) K { return m.list[place/Rows].content.Keys[place%Rows] }

// Get returns the value of a key, and whether there is one.
func (m *Map[K, V]) Get(k K) (V, bool) {
	place, found := m.find(k)
	if !found {
		return *new(V), false
	}
	return m.list[place/Rows].content.Values[place%Rows], true
}

// Put sets the value of a key. In a stage, outside of a step, or if there are [MaxKeys] others, it
// panics with a [*UseError].
func (m *Map[K, V]) Put(k K, v V) {
	m.store.changeable("Put", m.path, noRow)
	place, found := m.find(k)
	if !found {
		if m.length == MaxKeys {
			panic(&UseError{Call: "Put", Path: m.path, Row: noRow, Err: ErrFull})
		}
		m.insert(place)
	}
	p := m.write(place / Rows)
	p.Keys[place%Rows], p.Values[place%Rows] = k, v
}

// insert makes room at a place: it moves the entries there and after it by one place.
func (m *Map[K, V]) insert(place int) {
	if m.length%Rows == 0 {
		m.resize(m.length/Rows + 1)
	}
	m.length++
	for i := (m.length - 1) / Rows; i >= place/Rows; i-- {
		p, from := m.write(i), 0
		if i == place/Rows {
			from = place % Rows
		}
		copy(p.Keys[from+1:], p.Keys[from:])
		copy(p.Values[from+1:], p.Values[from:])
		if i > place/Rows {
			before := m.list[i-1].content
			p.Keys[0], p.Values[0] = before.Keys[Rows-1], before.Values[Rows-1]
		}
	}
}

// Drop removes a key, and returns false if it is not there. In a stage or outside of a step it panics with a
// [*UseError].
func (m *Map[K, V]) Drop(k K) bool {
	m.store.changeable("Drop", m.path, noRow)
	place, found := m.find(k)
	if !found {
		return false
	}
	last := (m.length - 1) / Rows
	for i := place / Rows; i <= last; i++ {
		p, from := m.write(i), 0
		if i == place/Rows {
			from = place % Rows
		}
		copy(p.Keys[from:], p.Keys[from+1:])
		copy(p.Values[from:], p.Values[from+1:])
		next := m.zero.content
		if i < last {
			next = m.list[i+1].content
		}
		p.Keys[Rows-1], p.Values[Rows-1] = next.Keys[0], next.Values[0]
	}
	m.length--
	m.resize((m.length + Rows - 1) / Rows)
	return true
}

// All yields the keys and values in ascending order. Do not change the map in the loop.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for place := 0; place < m.length; place++ {
			p := m.list[place/Rows].content
			if !yield(p.Keys[place%Rows], p.Values[place%Rows]) {
				return
			}
		}
	}
}

func (m *Map[K, V]) copyFrom(from paged) {
	f := from.(interface{ sorted() *Map[K, V] }).sorted()
	m.shareFrom(&f.pages)
	m.length = f.length
}

func (m *Map[K, V]) sorted() *Map[K, V] { return m }

func (m *Map[K, V]) reset() {
	m.resize(0)
	m.length = 0
}

func (m *Map[K, V]) head() (heading, int) { return heading{uint64(m.length)}, 1 }

func (m *Map[K, V]) wanted(h heading) uint64 { return h[0] / Rows }

func (m *Map[K, V]) setHead(h heading) error {
	if h[0] > MaxKeys {
		return ErrFull
	}
	m.length = int(h[0])
	m.resize((m.length + Rows - 1) / Rows)
	return nil
}

// finish returns an error if keys are not in order, or if places after the last are not zero.
func (m *Map[K, V]) finish() error {
	for place := 1; place < m.length; place++ {
		if cmp.Compare(m.key(place-1), m.key(place)) >= 0 {
			return &UseError{Call: "decoding", Path: m.path, Row: place, Err: errUnsorted}
		}
	}
	if used := m.length % Rows; used > 0 {
		var rest mapPage[K, V]
		p := m.list[len(m.list)-1].content
		copy(rest.Keys[used:], p.Keys[used:])
		copy(rest.Values[used:], p.Values[used:])
		if !m.plan.Equal(&rest, m.zero.content) {
			return &UseError{Call: "decoding", Path: m.path, Row: m.length, Err: errBehind}
		}
	}
	return nil
}

var (
	errUnsorted = errors.New("keys that are not in ascending order")
	errBehind   = errors.New("something stands behind the last key")
)

// Set is a set in ascending order, as [Map] is for keys with values.
type Set[K Key] struct{ Map[K, struct{}] }

// Add puts a key into the set. The rules are those of [Map.Put].
func (s *Set[K]) Add(k K) { s.Put(k, struct{}{}) }

// Has reports whether a key is in the set.
func (s *Set[K]) Has(k K) bool {
	_, found := s.find(k)
	return found
}

// Keys yields the keys in ascending order. Do not change the set in the loop.
func (s *Set[K]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range s.All() {
			if !yield(k) {
				return
			}
		}
	}
}
