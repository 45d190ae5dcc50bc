package canon

import (
	"reflect"
	"strings"
)

// tagKey is the key of our struct tag; its only value is "-".
const tagKey = "canon"

// role is how a struct field relates to the canonical form.
type role uint8

const (
	roleField    role = iota // part of it
	roleBlank                // named _, like padding
	roleExcluded             // tagged canon:"-"
)

// roleOf reads the name and the tag of f. problem says what is wrong with a tag that is not known, or is empty.
func roleOf(f reflect.StructField) (role role, problem string) {
	value, ok := f.Tag.Lookup(tagKey)
	switch {
	case !ok && strings.HasPrefix(string(f.Tag), tagKey+":"):
		// Lookup ignores a malformed tag, but a typo must not include the field.
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
