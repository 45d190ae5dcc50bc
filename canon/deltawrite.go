package canon

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// bitWriter appends bits, the lowest one of each byte first.
type bitWriter struct {
	out     []byte
	pending uint64
	n       uint // bits that are pending, less than 64
}

// put appends the lowest n bits of v, up to 64; the others are 0.
func (w *bitWriter) put(v uint64, n uint) {
	w.pending |= v << w.n
	if w.n += n; w.n >= 64 {
		w.out = binary.LittleEndian.AppendUint64(w.out, w.pending)
		w.n -= 64
		w.pending = v >> (n - w.n)
	}
}

// close fills the last byte with zeros.
func (w *bitWriter) close() []byte {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.pending))
		w.pending >>= 8
	}
	return w.out
}

// deltaWriter writes a delta.
type deltaWriter struct {
	bits   bitWriter
	memory deltaMemory
}

// node writes the difference of two values that are not equal.
func (w *deltaWriter) node(d *deltaNode, a, b unsafe.Pointer) {
	switch {
	case d.bits == 1: // only the other value is left
	case d.bits > 0:
		w.number(d, loadNumber(a, d.width), loadNumber(b, d.width))
	default:
		w.group(d, a, b, 0, d.count, d.levels-1)
	}
}

// group writes which of these parts differ, and their differences. Groups have 16 to the power of level parts.
func (w *deltaWriter) group(d *deltaNode, a, b unsafe.Pointer, from, to, level uintptr) {
	size := uintptr(1) << (4 * level)
	mask, m := uint16(0), uint(0)
	for i := from; i < to; i += size {
		if d.differ(a, b, i, min(i+size, to)) {
			mask |= 1 << m
		}
		m++
	}
	w.mask(d.number+uint8(level), mask, m)
	for i := from; mask != 0; i, mask = i+size, mask>>1 {
		switch {
		case mask&1 == 0:
		case level > 0:
			w.group(d, a, b, i, min(i+size, to), level-1)
		default:
			part, off := d.part(i)
			w.node(part, at(a, off), at(b, off))
		}
	}
}

// differ reports whether any of these parts differs between a and b.
func (d *deltaNode) differ(a, b unsafe.Pointer, from, to uintptr) bool {
	if d.elem != nil {
		return !equalN(at(a, from*d.step), at(b, from*d.step), &d.run, to-from)
	}
	for i := from; i < to; i++ {
		f := &d.fields[i]
		x, y := at(a, f.off), at(b, f.off)
		if f.bits > 0 && loadNumber(x, f.width) != loadNumber(y, f.width) || f.bits == 0 && !equal(x, y, f.spans) {
			return true
		}
	}
	return false
}

// mask writes which of m groups or parts differ; at least one does.
func (w *deltaWriter) mask(number uint8, mask uint16, m uint) {
	if m == 1 {
		return
	}
	last := w.memory.masks[number]
	w.memory.masks[number] = mask
	if last != 0 && last>>m == 0 {
		if mask == last {
			w.bits.put(1, 1)
			return
		}
		w.bits.put(0, 1)
	}
	if mask == 1<<(m-1) {
		m-- // the last one must differ, since no other does
		mask = 0
	}
	w.bits.put(uint64(mask), m)
}

// number writes the difference of two numbers that are not equal.
func (w *deltaWriter) number(d *deltaNode, a, b uint64) {
	z := zigzag(b-a, d.bits)
	width := uint(bits.Len64(z))
	if last := uint(w.memory.widths[d.number]); last == 0 {
		w.bits.put(uint64(width-1), uint(bits.Len(d.bits-1)))
	} else {
		w.gamma(zigzag(uint64(width)-uint64(last), 64) + 1)
	}
	w.memory.widths[d.number] = uint8(width)
	w.bits.put(z&^(1<<(width-1)), width-1)
}

// gamma writes a number that is at least 1 in an Elias code: as many ones as there are bits below the highest, a zero,
// and these bits.
func (w *deltaWriter) gamma(v uint64) {
	below := uint(bits.Len64(v)) - 1
	w.bits.put(1<<below-1, below+1)
	w.bits.put(v&^(1<<below), below)
}

// zigzag maps a signed number of width bits to an unsigned one that is small if the absolute value is small: 0, -1, 1,
// -2, 2 become 0, 1, 2, 3, 4.
func zigzag(d uint64, width uint) uint64 {
	signed := int64(d<<(64-width)) >> (64 - width)
	z := uint64(signed<<1) ^ uint64(signed>>63)
	return z << (64 - width) >> (64 - width)
}

func unzigzag(z uint64) uint64 { return z>>1 ^ -(z & 1) }
