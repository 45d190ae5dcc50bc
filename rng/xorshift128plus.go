package rng

import (
	"fmt"
	"math/bits"

	"github.com/tickback/tickback/fixed"
)

// Xorshift128Plus is the 128-bit generator of lockstep games that goes by the
// name xorshift128+: output s0+s1, then s1 ^= s0; s0 = rotl(s0, 55) ^ s1 ^
// (s1 << 14); s1 = rotl(s1, 36). Blackman and Vigna published this recurrence in
// 2016 as xoroshiro128+. Its period is 2^128-1; the lowest bit of an output is
// its weakest. The zero value is not seeded and draws only zeros; make one with
// [New].
type Xorshift128Plus struct {
	// S0 and S1 are the whole of the generator. They are never both zero.
	S0, S1 uint64
}

// golden is 2^64 divided by the golden ratio, the usual odd constant of
// splitmix64 and of the plain seeding.
const golden = 0x9E3779B97F4A7C15

// New returns a generator that is well mixed from its seed: every seed, 0
// included, is good, and neighbouring seeds give unrelated sequences.
func New(seed uint64) Xorshift128Plus {
	// Two outputs of splitmix64, which never repeats a word within its period,
	// so that at most one of the two is zero.
	first := seed + golden
	return Xorshift128Plus{S0: splitmix64(first), S1: splitmix64(first + golden)}
}

// NewXorshift128Plus returns a generator with the plain seeding s0 = seed,
// s1 = seed ^ 0x9E3779B97F4A7C15. It exists to match other programs: its first
// output depends weakly on the seed, so prefer [New].
func NewXorshift128Plus(seed uint64) Xorshift128Plus {
	return Xorshift128Plus{S0: seed, S1: seed ^ golden}
}

// splitmix64 is the output function of Steele, Lea and Flood's SplitMix
// (OOPSLA 2014) with Stafford's variant 13 of the mixing constants.
func splitmix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Next advances the generator and returns 64 random bits.
func (r *Xorshift128Plus) Next() uint64 {
	s0, s1 := r.S0, r.S1
	result := s0 + s1
	s1 ^= s0
	r.S0 = bits.RotateLeft64(s0, 55) ^ s1 ^ s1<<14
	r.S1 = bits.RotateLeft64(s1, 36)
	return result
}

// Bounded returns a number in [0, n): the high half of the 128-bit product of
// one draw and n. A bound of 0 is [ErrEmptyRange].
func (r *Xorshift128Plus) Bounded(n uint64) (uint64, error) {
	if n == 0 {
		return 0, fmt.Errorf("%w: [0, 0)", ErrEmptyRange)
	}
	hi, _ := bits.Mul64(r.Next(), n)
	return hi, nil
}

// Range returns a number in [low, high). A high end not above the low one is
// [ErrEmptyRange].
func (r *Xorshift128Plus) Range(low, high int64) (int64, error) {
	if high <= low {
		return 0, fmt.Errorf("%w: [%d, %d)", ErrEmptyRange, low, high)
	}
	hi, _ := bits.Mul64(r.Next(), uint64(high)-uint64(low))
	return int64(uint64(low) + hi), nil
}

// Fixed returns a fixed-point number in [low, high): one draw reduced modulo
// the width of the range. A high end not above the low one is [ErrEmptyRange].
func (r *Xorshift128Plus) Fixed(low, high fixed.Num) (fixed.Num, error) {
	if high <= low {
		return 0, fmt.Errorf("%w: [%v, %v)", ErrEmptyRange, low, high)
	}
	return fixedIn(r.Next(), low, high), nil
}

// Shuffle puts n things into a random order by n-1 calls of swap, from the last
// place down (Fisher and Yates). A negative n is [ErrEmptyRange].
func (r *Xorshift128Plus) Shuffle(n int, swap func(i, j int)) error {
	if n < 0 {
		return fmt.Errorf("%w: shuffle of %d", ErrEmptyRange, n)
	}
	for i := n - 1; i > 0; i-- {
		j, _ := bits.Mul64(r.Next(), uint64(i)+1)
		swap(i, int(j))
	}
	return nil
}

// String shows the generator for debugging:
// "xorshift128+:0000000000000001:9e3779b97f4a7c14".
func (r Xorshift128Plus) String() string { return string(appendText(nil, name128, 16, r.S0, r.S1)) }

// AppendText appends the text form, which is that of String.
func (r Xorshift128Plus) AppendText(b []byte) ([]byte, error) {
	return appendText(b, name128, 16, r.S0, r.S1), nil
}

// MarshalText returns the text form, which is that of String.
func (r Xorshift128Plus) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// UnmarshalText reads the text form back, an unseeded generator's too. Anything
// else is [ErrText]; the generator is then unchanged.
func (r *Xorshift128Plus) UnmarshalText(text []byte) error {
	var words [2]uint64
	if err := parseText(text, name128, 16, words[:]); err != nil {
		return err
	}
	r.S0, r.S1 = words[0], words[1]
	return nil
}
