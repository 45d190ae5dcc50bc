package coder

import (
	"crypto/subtle"
	"encoding/binary"
)

// accumulate turns the changes in rows, at least one, into inputs, starting with the inputs in held, and leaves the last
// inputs in held.
func accumulate(rows, held []byte) {
	row := len(held)
	for i, b := range held {
		rows[i] ^= b
	}
	switch {
	case row == 4:
		accumulatePairs(rows)
	case row == 1 || row == 2:
		accumulateSmall(rows, row)
	case row >= 64:
		for r := rows; len(r) > row; r = r[row:] {
			subtle.XORBytes(r[row:2*row], r[row:2*row], r[:row])
		}
	case row >= 8:
		accumulateWords(rows, row)
	default:
		for i := row; i < len(rows); i++ {
			rows[i] ^= rows[i-row]
		}
	}
	copy(held, rows[len(rows)-row:])
}

// accumulatePairs accumulates rows of 4 bytes, two at a time: those of two players in most games. The second of a pair
// is accumulated first, so that from pair to pair there is a single operation to wait for.
func accumulatePairs(rows []byte) {
	le, before := binary.LittleEndian, uint64(0) // the row before, twice
	for len(rows) >= 8 {
		w := le.Uint64(rows)
		w ^= w << 32
		le.PutUint64(rows, w^before)
		before ^= w >> 32 * 0x1_0000_0001
		rows = rows[8:]
	}
	if len(rows) >= 4 {
		le.PutUint32(rows, le.Uint32(rows)^uint32(before))
	}
}

// accumulateSmall does the same with rows of 1 or 2 bytes, 8 or 4 at a time.
func accumulateSmall(rows []byte, row int) {
	le := binary.LittleEndian
	// Times ones, a row is repeated in all rows of a word.
	ones, last, before := ^uint64(0)/(1<<(8*row)-1), 64-8*row, uint64(0)
	for len(rows) >= 8 {
		w := le.Uint64(rows)
		if row == 1 {
			w ^= w << 8
		}
		w ^= w << 16
		w ^= w << 32
		le.PutUint64(rows, w^before)
		before ^= w >> (last & 63) * ones
		rows = rows[8:]
	}
	for i := range rows {
		if i < row {
			rows[i] ^= byte(before >> (8 * i))
		} else {
			rows[i] ^= rows[i-row]
		}
	}
}

// accumulateWords accumulates rows of 8 bytes or more, a word at a time: the word of the row before is complete then.
func accumulateWords(rows []byte, row int) {
	le, i := binary.LittleEndian, row
	for ; i+8 <= len(rows); i += 8 {
		le.PutUint64(rows[i:i+8], le.Uint64(rows[i:i+8])^le.Uint64(rows[i-row:]))
	}
	for ; i < len(rows); i++ {
		rows[i] ^= rows[i-row]
	}
}
