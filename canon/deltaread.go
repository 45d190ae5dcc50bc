package canon

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// bitReader reads bits, the lowest one of each byte first.
type bitReader struct {
	b     []byte
	at    uint // how many bits were read
	short bool // there were not enough
}

// peek returns the next bits, 57 or more; after the last bit they are 0.
func (r *bitReader) peek() uint64 {
	rest := r.b[min(r.at/8, uint(len(r.b))):]
	if len(rest) >= 8 {
		return binary.LittleEndian.Uint64(rest) >> (r.at % 8)
	}
	var last [8]byte
	copy(last[:], rest)
	return binary.LittleEndian.Uint64(last[:]) >> (r.at % 8)
}

// skip advances by n bits, unless fewer are left.
func (r *bitReader) skip(n uint) {
	if r.short = r.short || n > uint(len(r.b))*8-r.at; !r.short {
		r.at += n
	}
}

// take reads up to 32 bits.
func (r *bitReader) take(n uint) uint64 {
	v := r.peek() & (1<<n - 1)
	r.skip(n)
	return v
}

// takeLong reads up to 64 bits.
func (r *bitReader) takeLong(n uint) uint64 {
	low := r.take(min(n, 32))
	return low | r.take(n-min(n, 32))<<32
}

// The problems of a delta.
const (
	deltaShort   = "it ends too soon"
	deltaNothing = "there is nothing that could differ"
	deltaAgain   = "a mask is written out that is the same as the last one"
	deltaWidth   = "no number is so wide"
	deltaPadding = "the last byte is not filled with zeros"
)

// deltaReader reads a delta.
type deltaReader struct {
	bits    bitReader
	memory  deltaMemory
	problem string
	undo    bool // reverts what another reader did with the same bits
}

// delta reads a delta, changes the value at v, and returns how many bytes the delta has. After a problem, v is partly
// changed.
func (r *deltaReader) delta(root *deltaNode, v unsafe.Pointer) (n int) {
	if r.bits.take(1) != 0 {
		if root.bits == 0 && root.count == 0 {
			r.problem = deltaNothing
			return 0
		}
		r.node(root, v)
	}
	n = int(r.bits.at+7) / 8
	switch {
	case r.problem != "":
	case r.bits.short:
		r.problem = deltaShort
	case r.bits.peek()&(1<<(uint(n)*8-r.bits.at)-1) != 0:
		r.problem = deltaPadding
	}
	return n
}

// node reads the difference of a value.
func (r *deltaReader) node(d *deltaNode, v unsafe.Pointer) {
	switch d.bits {
	case 0:
		r.group(d, v, 0, d.count, d.levels-1)
	case 1:
		storeNumber(v, d.width, loadNumber(v, d.width)^1)
	default:
		by := r.number(d)
		if r.undo {
			by = -by
		}
		if r.problem == "" {
			storeNumber(v, d.width, loadNumber(v, d.width)+by)
		}
	}
}

func (r *deltaReader) group(d *deltaNode, v unsafe.Pointer, from, to, level uintptr) {
	size := uintptr(1) << (4 * level)
	mask := r.mask(d.number+uint8(level), uint((to-from+size-1)/size))
	for i := from; mask != 0 && r.problem == ""; i, mask = i+size, mask>>1 {
		switch {
		case mask&1 == 0:
		case level > 0:
			r.group(d, v, i, min(i+size, to), level-1)
		default:
			part, off := d.part(i)
			r.node(part, at(v, off))
		}
	}
}

// mask reads which of m groups or parts differ; it is 0 only after a problem.
func (r *deltaReader) mask(number uint8, m uint) (mask uint16) {
	if m == 1 {
		return 1
	}
	last := r.memory.masks[number]
	known := last != 0 && last>>m == 0
	if known && r.bits.take(1) != 0 {
		return last
	}
	if mask = uint16(r.bits.take(m - 1)); mask == 0 {
		mask = 1 << (m - 1)
	} else {
		mask |= uint16(r.bits.take(1)) << (m - 1)
	}
	switch {
	case r.bits.short:
		r.problem = deltaShort
		return 0
	case known && mask == last:
		r.problem = deltaAgain
		return 0
	}
	r.memory.masks[number] = mask
	return mask
}

// number reads the difference of a number.
func (r *deltaReader) number(d *deltaNode) (by uint64) {
	var width uint64
	if last := r.memory.widths[d.number]; last == 0 {
		width = r.bits.take(uint(bits.Len(d.bits-1))) + 1
	} else {
		width = uint64(last) + unzigzag(r.gamma()-1)
	}
	if width-1 >= uint64(d.bits) {
		r.problem = deltaWidth
		return 0
	}
	r.memory.widths[d.number] = uint8(width)
	z := uint64(1)<<(width-1) | r.bits.takeLong(uint(width)-1)
	if r.bits.short {
		r.problem = deltaShort
	}
	return unzigzag(z)
}

// gamma reads a number that is at least 1. Widths differ by less than 64, so it has at most 7 bits.
func (r *deltaReader) gamma() uint64 {
	below := uint(bits.TrailingZeros64(^r.bits.peek()))
	if below > 6 {
		r.problem = deltaWidth
		return 1
	}
	r.bits.skip(below + 1)
	return 1<<below | r.bits.take(below)
}
