package rng

import (
	"fmt"
	"math/bits"

	"github.com/tickback/tickback/fixed"
)

// Xorshift32 is Marsaglia's 32-bit xorshift with shifts 13, 17, 5
// ("Xorshift RNGs", Journal of Statistical Software 8/14, 2003). Its period is
// 2^32-1: every state but zero. The zero value is not seeded and draws only
// zeros; make one with [NewXorshift32].
type Xorshift32 struct {
	// State is the whole of the generator, and also its last output.
	State uint32
}

// NewXorshift32 returns a generator whose state is seed. Seed 0 is [ErrZeroSeed]:
// zero is the one state that never changes.
func NewXorshift32(seed uint32) (Xorshift32, error) {
	if seed == 0 {
		return Xorshift32{}, ErrZeroSeed
	}
	return Xorshift32{State: seed}, nil
}

// Next advances the generator and returns its new state, 1 to 2^32-1.
func (r *Xorshift32) Next() uint32 {
	x := r.State
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	r.State = x
	return x
}

// Bounded returns a number in [0, n): the high half of the 64-bit product of
// one draw and n. A bound of 0 is [ErrEmptyRange].
func (r *Xorshift32) Bounded(n uint32) (uint32, error) {
	if n == 0 {
		return 0, fmt.Errorf("%w: [0, 0)", ErrEmptyRange)
	}
	hi, _ := bits.Mul32(r.Next(), n)
	return hi, nil
}

// Range returns a number in [low, high). A high end not above the low one is
// [ErrEmptyRange].
func (r *Xorshift32) Range(low, high int32) (int32, error) {
	if high <= low {
		return 0, fmt.Errorf("%w: [%d, %d)", ErrEmptyRange, low, high)
	}
	hi, _ := bits.Mul32(r.Next(), uint32(high)-uint32(low))
	return int32(uint32(low) + hi), nil
}

// Fixed returns a fixed-point number in [low, high): two draws, the first one
// the high half of a 64-bit word, reduced modulo the width of the range. A high
// end not above the low one is [ErrEmptyRange].
func (r *Xorshift32) Fixed(low, high fixed.Num) (fixed.Num, error) {
	if high <= low {
		return 0, fmt.Errorf("%w: [%v, %v)", ErrEmptyRange, low, high)
	}
	word := uint64(r.Next()) << 32
	word |= uint64(r.Next())
	return fixedIn(word, low, high), nil
}

// Shuffle puts n things into a random order by n-1 calls of swap, from the last
// place down (Fisher and Yates). A negative n is [ErrEmptyRange].
func (r *Xorshift32) Shuffle(n int, swap func(i, j int)) error {
	if n < 0 || int64(n) > 1<<32-1 {
		return fmt.Errorf("%w: shuffle of %d", ErrEmptyRange, n)
	}
	for i := n - 1; i > 0; i-- {
		j, _ := bits.Mul32(r.Next(), uint32(i)+1)
		swap(i, int(j))
	}
	return nil
}

// String shows the generator for debugging: "xorshift32:0000002a".
func (r Xorshift32) String() string { return string(appendText(nil, name32, 8, uint64(r.State))) }

// AppendText appends the text form, which is that of String.
func (r Xorshift32) AppendText(b []byte) ([]byte, error) {
	return appendText(b, name32, 8, uint64(r.State)), nil
}

// MarshalText returns the text form, which is that of String.
func (r Xorshift32) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// UnmarshalText reads the text form back, an unseeded generator's too. Anything
// else is [ErrText]; the generator is then unchanged.
func (r *Xorshift32) UnmarshalText(text []byte) error {
	var words [1]uint64
	if err := parseText(text, name32, 8, words[:]); err != nil {
		return err
	}
	r.State = uint32(words[0])
	return nil
}
