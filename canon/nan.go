//detlint:ignore address,unproved the layout of each type comes from the compiler
package canon

import (
	"reflect"
	"unsafe"
)

// The NaN that represents all NaNs: quiet, positive and without a payload, as most processors make it, and its float32
// counterpart.
const (
	nan64 = 0x7FF8000000000001 // what math.NaN returns
	nan32 = 0x7FC00000         // what math.Float32bits of float32(math.NaN()) is
)

// OneNaN turns every NaN in s into the one that [math.NaN] returns. The sign and the payload of a computed NaN depend
// on the processor, but a state is hashed and compared by its bits. A game whose floats are otherwise the same
// everywhere calls OneNaN after every step. It takes about a nanosecond for each float, does not allocate, and does
// nothing to a type without floats.
func (p *Plan[T]) OneNaN(s *T) { oneNaN(unsafe.Pointer(s), p.layout.floats) }

func oneNaN(m unsafe.Pointer, ops []op) {
	for i := range ops {
		o := &ops[i]
		start := at(m, o.src)
		switch {
		case o.body != nil:
			for j := range o.n {
				oneNaN(at(start, j*o.srcStep), o.body)
			}
		case o.width == 8:
			all := unsafe.Slice((*uint64)(start), o.n)
			for j, b := range all {
				if isNaN64(b) {
					all[j] = nan64
				}
			}
		default:
			all := unsafe.Slice((*uint32)(start), o.n)
			for j, b := range all {
				if isNaN32(b) {
					all[j] = nan32
				}
			}
		}
	}
}

// A NaN without its sign is above infinity.
func isNaN64(b uint64) bool { return b<<1 > 0x7FF<<53 }
func isNaN32(b uint32) bool { return b<<1 > 0xFF<<24 }

// withOneNaN returns the bits of a float of 4 or 8 bytes, with any NaN replaced by the one that represents all.
func withOneNaN(b uint64, width uintptr) uint64 {
	switch {
	case width == 8 && isNaN64(b):
		return nan64
	case width == 4 && isNaN32(uint32(b)):
		return nan32
	}
	return b
}

// oneBits returns the bits of the parts of a float or a complex number, with any NaN replaced by the one that
// represents all.
func oneBits(v reflect.Value) [2]uint64 {
	width := v.Type().Size()
	if v.CanComplex() {
		width /= 2
	}
	parts := floatBits(v)
	return [2]uint64{withOneNaN(parts[0], width), withOneNaN(parts[1], width)}
}

// compileFloats builds a program of the floats alone, as offsets in memory.
func compileFloats(n *node) []op {
	return selection{memory: true, wanted: func(k reflect.Kind) bool { return reflect.Float32 <= k && k <= reflect.Complex128 }}.compile(n)
}
