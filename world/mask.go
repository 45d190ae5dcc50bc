package world

import (
	"iter"
	"math/bits"
)

// mask is a set of rows of a chunk.
type mask [Rows / 64]uint64

func (m *mask) has(row int) bool { return m[row>>6&3]>>(row&63)&1 != 0 }
func (m *mask) add(row int)      { m[row>>6&3] |= 1 << (row & 63) }
func (m *mask) remove(row int)   { m[row>>6&3] &^= 1 << (row & 63) }
func (m *mask) empty() bool      { return m[0]|m[1]|m[2]|m[3] == 0 }

func (m *mask) len() int {
	return bits.OnesCount64(m[0]) + bits.OnesCount64(m[1]) + bits.OnesCount64(m[2]) + bits.OnesCount64(m[3])
}

// free returns the lowest row that is not in the set, or Rows if there is none.
func (m *mask) free() int {
	for w, v := range m {
		if v != ^uint64(0) {
			return w<<6 | bits.TrailingZeros64(^v)
		}
	}
	return Rows
}

// rows yields the rows in ascending order. It shifts out the rows of a run one by one, which is as fast as counting in
// a full chunk, and much faster if the runs are one or two rows long.
func (m mask) rows() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, v := range &m {
			row := w << 6
			for v != 0 {
				skip := bits.TrailingZeros64(v)
				row += skip
				for v >>= skip; v&1 != 0; v >>= 1 {
					if !yield(row) {
						return
					}
					row++
				}
			}
		}
	}
}
