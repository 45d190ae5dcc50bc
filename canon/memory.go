//detlint:ignore encoding,unproved this is where numbers in the order of the machine become bytes in one order, by pointers that plans of their types have made
package canon

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// This file is the only one that reads or writes the memory of a plain value through
// raw pointers; the others only pass them on. (For graphs, graphwalk.go says why it is safe.) Here:
//
//   - A program is compiled from the reflect.Type of T, so every offset plus
//     length it names lies inside a T (or, on the other side, inside an
//     encoding of exactly layout.size bytes, which the callers allocate).
//     Element addresses are computed from an index, never by stepping, so no
//     pointer past the end of an object ever exists.
//   - T was checked to hold no pointers, excluded and blank fields included.
//     Writing it bytewise therefore needs no write barrier and can neither
//     forge nor hide a pointer.
//   - States are accessed through byte arrays, whose alignment is 1. The
//     compiler merges them into wide accesses where the architecture allows
//     unaligned ones. [floatBits] reads a float as the integer of the same
//     size, whose alignment is never stricter.
//   - Nothing keeps a pointer after returning.

// littleEndian reports whether this machine stores the low byte first, so that
// memory and encoding agree byte for byte.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// smallRun is the longest run that two overlapping 16-byte accesses cover.
// Calling memmove costs more than moving so little.
const smallRun = 32

// at returns the address off bytes into the object at p.
func at(p unsafe.Pointer, off uintptr) unsafe.Pointer { return unsafe.Add(p, off) }

// bytesAt returns n bytes of memory as a slice, which is valid as long as the object.
func bytesAt(p unsafe.Pointer, n uintptr) []byte { return unsafe.Slice((*byte)(p), n) }

// move carries out a whole program from src to dst.
func move(dst, src unsafe.Pointer, ops []op) {
	for i := range ops {
		o := &ops[i]
		moveN(at(dst, o.dst), at(src, o.src), o, o.n)
	}
}

// moveN carries out the first n scalars or elements of one op, whose sides start at dst and src.
func moveN(dst, src unsafe.Pointer, o *op, n uintptr) {
	switch {
	case o.body != nil:
		moveElements(dst, src, o, n)
	case o.width != 1:
		convert(dst, src, o.width, n)
	case n <= smallRun:
		moveSmall(dst, src, n)
	default:
		copy(bytesAt(dst, n), bytesAt(src, n))
	}
}

// copyAll copies b to the object at dst, which has at least as many bytes.
func copyAll(dst unsafe.Pointer, b []byte) { copy(bytesAt(dst, uintptr(len(b))), b) }

// moveWord moves 1, 2, 4 or 8 bytes.
func moveWord(dst, src unsafe.Pointer, n uintptr) {
	switch n {
	case 4:
		*(*[4]byte)(dst) = *(*[4]byte)(src)
	case 2:
		*(*[2]byte)(dst) = *(*[2]byte)(src)
	case 8:
		*(*[8]byte)(dst) = *(*[8]byte)(src)
	default:
		*(*byte)(dst) = *(*byte)(src)
	}
}

func moveElements(dst, src unsafe.Pointer, o *op, n uintptr) {
	if only, ok := o.smallBody(); ok {
		moveStrided(at(dst, only.dst), at(src, only.src), o, only.n, n)
		return
	}
	for i := range n {
		move(at(dst, i*o.dstStep), at(src, i*o.srcStep), o.body)
	}
}

// moveStrided moves one short run of size bytes for each of n elements. It is moveSmall with the width chosen outside
// the loop.
func moveStrided(dst, src unsafe.Pointer, o *op, size, n uintptr) {
	dstStep, srcStep := o.dstStep, o.srcStep
	switch {
	case size >= 16:
		for i := range n {
			d, s := at(dst, i*dstStep), at(src, i*srcStep)
			lo, hi := *(*[16]byte)(s), *(*[16]byte)(at(s, size-16))
			*(*[16]byte)(d), *(*[16]byte)(at(d, size-16)) = lo, hi
		}
	case size >= 8:
		for i := range n {
			d, s := at(dst, i*dstStep), at(src, i*srcStep)
			lo, hi := *(*[8]byte)(s), *(*[8]byte)(at(s, size-8))
			*(*[8]byte)(d), *(*[8]byte)(at(d, size-8)) = lo, hi
		}
	case size >= 4:
		for i := range n {
			d, s := at(dst, i*dstStep), at(src, i*srcStep)
			lo, hi := *(*[4]byte)(s), *(*[4]byte)(at(s, size-4))
			*(*[4]byte)(d), *(*[4]byte)(at(d, size-4)) = lo, hi
		}
	default:
		for i := range n {
			moveSmall(at(dst, i*dstStep), at(src, i*srcStep), size)
		}
	}
}

// moveSmall copies n <= smallRun bytes. The two halves may overlap: both are
// loaded before either is stored.
func moveSmall(dst, src unsafe.Pointer, n uintptr) {
	switch {
	case n >= 16:
		lo, hi := *(*[16]byte)(src), *(*[16]byte)(at(src, n-16))
		*(*[16]byte)(dst), *(*[16]byte)(at(dst, n-16)) = lo, hi
	case n >= 8:
		lo, hi := *(*[8]byte)(src), *(*[8]byte)(at(src, n-8))
		*(*[8]byte)(dst), *(*[8]byte)(at(dst, n-8)) = lo, hi
	case n >= 4:
		lo, hi := *(*[4]byte)(src), *(*[4]byte)(at(src, n-4))
		*(*[4]byte)(dst), *(*[4]byte)(at(dst, n-4)) = lo, hi
	default:
		for i := range n {
			*(*byte)(at(dst, i)) = *(*byte)(at(src, i))
		}
	}
}

// convert moves n scalars of the given width between native and little-endian
// byte order. Reversing bytes is its own inverse, so one function serves both
// directions; on a little-endian machine it is a slow copy.
func convert(dst, src unsafe.Pointer, width, n uintptr) {
	d, s := bytesAt(dst, n*width), bytesAt(src, n*width)
	switch width {
	case 1:
		copy(d, s)
	case 2:
		for ; len(s) >= 2; d, s = d[2:], s[2:] {
			binary.LittleEndian.PutUint16(d, binary.NativeEndian.Uint16(s))
		}
	case 4:
		for ; len(s) >= 4; d, s = d[4:], s[4:] {
			binary.LittleEndian.PutUint32(d, binary.NativeEndian.Uint32(s))
		}
	case 8:
		for ; len(s) >= 8; d, s = d[8:], s[8:] {
			binary.LittleEndian.PutUint64(d, binary.NativeEndian.Uint64(s))
		}
	}
}

// loadNumber reads a number of 1, 2, 4 or 8 bytes.
func loadNumber(p unsafe.Pointer, width uintptr) uint64 {
	switch width {
	case 1:
		return uint64(*(*byte)(p))
	case 2:
		return uint64(binary.NativeEndian.Uint16((*[2]byte)(p)[:]))
	case 4:
		return uint64(binary.NativeEndian.Uint32((*[4]byte)(p)[:]))
	default:
		return binary.NativeEndian.Uint64((*[8]byte)(p)[:])
	}
}

// storeNumber writes the low bytes of a number: 1, 2, 4 or 8 of them.
func storeNumber(p unsafe.Pointer, width uintptr, v uint64) {
	switch width {
	case 1:
		*(*byte)(p) = byte(v)
	case 2:
		binary.NativeEndian.PutUint16((*[2]byte)(p)[:], uint16(v))
	case 4:
		binary.NativeEndian.PutUint32((*[4]byte)(p)[:], uint32(v))
	default:
		binary.NativeEndian.PutUint64((*[8]byte)(p)[:], v)
	}
}

// equal reports whether all bytes that the program reads are the same in a and b. It uses the source side only, so it
// works for every byte order.
func equal(a, b unsafe.Pointer, ops []op) bool {
	for i := range ops {
		o := &ops[i]
		if !equalN(at(a, o.src), at(b, o.src), o, o.n) {
			return false
		}
	}
	return true
}

// equalN compares the first n scalars or elements of one op.
func equalN(a, b unsafe.Pointer, o *op, n uintptr) bool {
	if o.body == nil {
		n *= o.width
		return string(bytesAt(a, n)) == string(bytesAt(b, n))
	}
	if only, ok := o.smallBody(); ok {
		return equalStrided(at(a, only.src), at(b, only.src), o.srcStep, only.n, n)
	}
	for i := range n {
		if !equal(at(a, i*o.srcStep), at(b, i*o.srcStep), o.body) {
			return false
		}
	}
	return true
}

// equalStrided compares one short run of size bytes in each of n elements.
func equalStrided(a, b unsafe.Pointer, step, size, n uintptr) bool {
	switch {
	case size >= 16:
		for i := range n {
			x, y := at(a, i*step), at(b, i*step)
			if *(*[16]byte)(x) != *(*[16]byte)(y) || *(*[16]byte)(at(x, size-16)) != *(*[16]byte)(at(y, size-16)) {
				return false
			}
		}
	case size >= 8:
		for i := range n {
			x, y := at(a, i*step), at(b, i*step)
			if *(*[8]byte)(x) != *(*[8]byte)(y) || *(*[8]byte)(at(x, size-8)) != *(*[8]byte)(at(y, size-8)) {
				return false
			}
		}
	case size >= 4:
		for i := range n {
			x, y := at(a, i*step), at(b, i*step)
			if *(*[4]byte)(x) != *(*[4]byte)(y) || *(*[4]byte)(at(x, size-4)) != *(*[4]byte)(at(y, size-4)) {
				return false
			}
		}
	default:
		for i := range n {
			if string(bytesAt(at(a, i*step), size)) != string(bytesAt(at(b, i*step), size)) {
				return false
			}
		}
	}
	return true
}

// floatBits returns the bits of an addressable float, or of the two parts of a complex number, without converting:
// reflect's Float widens a float32, and that sets the quiet bit of a signalling NaN. For other scalars it returns the
// first byte.
func floatBits(v reflect.Value) [2]uint64 {
	switch p := v.Addr().UnsafePointer(); v.Kind() {
	case reflect.Float32:
		return [2]uint64{uint64(*(*uint32)(p))}
	case reflect.Float64:
		return [2]uint64{*(*uint64)(p)}
	case reflect.Complex64:
		two := (*[2]uint32)(p)
		return [2]uint64{uint64(two[0]), uint64(two[1])}
	case reflect.Complex128:
		return *(*[2]uint64)(p)
	default:
		return [2]uint64{uint64(*(*byte)(p))}
	}
}
