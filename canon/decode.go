package canon

import (
	"fmt"
	"reflect"
)

// LengthError says that the bytes given to [Plan.Decode] are not an encoding
// of the type, because there are too few or too many.
type LengthError struct {
	Type      reflect.Type
	Got, Want int // bytes
}

// Error names the type and both lengths.
func (e *LengthError) Error() string {
	return fmt.Sprintf("canon: %d bytes are no encoding of %v, which has %d; check that both sides run the same build",
		e.Got, e.Type, e.Want)
}

// BoolError says that a bool in the bytes given to [Plan.Decode] is neither
// 0 nor 1.
type BoolError struct {
	Path   string // the path of the field; empty if the type itself is a bool
	Offset int    // the offset of the byte in the encoding
	Value  byte   // its value
}

// Error names the path, the offset and the byte.
func (e *BoolError) Error() string {
	return fmt.Sprintf("canon: %s: byte %d of the encoding is 0x%02x, not a bool; the data are corrupt or of another type",
		label(e.Path), e.Offset, e.Value)
}

// validate reports why b is not an encoding, or nil.
func (l *layout) validate(b []byte) error {
	if uintptr(len(b)) != l.root.enc {
		return &LengthError{Type: l.root.typ, Got: len(b), Want: int(l.root.enc)}
	}
	off, ok := checkBools(b, 0, l.bools)
	if ok {
		return nil
	}
	return &BoolError{Path: l.root.pathAt(off), Offset: int(off), Value: b[off]}
}

// checkBools checks the bools in the part of b that starts at base. It returns the offset of the first byte above 1, or
// true if there is none.
func checkBools(b []byte, base uintptr, ops []op) (bad uintptr, ok bool) {
	for i := range ops {
		o := &ops[i]
		start := base + o.dst
		if o.body == nil {
			for j, v := range b[start : start+o.n] {
				if v > 1 {
					return start + uintptr(j), false
				}
			}
			continue
		}
		for j := range o.n {
			if bad, ok := checkBools(b, start+j*o.dstStep, o.body); !ok {
				return bad, false
			}
		}
	}
	return 0, true
}

// compileBools builds a program of the bools alone, as offsets in the encoding.
func compileBools(n *node) []op {
	return selection{wanted: func(k reflect.Kind) bool { return k == reflect.Bool }}.compile(n)
}
