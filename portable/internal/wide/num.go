// Package wide computes with numbers of 256 bits, for the slow phase of functions that are rounded correctly, when a
// quick approximation is too close to the middle between two floats to decide which one is nearer. It uses integers
// alone, so that its results are the same on every machine, and allocates nothing.
//
// Every operation truncates, or is off by a few units of the last bit, and its comment says by how many. A function of
// this package keeps more than [Sure] bits.
package wide

import "math/bits"

const (
	limbs = 4
	// Bits is how many bits a number has.
	Bits = 64 * limbs
	// Sure is the minimum number of correct leading bits of a function's result, except that the last of them may be
	// off.
	Sure = Bits - 48
)

// mantissa has its most significant limb last.
type mantissa [limbs]uint64

// Num is a number: m/2^Bits times 2^exp, with its sign. The top bit of m is set, unless the number is zero.
type Num struct {
	neg bool
	exp int
	m   mantissa
}

// zero reports whether n is zero.
func (n *Num) zero() bool { return n.m[limbs-1] == 0 }

// Zero reports whether n is zero.
func (n Num) Zero() bool { return n.zero() }

// Negative reports whether n is less than zero.
func (n Num) Negative() bool { return n.neg && !n.zero() }

// Exponent returns e such that the absolute value of n is at least 2^(e-1) and less than 2^e. It is 0 for zero.
func (n Num) Exponent() int { return n.exp }

// Int returns an integer.
func Int(i int64) Num {
	u := uint64(i)
	if i < 0 {
		u = -u
	}
	n := uinteger(u)
	n.neg = i < 0
	return n
}

func uinteger(u uint64) (n Num) {
	if u == 0 {
		return n
	}
	z := bits.LeadingZeros64(u)
	n.m[limbs-1], n.exp = u<<z, 64-z
	return n
}

// Shift returns n times 2^by.
func (n Num) Shift(by int) Num {
	if !n.zero() {
		n.exp += by
	}
	return n
}

// Neg returns -n.
func (n Num) Neg() Num {
	n.neg = !n.neg && !n.zero()
	return n
}

// Abs returns n without its sign.
func (n Num) Abs() Num {
	n.neg = false
	return n
}

// order compares without signs: -1, 0 or 1.
func (n *Num) order(o *Num) int {
	switch {
	case n.zero() || o.zero():
		return truth(!n.zero()) - truth(!o.zero())
	case n.exp != o.exp:
		return 2*truth(n.exp > o.exp) - 1
	}
	for i := limbs - 1; i >= 0; i-- {
		if n.m[i] != o.m[i] {
			return 2*truth(n.m[i] > o.m[i]) - 1
		}
	}
	return 0
}

// Less reports whether n is less than o.
func (n Num) Less(o Num) bool { return n.Sub(o).Negative() }

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Add returns n + o, with an error of less than one unit of the result's last bit, and rounded towards zero if the
// signs agree.
func (n Num) Add(o Num) Num {
	switch {
	case n.zero():
		return o
	case o.zero():
		return n
	}
	if n.order(&o) < 0 {
		n, o = o, n
	}
	apart := n.exp - o.exp
	if apart > Bits+64 {
		return n
	}
	var a, b [limbs + 1]uint64 // with an extra limb of guard bits below
	copy(a[1:], n.m[:])
	shiftedRight(&b, &o.m, apart)
	var c uint64
	if n.neg == o.neg {
		for i := range a {
			a[i], c = bits.Add64(a[i], b[i], c)
		}
		if c != 0 {
			n.exp++
			for i := range limbs {
				n.m[i] = a[i+1]>>1 | top(&a, i+2)<<63
			}
			n.m[limbs-1] |= 1 << 63
			return n
		}
		copy(n.m[:], a[1:])
		return n
	}
	for i := range a {
		a[i], c = bits.Sub64(a[i], b[i], c)
	}
	return normalized(n.neg, n.exp, &a)
}

func top(a *[limbs + 1]uint64, i int) uint64 {
	if i > limbs {
		return 0
	}
	return a[i]
}

// shiftedRight puts m, one limb higher, into b, shifted right by a number of bits.
func shiftedRight(b *[limbs + 1]uint64, m *mantissa, by int) {
	words, rest := by/64, uint(by%64)
	for i := range b {
		var lo, hi uint64
		if j := i + words - 1; j >= 0 && j < limbs {
			lo = m[j]
		}
		if j := i + words; j >= 0 && j < limbs {
			hi = m[j]
		}
		b[i] = lo >> rest
		if rest > 0 {
			b[i] |= hi << (64 - rest)
		}
	}
}

// normalized returns a difference, whose top bits may be zero.
func normalized(neg bool, exp int, a *[limbs + 1]uint64) (n Num) {
	high := limbs
	for high >= 0 && a[high] == 0 {
		high--
	}
	if high < 0 {
		return n
	}
	z := uint(bits.LeadingZeros64(a[high]))
	n.neg, n.exp = neg, exp-64*(limbs-high)-int(z)
	for i := range limbs {
		var hi, lo uint64
		if j := high - limbs + 1 + i; j >= 0 {
			hi = a[j]
		}
		if j := high - limbs + i; j >= 0 {
			lo = a[j]
		}
		n.m[i] = hi<<z | lo>>1>>(63-z)
	}
	return n
}

// Sub returns n - o, as Add does.
func (n Num) Sub(o Num) Num { return n.Add(o.Neg()) }

// Mul returns n times o, truncated: off by less than two units of the last bit.
func (n Num) Mul(o Num) (p Num) {
	if n.zero() || o.zero() {
		return p
	}
	var w [2 * limbs]uint64
	for i, x := range n.m {
		if x == 0 {
			continue
		}
		var carry uint64
		for j, y := range o.m {
			hi, lo := bits.Mul64(x, y)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			w[i+j], c = bits.Add64(w[i+j], lo, 0)
			carry = hi + c
		}
		w[i+limbs] = carry
	}
	p.neg, p.exp = n.neg != o.neg, n.exp+o.exp
	if w[2*limbs-1]>>63 != 0 {
		copy(p.m[:], w[limbs:])
		return p
	}
	p.exp--
	for i := range limbs {
		p.m[i] = w[limbs+i]<<1 | w[limbs+i-1]>>63
	}
	return p
}

// Over returns n divided by a positive integer, truncated: off by less than two units of the last bit.
func (n Num) Over(d uint64) Num {
	if n.zero() {
		return n
	}
	var q [limbs + 1]uint64
	var r uint64
	for i := limbs - 1; i >= 0; i-- {
		q[i+1], r = bits.Div64(r, n.m[i], d)
	}
	q[0], _ = bits.Div64(r, 0, d)
	return normalized(n.neg, n.exp, &q)
}

// Inverse returns 1/n, off by less than 2^8 units of the last bit. n must not be zero.
//
// It is Newton's iteration: if the relative error of r is e, that of r + r(1 - nr) is e^2. Four steps reduce 2^-30 to
// 2^-480.
func (n Num) Inverse() Num {
	r := Num{neg: n.neg, exp: 2 - n.exp}
	q, _ := bits.Div64(1<<62, 0, n.m[limbs-1]|1) // 2^126 divided by at least 2^63: less than 2^63 and at least 2^62
	r.m[limbs-1] = q << bits.LeadingZeros64(q)
	r.exp -= bits.LeadingZeros64(q)
	one := Int(1)
	for range 4 {
		r = r.Add(r.Mul(one.Sub(n.Mul(r))))
	}
	return r
}

// Quo returns n/o, off by less than 2^9 units of the last bit. o must not be zero.
func (n Num) Quo(o Num) Num { return n.Mul(o.Inverse()) }
