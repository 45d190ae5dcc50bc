package canon

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"

	"github.com/zeebo/xxh3"
)

// entry is one entry of a map, as copies that keep the invariant of the walkers.
type entry struct {
	key, value reflect.Value
	form       []byte // encoding of the key, for ordering; nil if the key is an integer or string
}

// formBytes is how much of a key's encoding is kept for ordering. The whole game may be reachable from a key, so a hash
// stands for the rest.
const formBytes = 64

// entries returns the entries of a map in canonical order: integers by value, strings by bytes, other keys by their
// encoding, in which references are numbered within the key. The trail must be at the map.
func entries(t *trail, m reflect.Value) ([]entry, error) {
	typ := m.Type()
	list := make([]entry, 0, m.Len())
	//detlint:ignore maporder the entries are sorted by their keys before they are used
	for it := m.MapRange(); it.Next(); {
		e := entry{key: reflect.New(typ.Key()).Elem(), value: reflect.New(typ.Elem()).Elem()}
		//detlint:ignore unproved both are copies, made in the line above
		e.key.SetIterKey(it)
		e.value.SetIterValue(it) //detlint:ignore unproved as the key
		if err := e.isolate(t, typ); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	slices.SortFunc(list, compareKeys)
	for i := 1; i < len(list); i++ {
		if compareKeys(list[i-1], list[i]) == 0 {
			return nil, t.fail(ErrAmbiguousKey, "two keys "+summary(list[i].key)+" of "+typ.String(),
				"use keys that differ by value, or "+remedyExclude)
		}
	}
	return list, nil
}

// plainKeys reports whether the keys of a map can be compared directly.
func plainKeys(m reflect.Type) bool {
	k := m.Key().Kind()
	return k >= reflect.Int && k <= reflect.Uintptr || k == reflect.String
}

// isolate encodes the key on its own, unless keys of the type can be compared directly.
func (e *entry) isolate(t *trail, m reflect.Type) error {
	if plainKeys(m) {
		return nil
	}
	alone := encoder{trail: newTrail(), shallow: true}
	alone.left = t.left // all keys together are one walk
	err := alone.root(e.key)
	t.left = alone.left
	if w, ok := err.(*WalkError); ok {
		w.Path = string(t.path()) + keyText(e.key) + rest(w.Path)
	}
	e.form = alone.buf
	if len(e.form) > formBytes {
		sum := xxh3.Hash128(e.form).Bytes()
		e.form = append(append(make([]byte, 0, formBytes+len(sum)), e.form[:formBytes]...), sum[:]...)
	}
	return err
}

// compareKeys orders two entries of maps of the same type.
func compareKeys(a, b entry) int {
	switch {
	case a.form != nil || b.form != nil:
		return bytes.Compare(a.form, b.form)
	case a.key.Kind() == reflect.String:
		return cmp.Compare(a.key.String(), b.key.String())
	case a.key.CanInt():
		return cmp.Compare(a.key.Int(), b.key.Int())
	case a.key.CanUint():
		return cmp.Compare(a.key.Uint(), b.key.Uint())
	}
	return 0 // a key type of size zero: there is only one such key
}
