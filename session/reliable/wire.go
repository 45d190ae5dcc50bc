package reliable

import (
	"encoding/binary"
	"math/bits"
)

const (
	// MaxFragment is the maximum size of a fragment in bytes, so that a fragment with everything around it (see
	// [FullRoom]) stays below 1000 bytes.
	MaxFragment = 936
	// MinFragment is the minimum of Config.Fragment.
	MinFragment = 128

	// FullRoom is enough room for the largest fragment next to an acknowledgement: flags, acknowledgement and
	// holes, number, head, bytes. A fragment that was cut when there was more room waits until there is this much
	// again.
	FullRoom = 1 + maxNumber + maxHoles + maxNumber + 2 + MaxFragment

	maxNumber = 7 // a number below 2^49: at 1000 a second, that lasts 17,000 years
	maxHoles  = 1 + Window/8

	countBits = 0x3f // also the maximum number of fragments in a section
	ackFlag   = 1 << 6
	holesFlag = 1 << 7

	gapBit       = 1
	continuesBit = 2
	lengthShift  = 2
)

// acknowledgement says which fragments have arrived.
type acknowledgement struct {
	arrived uint64           // all fragments below it have arrived
	holes   [Window / 8]byte // bit i: fragment arrived+1+i has arrived as well
}

// size returns how many bytes of the holes remain without trailing zeros.
func (a *acknowledgement) size() int {
	n := len(a.holes)
	for n > 0 && a.holes[n-1] == 0 {
		n--
	}
	return n
}

// beyond returns a number above every acknowledged fragment.
func (a *acknowledgement) beyond() uint64 {
	n := a.size()
	if n == 0 {
		return a.arrived
	}
	return a.arrived + 1 + 8*uint64(n-1) + uint64(bits.Len8(a.holes[n-1]))
}

// has reports whether fragment n, which is inside the window, is acknowledged.
func (a *acknowledgement) has(n uint64) bool {
	if n <= a.arrived {
		return n < a.arrived
	}
	i := n - a.arrived - 1
	return i < Window && a.holes[i/8]>>(i%8)&1 == 1
}

// set records that fragment n, which is beyond arrived, has arrived.
func (a *acknowledgement) set(n uint64) {
	i := n - a.arrived - 1
	a.holes[i/8] |= 1 << (i % 8)
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
