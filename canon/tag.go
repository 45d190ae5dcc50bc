package canon

import (
	"reflect"
	"strings"
)

// tagKey is the key of our struct tag; "-" is its only value.
const tagKey = "canon"

// role is what a struct field is to the canonical form.
type role uint8

const (
	roleField    role = iota // part of it
	roleBlank                // named _, like padding
	roleExcluded             // tagged canon:"-"
)

// roleOf reads the name and the tag of f. Problem is the text of a tag that
// means nothing to us, or empty.
func roleOf(f reflect.StructField) (role role, problem string) {
	value, ok := f.Tag.Lookup(tagKey)
	switch {
	case !ok && strings.HasPrefix(string(f.Tag), tagKey+":"):
		// Lookup ignores a malformed tag; a typo must not include the field.
		return roleField, string(f.Tag)
	case ok && value != "-":
		return roleField, tagKey + `:"` + value + `"`
	case f.Name == "_":
		return roleBlank, ""
	case ok:
		return roleExcluded, ""
	}
	return roleField, ""
}
