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

// take returns the next n bytes, at most 8.
func (r *reader) take(n int) []byte {
	if r.check(len(r.b) >= n); r.bad {
		return make([]byte, 8)
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) byte() byte     { return r.take(1)[0] }
func (r *reader) uint32() uint32 { return le.Uint32(r.take(4)) }
func (r *reader) uint64() uint64 { return le.Uint64(r.take(8)) }

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
