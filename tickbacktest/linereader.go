package tickbacktest

import (
	"bytes"
	"encoding/binary"
	"io"
)

// lineReader reads the fields of a line, and keeps the first error. After an error, every value is the smallest that
// is allowed.
type lineReader struct {
	*bytes.Reader
	err error
}

// number reads a number that must not exceed the limit.
func (r *lineReader) number(most uint64) uint64 {
	n, err := binary.ReadUvarint(r.Reader)
	if err != nil || n > most {
		r.err = errDamaged
		return 0
	}
	return n
}

// within returns n, which must be in the range.
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
