package tickbacktest

import (
	"bytes"
	"encoding/binary"
	"io"
)

// lineReader reads the fields of a line, and keeps the first error: after one,
// everything is as small as it may be.
type lineReader struct {
	*bytes.Reader
	err error
}

// number reads a number that is at most so large.
func (r *lineReader) number(most uint64) uint64 {
	n, err := binary.ReadUvarint(r.Reader)
	if err != nil || n > most {
		r.err = errDamaged
		return 0
	}
	return n
}

// within returns n, which has to be in the range.
func (r *lineReader) within(n, least, most int) int {
	if n < least || n > most {
		r.err = errDamaged
		return least
	}
	return n
}

// bytes reads n bytes.
func (r *lineReader) bytes(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(r.Reader, b); err != nil {
		r.err = errDamaged
	}
	return b
}
