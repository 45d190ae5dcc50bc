package canon

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"unsafe"

	"pgregory.net/rapid"
)

// This file has the reference for the optimized code: an encoder that follows the definition with reflect, and a source
// of random types.

// referenceEncode appends the encoding of v by the definition.
func referenceEncode(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Name != "_" && f.Tag.Get("canon") != "-" {
				b = referenceEncode(b, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			b = referenceEncode(b, v.Index(i))
		}
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return referenceNumber(b, uint64(v.Int()), v.Type().Bits())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return referenceNumber(b, v.Uint(), v.Type().Bits())
	default:
		// The random memory holds signalling NaNs, so read floats as integers.
		bits := floatBits(v)
		switch v.Kind() {
		case reflect.Complex64, reflect.Complex128:
			b = referenceNumber(b, bits[0], v.Type().Bits()/2)
			return referenceNumber(b, bits[1], v.Type().Bits()/2)
		}
		return referenceNumber(b, bits[0], v.Type().Bits())
	}
	return b
}

func referenceNumber(b []byte, x uint64, bits int) []byte {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], x)
	return append(b, buf[:bits/8]...)
}

var scalarTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[uint8](), reflect.TypeFor[int8](),
	reflect.TypeFor[uint16](), reflect.TypeFor[int16](), reflect.TypeFor[uint32](),
	reflect.TypeFor[int32](), reflect.TypeFor[uint64](), reflect.TypeFor[int64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
}

// drawType draws a plain type nested at most depth deep.
func drawType(t *rapid.T, depth int) reflect.Type {
	shape := 0
	if depth > 0 {
		shape = rapid.IntRange(0, 3).Draw(t, "shape")
	}
	switch shape {
	case 1:
		return reflect.ArrayOf(rapid.IntRange(0, 5).Draw(t, "length"), drawType(t, depth-1))
	case 2, 3:
		fields := make([]reflect.StructField, rapid.IntRange(0, 5).Draw(t, "fields"))
		for i := range fields {
			f := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: drawType(t, depth-1)}
			switch rapid.IntRange(0, 9).Draw(t, "role") {
			case 0:
				f.Tag = `canon:"-"`
			case 1:
				f.Name, f.PkgPath = "_", "p"
			case 2:
				f.Name, f.PkgPath = fmt.Sprintf("f%d", i), "p"
			}
			fields[i] = f
		}
		return reflect.StructOf(fields)
	}
	return rapid.SampledFrom(scalarTypes).Draw(t, "scalar")
}

// randomValue fills all memory of a new value with garbage, padding included,
// and then makes its bools valid.
func randomValue(t reflect.Type, rng *rand.Rand) reflect.Value {
	v := reflect.New(t).Elem()
	garbage(v, rng)
	fixBools(v, rng)
	return v
}

func garbage(v reflect.Value, rng *rand.Rand) {
	mem := bytesAt(v.Addr().UnsafePointer(), v.Type().Size())
	for i := range mem {
		mem[i] = byte(rng.Uint32())
	}
}

func fixBools(v reflect.Value, rng *rand.Rand) {
	switch v.Kind() {
	case reflect.Bool:
		*(*byte)(v.Addr().UnsafePointer()) = byte(rng.IntN(2))
	case reflect.Array:
		for i := range v.Len() {
			fixBools(v.Index(i), rng)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fixBools(v.Field(i), rng)
		}
	}
}

func pointerTo(v reflect.Value) unsafe.Pointer { return v.Addr().UnsafePointer() }

// encode runs a layout as [Plan.Append] does.
func (l *layout) encode(src unsafe.Pointer) []byte {
	b := make([]byte, l.root.enc)
	move(unsafe.Pointer(unsafe.SliceData(b)), src, l.enc)
	return b
}
