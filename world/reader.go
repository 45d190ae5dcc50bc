package world

import (
	"encoding/binary"
	"errors"
)

var (
	errVersion = errors.New("another version, or not an encoding of a world")
	errLayout  = errors.New("of a world with other parts")
	errShort   = errors.New("it is cut off")
	errRest    = errors.New("there are bytes behind it")
	errNumber  = errors.New("a number in more bytes than it needs")
	errBits    = errors.New("a bit of a page that is not there")
	errZero    = errors.New("a page that is zero is written out")
	errSame    = errors.New("a page that is the same is written out")
	errOrder   = errors.New("a page beyond the last")
)

// reader reads an encoding. It keeps the first error, and everything read after that is zero.
type reader struct {
	world, path string
	b           []byte
	whole       int
	err         error
	pause       func(work int) // called after each page, if decoding may be interrupted
}

// The work of decoding, in the units of [Pause].
const (
	bytesInWork = 128 // how many bytes of pages can be read in the time of one unit
	finishWork  = 16  // the work of checking a page at the end
)

// spend records that this much work was done.
func (r *reader) spend(work int) {
	if r.pause != nil && r.err == nil {
		r.pause(work)
	}
}

func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = &DecodeError{World: r.world, Path: r.path, Row: rowIn(err), Offset: r.whole - len(r.b), Err: err}
	}
}

// failAt is like fail, for an error in a page: it adds the row in the page.
func (r *reader) failAt(p paged, page int, err error) {
	r.fail(err)
	if d, ok := r.err.(*DecodeError); ok && d.Err == err && d.Row < 0 {
		d.Row = rowOf(p, page, err)
	}
}

func (r *reader) check(ok bool, err error) {
	if !ok {
		r.fail(err)
	}
}

func (r *reader) take(n int) []byte {
	if r.err == nil && n > len(r.b) {
		r.fail(errShort)
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

func (r *reader) fixed() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func appendFixed(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// uvarint reads a number, and fails if it is not in its shortest form.
func (r *reader) uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b)
	switch {
	case n <= 0:
		r.fail(errShort)
		return 0
	case n > 1 && r.b[n-1] == 0:
		r.fail(errNumber)
		return 0
	}
	r.b = r.b[n:]
	return v
}
