//detlint:ignore address,unproved the layout of each type comes from the compiler, and every number is written in one order of bytes
package canon

import (
	"reflect"
	"slices"
	"unsafe"
)

// Plan is the canonical form of a pointer-free type T. Get one from [PlanFor].
//
// A Plan is immutable and safe for concurrent use. Its methods read (Decode:
// write) only the value they are given, keep no pointer to it, and require it
// not to be nil.
type Plan[T any] struct {
	layout *layout
}

// PlanFor checks T and builds its plan. The work is done once per type and
// options; later calls are a map lookup.
//
// T may be a struct, an array or a scalar of fixed width. The error is a
// [*CheckError] that lists every field that has no place in a plain state.
func PlanFor[T any](opts ...Option) (*Plan[T], error) {
	var all Option
	for _, o := range opts {
		all |= o
	}
	l, err := layoutOf(reflect.TypeFor[T](), all)
	if err != nil {
		return nil, err
	}
	return &Plan[T]{layout: l}, nil
}

// Size returns the bytes of an encoding. It is the same on every architecture
// and at most unsafe.Sizeof(T).
func (p *Plan[T]) Size() int { return int(p.layout.root.enc) }

// Hash returns XXH3-64 with seed 0 of the encoding of s. It does not allocate.
func (p *Plan[T]) Hash(s *T) uint64 { return p.layout.hash(unsafe.Pointer(s)) }

// Append appends the encoding of s to b: [Plan.Size] bytes, every scalar
// little-endian and in declaration order, without padding, blank or excluded
// fields. It allocates only if b has no room.
func (p *Plan[T]) Append(b []byte, s *T) []byte {
	//detlint:ignore capacity both ways append the same bytes; this one writes a whole word where there is room
	if word := p.layout.word; word != 0 && len(b)+8 <= cap(b) {
		moveWord(unsafe.Pointer(unsafe.SliceData(b[len(b):len(b)+8])), unsafe.Pointer(s), word)
		return b[:len(b)+int(word)]
	}
	size := p.Size()
	b = slices.Grow(b, size)
	dst := b[len(b) : len(b)+size]
	move(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(s), p.layout.enc)
	return b[:len(b)+size]
}

// Equal reports whether a and b have the same encoding. Floats are compared by
// their bits; padding, blank and excluded fields do not count. It does not
// allocate and stops at the first difference.
func (p *Plan[T]) Equal(a, b *T) bool {
	return equal(unsafe.Pointer(a), unsafe.Pointer(b), p.layout.root.spans)
}

// Decode sets the fields of s from an encoding made by [Plan.Append], on any
// architecture. Excluded and blank fields and padding keep their values.
//
// b must have exactly [Plan.Size] bytes ([*LengthError]) and every bool in it must be 0 or 1 ([*BoolError]), so that an
// accepted value encodes to the same bytes again. On an error *s is unchanged. Decode does not keep b.
func (p *Plan[T]) Decode(s *T, b []byte) error {
	if word := p.layout.word; word != 0 && uintptr(len(b)) == word {
		moveWord(unsafe.Pointer(s), unsafe.Pointer(unsafe.SliceData(b)), word)
		return nil
	}
	if err := p.layout.validate(b); err != nil {
		return err
	}
	move(unsafe.Pointer(s), unsafe.Pointer(unsafe.SliceData(b)), p.layout.dec)
	return nil
}

// DecodeAll does what [Plan.Decode] does, for many values, with their encodings one after the other: b must have exactly len(dst)
// times [Plan.Size] bytes ([*LengthError]). If the memory of T is its encoding, a single copy is enough. On an error, dst may be
// partly decoded.
func (p *Plan[T]) DecodeAll(dst []T, b []byte) error {
	size := p.Size()
	if len(dst) == 0 || size == 0 {
		if len(b) != 0 {
			return &LengthError{Type: p.layout.root.typ, Got: len(b)}
		}
		return nil
	}
	// A division, since the product of both may not fit an int.
	if len(b)%size != 0 || len(b)/size != len(dst) {
		return &LengthError{Type: p.layout.root.typ, Got: len(b) / len(dst), Want: size}
	}
	if p.layout.dense() {
		copyAll(unsafe.Pointer(unsafe.SliceData(dst)), b)
		return nil
	}
	for i := range dst {
		if err := p.Decode(&dst[i], b[i*size:(i+1)*size]); err != nil {
			return err
		}
	}
	return nil
}
