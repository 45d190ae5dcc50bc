package reliable

import (
	"encoding/binary"
	"math/bits"
)

const (
	// MaxFragment is the most bytes of a fragment, so that with everything around
	// it (see [FullRoom]) it stays below 1000.
	MaxFragment = 960

	// FullRoom is the room that is enough for the largest fragment beside an
	// acknowledgement: flags, acknowledgement and holes, number, head, bytes. A
	// fragment that was cut when there was more room waits until there is this
	// much again.
	FullRoom = 1 + maxNumber + maxHoles + maxNumber + 2 + MaxFragment

	maxNumber = 7 // a number below 2^49; at 1000 a second, after 17,000 years
	maxHoles  = 9 // 63 bits

	countBits = 0x3f // also the most fragments in a section
	ackFlag   = 1 << 6
	holesFlag = 1 << 7

	gapBit       = 1
	continuesBit = 2
	lengthShift  = 2
)

// acknowledgement is what a receiver tells about what has arrived.
type acknowledgement struct {
	arrived uint64 // all fragments below
	holes   uint64 // bit i: fragment arrived+1+i, too
}

// beyond returns a number that is above every fragment it acknowledges.
func (a acknowledgement) beyond() uint64 {
	if a.holes == 0 {
		return a.arrived
	}
	return a.arrived + 1 + uint64(bits.Len64(a.holes))
}

// has says whether fragment n is acknowledged.
func (a acknowledgement) has(n uint64) bool {
	return n < a.arrived || n > a.arrived && a.holes>>(n-a.arrived-1)&1 == 1
}

func varintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// consumeVarint reads a varint in its shortest form.
func consumeVarint(b []byte) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(b)
	if n <= 0 || n > 1 && b[n-1] == 0 {
		return 0, nil, ErrMalformed
	}
	return v, b[n:], nil
}
