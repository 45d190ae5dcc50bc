package canon

import (
	"unsafe"

	"github.com/zeebo/xxh3"
)

// HashBytes returns XXH3-64 (seed 0) of b. It is for a game that writes its own canonical bytes.
func HashBytes(b []byte) uint64 { return xxh3.Hash(b) }

// The sizes of the stack buffers that collect an encoding. Go clears them on every call, so a small state must not pay
// for a large one.
const (
	smallBuffer = 256
	largeBuffer = 4096
)

// hash returns XXH3-64 (seed 0) of the encoding of the value at src.
func (l *layout) hash(src unsafe.Pointer) uint64 {
	switch {
	case l.whole != nil:
		return xxh3.Hash(bytesAt(at(src, l.whole.src), l.whole.n))
	case l.root.enc <= smallBuffer:
		return l.hashSmall(src)
	case l.root.enc <= largeBuffer:
		return l.hashLarge(src)
	}
	return l.hashStream(src)
}

func (l *layout) hashSmall(src unsafe.Pointer) uint64 {
	var buf [smallBuffer]byte
	move(unsafe.Pointer(&buf), src, l.enc)
	return xxh3.Hash(buf[:l.root.enc])
}

func (l *layout) hashLarge(src unsafe.Pointer) uint64 {
	var buf [largeBuffer]byte
	move(unsafe.Pointer(&buf), src, l.enc)
	return xxh3.Hash(buf[:l.root.enc])
}

func (l *layout) hashStream(src unsafe.Pointer) uint64 {
	var s stream
	s.ops(src, l.enc)
	s.flush()
	return s.hasher.Sum64()
}

// stream hashes an encoding that is larger than its buffer, part by part.
type stream struct {
	hasher xxh3.Hasher
	n      uintptr // bytes of buf in use
	buf    [largeBuffer]byte
}

func (s *stream) flush() {
	s.hasher.Write(s.buf[:s.n]) // never fails
	s.n = 0
}

// ops hashes what the program reads from src.
func (s *stream) ops(src unsafe.Pointer, ops []op) {
	for i := range ops {
		o := &ops[i]
		s.op(at(src, o.src), o)
	}
}

// op hashes the memory at src that one op reads, in pieces that fit the buffer.
func (s *stream) op(src unsafe.Pointer, o *op) {
	if o.body == nil && o.width == 1 && o.n >= largeBuffer {
		s.flush()
		s.hasher.Write(bytesAt(src, o.n)) // never fails
		return
	}
	unit, step := o.unit(), o.width
	if o.body != nil {
		step = o.srcStep
	}
	for done := uintptr(0); done < o.n; {
		n := min((largeBuffer-s.n)/unit, o.n-done)
		switch {
		case n > 0:
			moveN(at(unsafe.Pointer(&s.buf), s.n), at(src, done*step), o, n)
			s.n += n * unit
			done += n
		case s.n > 0:
			s.flush()
		default: // one element exceeds the empty buffer: split it
			s.ops(at(src, done*step), o.body)
			done++
		}
	}
}
