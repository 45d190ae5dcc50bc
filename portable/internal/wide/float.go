package wide

import "math"

// A Format describes a type of floats: the number of bits of a mantissa, including the leading one, and the exponents
// of the smallest number and of the first number that is too large, as returned by [Num.Exponent].
type Format struct{ bits, least, over int }

// The formats of Go's floats.
var (
	Float64 = Format{53, -1073, 1025}
	Float32 = Format{24, -148, 129}
)

// Of returns a finite float as a Num, without loss.
func Of(x float64) Num {
	b := math.Float64bits(x)
	m, e := b&(1<<52-1), int(b>>52&0x7FF)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	n := uinteger(m).Shift(e - 1075)
	n.neg = b>>63 != 0 && m != 0
	return n
}

// Round returns the float that is nearest to a number whose relative distance from n is at most 2^-sure; of two floats
// that are equally near, it returns the even one. If the format is that of float32, the result is a float64 that
// float32 can hold. ok is false if n lies too close to the middle between two of them.
func Round(n Num, f Format, sure int) (x float64, ok bool) {
	if n.zero() {
		return 0, true
	}
	if n.exp >= f.over {
		return signed(math.Inf(1), n.neg), true
	}
	keep := f.keeps(n)
	if keep < 0 {
		return signed(0, n.neg), true
	}
	half := n.bit(keep)
	if n.run(keep+1, sure, !half) {
		return 0, false
	}
	return f.made(n, keep, half), true
}

// RoundExact returns the float that is nearest to n, which has no error; of two floats that are equally near, it
// returns the even one.
func RoundExact(n Num, f Format) float64 {
	x, ok := Round(n, f, Bits)
	if ok {
		return x
	}
	keep := f.keeps(n)
	odd := keep > 0 && n.bit(keep-1)
	return f.made(n, keep, n.bit(keep) && odd)
}

// Middle returns the middle between two floats that is nearest to n, for an n that Round cannot decide.
func Middle(n Num, f Format) Num {
	keep := f.keeps(n)
	m := Num{neg: n.neg, exp: n.exp}
	if keep+1 < 64 {
		m.m[limbs-1] = n.m[limbs-1] >> (63 - keep) << (63 - keep)
	}
	if !n.bit(keep) { // all bits after it are set
		m = m.Add(Num{neg: n.neg, exp: n.exp - keep, m: mantissa{limbs - 1: 1 << 63}})
	}
	return m
}

// keeps returns how many bits of n a float keeps: fewer for the smallest numbers. It is less than 0 if n is less than half of
// the smallest float.
func (f Format) keeps(n Num) int { return min(f.bits, n.exp-f.least+1) }

// made makes a float from the first bits of n.
func (f Format) made(n Num, keep int, up bool) float64 {
	var m uint64
	if keep > 0 {
		m = n.m[limbs-1] >> (64 - keep)
	}
	if up {
		m++
	}
	// m is at most 2^53, so the conversion is exact. Either the exponent is that of a normal number, or m is small
	// enough.
	x := scaled(m, n.exp-keep)
	if f == Float32 && x > math.MaxFloat32 {
		x = math.Inf(1)
	}
	return signed(x, n.neg)
}

// bit returns bit i from the top.
func (n *Num) bit(i int) bool { return n.m[limbs-1-i/64]>>(63-i%64)&1 != 0 }

// run reports whether all bits in a range, counted from the top, are the same.
func (n *Num) run(from, to int, bit bool) bool {
	for i := from; i < to; i++ {
		if n.bit(i) != bit {
			return false
		}
	}
	return true
}

// scaled returns m times 2^e, which is a float or 2^1024, which is infinite.
func scaled(m uint64, e int) float64 {
	for e > 971 {
		if m >= 1<<53 {
			return math.Inf(1)
		}
		m, e = m<<1, e-1
	}
	x := float64(m)
	for e < -1022 { // exact: m has room for the bits that are left
		d := max(e, -1000)
		x *= math.Float64frombits(uint64(d+1023) << 52)
		e -= d
	}
	return x * math.Float64frombits(uint64(e+1023)<<52)
}

func signed(x float64, neg bool) float64 {
	if neg {
		return -x
	}
	return x
}
