//detlint:ignore address,unproved the layout of each type comes from the compiler, and every number is written in one order of bytes
package canon

import "unsafe"

// Scalar says where one number or bool is in the encodings of a type.
type Scalar struct {
	Path        string // such as P[1].Vy; empty if the type itself is a scalar
	Offset, Len int    // the position of its bytes in an encoding
	node        *node
}

// ScalarAt returns the scalar that holds a byte of the encodings. It is for callers that have encodings, or parts of
// them, and want to name the places where they differ. The offset must be at least 0 and less than [Plan.Size].
func (p *Plan[T]) ScalarAt(offset int) Scalar {
	n, path, start := p.layout.root.scalarAt(uintptr(offset))
	return Scalar{path, int(start), int(n.enc), n}
}

// AppendText appends the value of a scalar as [Plan.AppendText] shows it. The bytes
// are those of the scalar in an encoding, Len of them; others are shown in
// hexadecimal, and so is a bool that is neither 0 nor 1.
func (s Scalar) AppendText(b, encoded []byte) []byte {
	var memory [2]uint64 // room and alignment for the largest scalar
	if !s.load(unsafe.Pointer(&memory), encoded) {
		return appendHex(b, encoded)
	}
	return appendScalar(b, s.node.value(unsafe.Pointer(&memory)), s.node.stringer)
}

// AppendRaw appends the value itself, ignoring a String method; for floats and bools it appends the bits.
func (s Scalar) AppendRaw(b, encoded []byte) []byte {
	var memory [2]uint64
	if !s.load(unsafe.Pointer(&memory), encoded) {
		return appendHex(b, encoded)
	}
	v := s.node.value(unsafe.Pointer(&memory))
	if v.CanInt() || v.CanUint() {
		return appendPlain(b, v)
	}
	return append(b, bitsText(v)...)
}

// load copies the bytes of a scalar into memory, which must have room for any scalar.
func (s Scalar) load(memory unsafe.Pointer, encoded []byte) bool {
	if s.node == nil || len(encoded) != s.Len || !validBools(s.node, encoded) {
		return false
	}
	move(memory, unsafe.Pointer(unsafe.SliceData(encoded)), reversed(compile(s.node, littleEndian)))
	return true
}

// validBools reports whether the bools of an encoded scalar are valid.
func validBools(n *node, encoded []byte) bool {
	_, ok := checkBools(encoded, 0, compileBools(n))
	return ok
}

const hexDigits = "0123456789abcdef"

func appendHex(b, bytes []byte) []byte {
	b = append(b, "0x"...)
	for _, c := range bytes {
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return b
}
