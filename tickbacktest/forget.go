package tickbacktest

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/tickback/tickback/rollback"
)

// forget changes the fields of a game with its own memory, one after the other, and checks whether Hash sees each
// change that Describe sees, and whether Restore undoes it. With random inputs, two states that differ only in such a
// field would be rare. Only fields that the match has changed are tried, since constants need not be hashed or saved.
func (u *pureMatch[S, I]) forget() *failure {
	can := rollback.CapabilitiesOf(u.game)
	if _, hashed := savedInPlace(u.game); can.Hash && u.blind() && !hashed {
		u.probe.omit("whether Hash sees, and Restore brings back, every field", "Describe")
	}
	if !u.start.look.ok || !can.Hash {
		return nil
	}
	must(u.Restore(slotStart))
	first := map[string]string{}
	for _, l := range leaves(u.Live()) {
		first[l.path] = l.text()
	}
	must(u.Restore(slotAfter))
	was := u.moment(u.match.frames())
	for i, l := range leaves(u.Live()) {
		if text, ok := first[l.path]; ok && text == l.text() {
			continue
		}
		if found := u.disturb(i, l.path, was); found != nil {
			return found
		}
	}
	return nil
}

// disturb changes one field and checks the results.
func (u *pureMatch[S, I]) disturb(i int, path string, was moment) *failure {
	undo := leaves(u.Live())[i].disturb()
	is, ok := u.try()
	must(u.Restore(slotAfter))
	after, okAfter := u.try()
	if undo(); !ok || !okAfter || !was.look.changed(is.look) {
		must(u.Restore(slotAfter))
		return nil
	}
	f := u.match.frames() - 1
	diff, err := was.look.diff(is.look)
	switch {
	case is.hash == was.hash:
		found := &failure{
			frame: f, what: fmt.Sprintf("led to a state whose field %s Hash does not see", path),
			causes: []string{"Hash leaves the field out, and Describe shows it: add it to Hash; or take it out of Describe, if it is not of the state"},
		}
		return found.show(was.number(), "was", "changed", diff, err)
	case was.look.changed(after.look):
		found := &failure{
			frame: f, what: fmt.Sprintf("led to a state whose field %s Restore does not bring back", path), causes: causesOfSnapshots[:1],
		}
		return found.show(was.number(), "saved", "restored", diff, err)
	}
	must(u.Restore(slotAfter))
	return nil
}

// try records the current state. The state may be impossible in the game, so Hash or Describe may panic; then ok is
// false.
func (u *pureMatch[S, I]) try() (m moment, ok bool) {
	defer func() { ok = recover() == nil && m.look.ok }()
	return u.moment(u.match.frames()), true
}

// leaf is a number, a bool or a string in the memory of a game.
type leaf struct {
	path string
	reflect.Value
}

// text returns the value as text, to compare two leaves of one type.
func (l leaf) text() string { return fmt.Sprint(l.Value) }

// disturb changes the leaf, and returns a function that undoes the change.
func (l leaf) disturb() (undo func()) {
	old := reflect.New(l.Type()).Elem()
	old.Set(l.Value)
	switch v := l.Value; {
	case v.CanInt():
		v.SetInt(v.Int() ^ 1)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.CanFloat():
		v.SetFloat(v.Float() + 1)
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "?")
	}
	return func() { l.Set(old) }
}

// Limits of a walk.
const (
	mostLeaves = 512
	mostDepth  = 16
)

// leaves lists the leaves of a state in order. It leaves out values in interfaces and maps, since they have no address.
func leaves[S any](s *S) []leaf {
	var w walk
	w.visit("", reflect.ValueOf(s).Elem(), 0)
	return w.leaves
}

// walk collects leaves.
type walk struct{ leaves []leaf }

// open makes an unexported field writable.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

func (w *walk) visit(path string, v reflect.Value, depth int) {
	if len(w.leaves) >= mostLeaves || depth > mostDepth {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.visit(path, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "_" && f.Tag.Get("canon") != "-" {
				name := f.Name
				if path != "" {
					name = path + "." + name
				}
				w.visit(name, open(v.Field(i)), depth+1)
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			w.visit(fmt.Sprintf("%s[%d]", path, i), v.Index(i), depth+1)
		}
	default:
		if v.CanInt() || v.CanUint() || v.CanFloat() || v.Kind() == reflect.Bool || v.Kind() == reflect.String {
			w.leaves = append(w.leaves, leaf{path, v})
		}
	}
}
