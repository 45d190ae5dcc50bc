package canon

import (
	"reflect"
	"strconv"
	"unsafe"
)

// The walkers of any Go value keep one invariant: the reflect.Value in hand is addressable and was not read through an
// unexported field. So its bits can be read, its methods called and its content copied, whatever the game has declared.

// rootValue returns a copy of v that keeps the invariant. v must not be nil.
func rootValue(v any) reflect.Value { return addressable(reflect.ValueOf(v)) }

// addressable copies a value that reflect returns without an address: the root, or the content of an interface.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v) //detlint:ignore unproved c is a copy, made here
	return c
}

// fieldValue returns field i of a struct. Package reflect marks values read through an unexported field; going through
// the address removes the mark.
func fieldValue(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	if f.CanInterface() {
		return f
	}
	//detlint:ignore unproved it is only read
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// refKey identifies the target of a reference. The type is needed because a struct and its first field have the same
// address.
type refKey struct {
	addr unsafe.Pointer
	typ  reflect.Type
}

// refKind classifies pointers and maps for the numbering of references.
type refKind uint8

const (
	refNil    refKind = iota // nil, or an empty map
	refEmpty                 // it leads to a value of size zero, which has no identity
	refTarget                // it leads to something with an identity
)

// reference classifies a pointer or a map.
func reference(v reflect.Value) (refKey, refKind) {
	if v.Kind() == reflect.Map {
		if v.Len() == 0 {
			return refKey{}, refNil
		}
		return refKey{v.UnsafePointer(), v.Type()}, refTarget
	}
	elem := v.Type().Elem()
	switch {
	case v.IsNil():
		return refKey{}, refNil
	case elem.Size() == 0:
		// The language leaves open whether such variables share an address.
		return refKey{}, refEmpty
	}
	return refKey{v.UnsafePointer(), elem}, refTarget
}

// members returns the fields of a struct type that are part of the form.
func members(t *trail, typ reflect.Type, visit func(i int, f reflect.StructField) error) error {
	for i := range typ.NumField() {
		f := typ.Field(i)
		role, problem := roleOf(f)
		if problem == "" && role != roleField {
			continue
		}
		if err := t.push(step{kind: stepField, name: f.Name}); err != nil {
			return err
		}
		if problem != "" {
			return t.fail(ErrUnsupported, "unknown tag "+problem, `write canon:"-" or remove the tag`)
		}
		if err := visit(i, f); err != nil {
			return err
		}
		t.pop()
	}
	return nil
}

// isScalar reports whether a kind is a leaf (strings included).
func isScalar(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// leafStringer reports whether the type of a leaf has a String method.
func leafStringer(v reflect.Value) bool { return v.Type().Implements(stringerType) }

// summary returns a short text of any value, on one line: enough to recognise
// it, cut off where it gets long or deep.
func summary(v reflect.Value) string {
	return head(string(appendSummary(nil, v, summaryDepth)), leafBytes)
}

// summaryDepth bounds how deep a summary looks into structs and the like.
const summaryDepth = 4

func appendSummary(b []byte, v reflect.Value, depth int) []byte {
	switch k := v.Kind(); {
	case k == reflect.String && !leafStringer(v):
		return strconv.AppendQuote(b, head(v.String(), leafBytes))
	case isScalar(k):
		return appendLeaf(b, v, leafStringer(v))
	case k == reflect.Slice || k == reflect.Map:
		return append(append(append(b, v.Type().String()...), " of "...), lengthText(v)...)
	case k == reflect.Array || k == reflect.Struct:
		return appendGroup(b, v, depth-1)
	case v.IsNil():
		return append(b, "nil"...)
	case k == reflect.Interface && depth > 0:
		return appendSummary(b, addressable(v.Elem()), depth-1)
	}
	return append(b, v.Type().String()...)
}

// appendGroup summarises a struct or an array as {a, b}.
func appendGroup(b []byte, v reflect.Value, depth int) []byte {
	b = append(b, '{')
	n, start := 0, len(b)
	part := v.Index
	if v.Kind() == reflect.Struct {
		n, part = v.NumField(), func(i int) reflect.Value { return fieldValue(v, i) }
	} else if v.Type().Size() > 0 {
		n = v.Len()
	}
	for i := range n {
		if v.Kind() == reflect.Struct {
			if role, _ := roleOf(v.Type().Field(i)); role != roleField {
				continue
			}
		}
		if len(b) > start {
			b = append(b, ", "...)
		}
		if depth < 0 || len(b) > leafBytes {
			b = append(b, "…"...)
			break
		}
		b = appendSummary(b, part(i), depth)
	}
	return append(b, '}')
}

func lengthText(v reflect.Value) string { return "length " + strconv.Itoa(v.Len()) }
