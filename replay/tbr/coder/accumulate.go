package coder

import (
	"crypto/subtle"
	"encoding/binary"
)

// accumulate turns the changes in rows into inputs, starting with the inputs in held, and leaves the last inputs in
// held.
func accumulate(rows, held []byte) {
	le := binary.LittleEndian
	switch row := len(held); row {
	case 2:
		h := le.Uint16(held)
		for r := rows; len(r) >= 2; r = r[2:] {
			h ^= le.Uint16(r)
			le.PutUint16(r, h)
		}
	case 4:
		h := le.Uint32(held)
		for r := rows; len(r) >= 4; r = r[4:] {
			h ^= le.Uint32(r)
			le.PutUint32(r, h)
		}
	case 8:
		h := le.Uint64(held)
		for r := rows; len(r) >= 8; r = r[8:] {
			h ^= le.Uint64(r)
			le.PutUint64(r, h)
		}
	default:
		before := held
		for r := rows; len(r) >= row; r = r[row:] {
			subtle.XORBytes(r[:row], r[:row], before)
			before = r[:row]
		}
	}
	if len(rows) > 0 {
		copy(held, rows[len(rows)-len(held):])
	}
}
