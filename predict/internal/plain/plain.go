// Package plain checks whether a copy of a value is independent of the original.
package plain

import "reflect"

// Shared returns the path of the first part of a T that an assignment would share
// with the original: a pointer, slice, map, channel, function or interface. It is
// empty if there is none. Strings count as values, since nobody can change them.
func Shared[T any]() string {
	return shared(reflect.TypeFor[T](), "the value")
}

// shared descends into arrays and structs. Types without pointers cannot contain themselves, so it terminates.
func shared(t reflect.Type, path string) string {
	switch t.Kind() {
	case reflect.Array:
		return shared(t.Elem(), path+"[]")
	case reflect.Struct:
		for i := range t.NumField() {
			if found := shared(t.Field(i).Type, path+"."+t.Field(i).Name); found != "" {
				return found
			}
		}
		return ""
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		return path + " (" + t.String() + ")"
	}
	return ""
}
