//detlint:ignore address the layout of each type comes from the compiler, and every number is written in one order of bytes
package canon

import (
	"fmt"
	"reflect"
	"unsafe"
)

// AppendDelta appends the difference between base and v to b: few bytes if few scalars differ, or differ by little, and
// one byte if none does. It allocates only if b has no room. docs/reference/delta.md describes every bit of the format.
//
// Two values have exactly one delta, and [Plan.ApplyDelta] accepts no other. The receiver must have exactly the same
// base: compare a hash if that is not certain.
func (p *Plan[T]) AppendDelta(b []byte, base, v *T) []byte {
	return p.layout.appendDelta(b, unsafe.Pointer(base), unsafe.Pointer(v))
}

func (l *layout) appendDelta(b []byte, base, v unsafe.Pointer) []byte {
	w := deltaWriter{bits: bitWriter{out: b}}
	if equal(base, v, l.root.spans) {
		w.bits.put(0, 1)
	} else {
		w.bits.put(1, 1)
		w.node(l.deltaRoot(), base, v)
	}
	return w.bits.close()
}

// ApplyDelta turns *v, which is the base, into the value whose delta is at the front of b, and returns the length of
// the delta in bytes. Excluded and blank fields and padding keep their values.
//
// The error is a [*DeltaError], and *v is then unchanged. Only the exact output of AppendDelta is accepted, bit for
// bit. But the base may be a different one: then the result is just as wrong as the base. The work is bounded by the
// size of T, whatever b is. It does not allocate, except for an error.
func (p *Plan[T]) ApplyDelta(v *T, b []byte) (n int, err error) {
	return p.layout.applyDelta(unsafe.Pointer(v), b)
}

func (l *layout) applyDelta(v unsafe.Pointer, b []byte) (n int, err error) {
	r := deltaReader{bits: bitReader{b: b}}
	if n = r.delta(l.deltaRoot(), v); r.problem == "" {
		return n, nil
	}
	// The meaning of the bits does not depend on the value. So the same bits lead to the same problem again, and what was
	// added before it can be subtracted.
	undo := deltaReader{bits: bitReader{b: b}, undo: true}
	undo.delta(l.deltaRoot(), v)
	return 0, &DeltaError{Type: l.root.typ, Bit: int(r.bits.at), Problem: r.problem}
}

// DeltaError says that the bytes given to [Plan.ApplyDelta] do not begin with a delta of the type.
type DeltaError struct {
	Type    reflect.Type
	Bit     int    // how many bits were read
	Problem string // what is wrong with it
}

// Error names the type, the bit and the problem.
func (e *DeltaError) Error() string {
	return fmt.Sprintf("canon: bit %d of the delta of %v: %s; the data are corrupt, or of another type", e.Bit, e.Type, e.Problem)
}
