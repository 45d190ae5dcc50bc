package desync

import (
	"encoding/binary"
	"errors"

	"github.com/tickback/tickback/wire/agreed"
)

var (
	// ErrShort means a message or a report that ends too early.
	ErrShort = errors.New("desync: it is cut off")
	// ErrRange means a value that no message and no report can have.
	ErrRange = errors.New("desync: a value is out of range")
	// ErrReport means a file that is not a report, or a damaged one.
	ErrReport = errors.New("desync: not a report, or a damaged one")
	// ErrVersion means a report of another version.
	ErrVersion = errors.New("desync: a report of another version")
	// ErrForged means a report that contradicts our own state.
	ErrForged = errors.New("desync: the report is wrong about our own state")
)

// reader decodes numbers and texts from other peers. The first error is kept, and everything after it is zero.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int) []byte {
	if r.err == nil && n > len(r.b) {
		r.err = ErrShort
	}
	if r.err != nil {
		return nil
	}
	taken := r.b[:n:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// players reads a set of players of a match of this shape.
func (r *reader) players(s agreed.Shape) uint16 {
	set, n := s.ConsumePlayers(r.b)
	if r.take(n); n == 0 && r.err == nil {
		r.err = ErrShort
	}
	if r.err != nil {
		return 0
	}
	return set
}

func (r *reader) uint16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// bounded reads a byte and checks that it is not greater than most.
func (r *reader) bounded(most byte) byte {
	v := r.byte()
	r.check(v <= most)
	return v
}

// short reads a byte with the length, and that many bytes, up to most.
func (r *reader) short(most int) []byte {
	n := int(r.byte())
	r.check(n <= most)
	return r.take(n)
}

// long does what short does, with a length of 32 bits.
func (r *reader) long(most uint32) []byte {
	n := r.uint32()
	r.check(n <= most)
	if r.err != nil {
		return nil
	}
	return r.take(int(n))
}

func (r *reader) check(ok bool) {
	if r.err == nil && !ok {
		r.err = ErrRange
	}
}

// end returns the error; unread bytes are an error as well.
func (r *reader) end() error {
	r.check(len(r.b) == 0)
	return r.err
}

// appendShort appends at most 255 bytes, preceded by their length.
func appendShort[T ~string | ~[]byte](b []byte, text T) []byte {
	text = text[:min(len(text), 255)]
	return append(append(b, byte(len(text))), text...)
}

// appendLong appends bytes, preceded by their length in 32 bits.
func appendLong(b, bytes []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(bytes))), bytes...)
}
