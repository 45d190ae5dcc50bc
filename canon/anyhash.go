package canon

import (
	"encoding/binary"
	"reflect"

	"github.com/zeebo/xxh3"
)

// HashAny returns XXH3-64 of the canonical encoding of any Go value, as
// [AppendAny] makes it, without holding the encoding in memory. The error is a
// [*WalkError].
func HashAny(v any) (uint64, error) {
	e := encoder{trail: newTrail(), hasher: new(xxh3.Hasher)}
	if err := e.dynamic(v); err != nil {
		return 0, err
	}
	e.hasher.Write(e.buf) // never fails
	return e.hasher.Sum64(), nil
}

// AppendAny appends the canonical encoding of any Go value to b; on an error (a [*WalkError]) it returns b unchanged.
// Two values have the same encoding exactly if they have the same dynamic type, by name, and [DiffAny] finds no
// difference. There is no decoder. The encoding is:
//
//   - the type of the root and of what an interface holds: its String();
//     a nil interface: one byte 0, else one byte 1 before the type
//   - bool 0 or 1; numbers little-endian, int, uint and uintptr in 8 bytes,
//     floats by their bits, each NaN as that of math.NaN
//   - strings and slices: the length in 8 bytes, then the content; nil slices
//     are empty slices
//   - structs: the fields in order, without blank ones and those tagged
//     canon:"-"; arrays: the elements
//   - pointers and maps: 0 if nil or an empty map, else the number of the
//     target in 8 bytes. Targets are numbered from 1 as they are met and
//     encoded after the root in that order: a pointer's variable, or the
//     length of a map and its entries by key. So sharing counts, and cycles end
//   - pointers to types of size zero: 1, as such variables have no identity
//   - nil func, chan and unsafe.Pointer: one byte 0
func AppendAny(b []byte, v any) ([]byte, error) {
	e := encoder{trail: newTrail(), buf: b}
	if err := e.dynamic(v); err != nil {
		return b, err
	}
	return e.buf, nil
}

// encoder writes the encoding of a graph of values.
type encoder struct {
	trail
	buf     []byte
	hasher  *xxh3.Hasher // takes the encoding part by part; nil to keep it in buf
	numbers map[refKey]int
	queue   []reflect.Value // the pointers and maps, by number from 1
	shallow bool            // encodes a single key, to order it among others
}

// dynamic encodes a whole graph from a root of any type.
func (e *encoder) dynamic(v any) error {
	if v == nil {
		e.byte(0)
		return nil
	}
	root := rootValue(v)
	e.byte(1)
	e.string(root.Type().String())
	return e.root(root)
}

// root encodes v and then, without recursion, all targets found on the way.
func (e *encoder) root(v reflect.Value) error {
	if err := e.value(v); err != nil {
		return err
	}
	for i := 0; i < len(e.queue); i++ {
		ref := e.queue[i]
		e.queue[i] = reflect.Value{} // the graph keeps it alive, so the queue need not
		e.enter(i + 1)
		if err := e.target(ref); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) value(v reflect.Value) error {
	if err := e.count(1); err != nil {
		return err
	}
	switch v.Kind() {
	case reflect.Struct:
		return members(&e.trail, v.Type(), func(i int, _ reflect.StructField) error {
			return e.value(fieldValue(v, i))
		})
	case reflect.Array:
		return e.elements(v)
	case reflect.Slice:
		e.uint64(uint64(v.Len()))
		return e.elements(v)
	case reflect.Interface:
		return e.iface(v)
	case reflect.Pointer, reflect.Map:
		e.reference(v)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			return e.unsupported(v)
		}
		e.byte(0)
	default:
		e.scalar(v)
	}
	return nil
}

// elements encodes the elements of an array or slice.
func (e *encoder) elements(v reflect.Value) error {
	elem := v.Type().Elem()
	switch {
	case elem.Size() == 0:
		return nil // elements of size zero: a slice may have 2^63 of them
	case elem.Kind() == reflect.Uint8:
		if err := e.count(v.Len() / 64); err != nil {
			return err
		}
		for b := v.Bytes(); len(b) > 0; {
			n := min(len(b), flushBytes)
			e.raw(b[:n]...)
			b = b[n:]
		}
		return nil
	}
	if err := e.push(step{kind: stepIndex}); err != nil {
		return err
	}
	for i, last := 0, len(e.steps)-1; i < v.Len(); i++ {
		e.steps[last].index = i
		if err := e.value(v.Index(i)); err != nil {
			return err
		}
	}
	e.pop()
	return nil
}

func (e *encoder) iface(v reflect.Value) error {
	if v.IsNil() {
		e.byte(0)
		return nil
	}
	content := addressable(v.Elem())
	name := content.Type().String()
	e.byte(1)
	e.string(name)
	if err := e.push(step{kind: stepType, name: name}); err != nil {
		return err
	}
	if err := e.value(content); err != nil {
		return err
	}
	e.pop()
	return nil
}

// reference encodes the number of a pointer or map, and queues it if it is new.
func (e *encoder) reference(v reflect.Value) {
	key, kind := reference(v)
	if kind != refTarget {
		e.uint64(uint64(kind))
		return
	}
	number, seen := e.numbers[key]
	if !seen {
		if e.numbers == nil {
			e.numbers = make(map[refKey]int)
		}
		number = e.discover()
		e.numbers[key] = number
		e.queue = append(e.queue, v)
	}
	e.uint64(uint64(number))
}

// target encodes what a pointer or map refers to.
func (e *encoder) target(ref reflect.Value) error {
	if ref.Kind() == reflect.Pointer {
		return e.value(ref.Elem())
	}
	if e.shallow && !plainKeys(ref.Type()) {
		// The target of a key may contain the very map that is being ordered, or others like it. Ordering those in turn might
		// never end.
		e.uint64(uint64(ref.Len()))
		return nil
	}
	list, err := entries(&e.trail, ref)
	if err != nil {
		return err
	}
	e.uint64(uint64(len(list)))
	for _, entry := range list {
		if err := e.push(step{kind: stepKey, key: entry.key}); err != nil {
			return err
		}
		// Encode the key once more, now with the numbers of the whole graph: it also matters which variable a pointer key
		// shares.
		if err := e.value(entry.key); err != nil {
			return err
		}
		if err := e.value(entry.value); err != nil {
			return err
		}
		e.pop()
	}
	return nil
}

// scalar encodes a leaf.
func (e *encoder) scalar(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		e.byte(0)
		if v.Bool() {
			e.buf[len(e.buf)-1] = 1
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		e.number(uint64(v.Int()), v.Kind(), v.Type().Bits())
	case reflect.String:
		e.string(v.String())
	case reflect.Float32, reflect.Float64:
		e.number(oneBits(v)[0], v.Kind(), v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		for _, part := range oneBits(v) {
			e.number(part, v.Kind(), v.Type().Bits()/2)
		}
	default:
		e.number(v.Uint(), v.Kind(), v.Type().Bits())
	}
}

// number encodes the low bits of x. Platform-dependent widths take 8 bytes.
func (e *encoder) number(x uint64, k reflect.Kind, bits int) {
	if k == reflect.Int || k == reflect.Uint || k == reflect.Uintptr {
		bits = 64
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	e.raw(b[:bits/8]...)
}

func (e *encoder) uint64(x uint64) { e.number(x, reflect.Uint64, 64) }
func (e *encoder) byte(x byte)     { e.raw(x) }

// string encodes the length and then the bytes of s.
func (e *encoder) string(s string) {
	e.uint64(uint64(len(s)))
	for len(s) > 0 {
		n := min(len(s), flushBytes)
		e.flush()
		e.buf = append(e.buf, s[:n]...)
		s = s[n:]
	}
}

// flushBytes is how much of an encoding is collected before it is hashed.
const flushBytes = 4096

func (e *encoder) raw(b ...byte) {
	e.flush()
	e.buf = append(e.buf, b...)
}

// flush hashes a full buffer.
func (e *encoder) flush() {
	if e.hasher != nil && len(e.buf) >= flushBytes {
		e.hasher.Write(e.buf) // never fails
		e.buf = e.buf[:0]
	}
}
