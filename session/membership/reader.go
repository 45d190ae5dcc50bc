package membership

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/datagram"
)

var le = binary.LittleEndian

// reader decodes fields from the front of b. The first field that is missing or out of range sets bad; every field
// after it reads as zero.
type reader struct {
	b    []byte
	sets datagram.Sets
	bad  bool
}

func (r *reader) check(ok bool) { r.bad = r.bad || !ok }

// take returns the next n bytes, or nil.
func (r *reader) take(n int) []byte {
	if r.bad || len(r.b) < n {
		r.bad = true
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) byte() byte {
	if v := r.take(1); v != nil {
		return v[0]
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if v := r.take(4); v != nil {
		return le.Uint32(v)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if v := r.take(8); v != nil {
		return le.Uint64(v)
	}
	return 0
}

// frame reads a frame, which must not be NoFrame.
func (r *reader) frame() Frame {
	v := Frame(r.uint32())
	r.check(v != NoFrame)
	return v
}

// truth reads 0 or 1.
func (r *reader) truth() bool {
	v := r.byte()
	r.check(v <= 1)
	return v == 1
}

// set reads a set of players of the match.
func (r *reader) set() PlayerSet {
	set, rest, err := r.sets.Consume(r.b)
	if r.check(err == nil); r.bad {
		return 0
	}
	r.b = rest
	return PlayerSet(set)
}

func appendFrame(b []byte, f Frame) []byte { return le.AppendUint32(b, uint32(f)) }

func appendTruth(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}
