package session

import (
	"reflect"
	"unsafe"
)

// poke sets an unexported field of a part from another package: for states that no machine reaches that follows the
// protocol.
func poke[P, T any](part *P, field string, value T) {
	f := reflect.ValueOf(part).Elem().FieldByName(field)
	*(*T)(unsafe.Pointer(f.Addr().Pointer())) = reflect.ValueOf(value).Convert(f.Type()).Interface().(T)
}
