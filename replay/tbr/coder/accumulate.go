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
	case row == 1 || row == 2 || row == 4:
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

// accumulateSmall accumulates several rows of 1, 2 or 4 bytes at a time. A word's rows are accumulated first among
// themselves, so that from word to word there is a single operation to wait for.
func accumulateSmall(rows []byte, row int) {
	le := binary.LittleEndian
	// Times ones, a row is repeated in all rows of a word.
	ones, last, before := ^uint64(0)/(1<<(8*row)-1), 64-8*row, uint64(0)
	i := 0
	for ; i+8 <= len(rows); i += 8 {
		w := le.Uint64(rows[i : i+8])
		if row < 2 {
			w ^= w << 8
		}
		if row < 4 {
			w ^= w << 16
		}
		w ^= w << 32
		le.PutUint64(rows[i:i+8], w^before)
		before ^= w >> (last & 63) * ones
	}
	for i = max(i, row); i < len(rows); i++ {
		rows[i] ^= rows[i-row]
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
