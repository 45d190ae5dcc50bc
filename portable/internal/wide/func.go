package wide

import "math"

// Constants, truncated. They were computed by series in 2,600 bits, and are checked by a test.
var (
	ln2 = Num{exp: 0, m: mantissa{
		0x8a0d175b8baafa2b, 0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab,
	}}
	pi = Num{exp: 2, m: mantissa{
		0x020bbea63b139b22, 0x29024e088a67cc74, 0xc4c6628b80dc1cd1, 0xc90fdaa22168c234,
	}}
	log10e = Num{exp: -1, m: mantissa{
		0x3a3f2d44f78ea53c, 0x3ee3460245c9a202, 0x355baaafad33dc32, 0xde5bd8a937287195,
	}}
	log2e = Num{exp: 1, m: mantissa{
		0x8b25166cd1a13247, 0xeb577aa8dd695a58, 0xbe87fed0691d3e88, 0xb8aa3b295c17f0bb,
	}}
)

// twoOverPi has the bits of 2/pi after the binary point, the most significant first: the number of bits that a float
// with 1,024 bits before the point needs, plus its mantissa, plus the bits that [Num.Trig] loses.
var twoOverPi = [...]uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
	0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
	0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d, 0xa9e391615ee61b08,
	0x6599855f14a06840, 0x8dffd8804d732731, 0x06061556ca73a8c9, 0x60e27bc08c6b47c4, 0x19c367cddce8092a, 0x8359c4768b961ca6,
}

// below reports whether a term is too small to change a sum.
func (n *Num) below(sum *Num) bool { return n.zero() || n.exp < sum.exp-Bits-8 }

// nearest returns the integer that is nearest to n, which must be less than 2^62.
func (n Num) nearest() int64 {
	h := n.Add(Num{exp: 0, m: mantissa{limbs - 1: 1 << 63}, neg: n.neg}) // and half
	if h.exp <= 0 {
		return 0
	}
	i := int64(h.m[limbs-1] >> (64 - h.exp))
	if n.neg {
		return -i
	}
	return i
}

// Exp returns e^n, for n up to 2^12. The rest of n after subtracting multiples of ln 2 is divided by 2^16; Taylor's
// series of that is squared 16 times.
func (n Num) Exp() Num {
	k := n.Mul(log2e).nearest()
	r := n.Sub(Int(k).Mul(ln2)).Shift(-16)
	sum, term := Int(1), Int(1)
	for i := uint64(1); ; i++ {
		if term = term.Mul(r).Over(i); term.below(&sum) {
			break
		}
		sum = sum.Add(term)
	}
	for range 16 {
		sum = sum.Mul(sum)
	}
	return sum.Shift(int(k))
}

// Expm1 returns e^n - 1, for n up to 2^12.
func (n Num) Expm1() Num {
	if n.exp > -2 {
		return n.Exp().Sub(Int(1))
	}
	sum, term := n, n
	for i := uint64(2); ; i++ {
		if term = term.Mul(n).Over(i); term.below(&sum) {
			return sum
		}
		sum = sum.Add(term)
	}
}

// artanh2 returns twice the inverse hyperbolic tangent of z, which is less than 1/4: its series.
func artanh2(z Num) Num {
	sum, power, square := z, z, z.Mul(z)
	for i := uint64(3); ; i += 2 {
		power = power.Mul(square)
		term := power.Over(i)
		if term.below(&sum) {
			return sum.Shift(1)
		}
		sum = sum.Add(term)
	}
}

// Log returns the natural logarithm of n, which must be more than zero and without error if it is near one.
func (n Num) Log() Num {
	k := n.exp
	n.exp = 0
	if n.m[limbs-1] < 0xB504F333F9DE6484 { // 2^63.5
		k, n.exp = k-1, 1
	}
	l := artanh2(n.Sub(Int(1)).Quo(n.Add(Int(1))))
	if k == 0 {
		return l
	}
	return Int(int64(k)).Mul(ln2).Add(l)
}

// Log1p returns the natural logarithm of 1 + n, for n above -1.
func (n Num) Log1p() Num {
	if n.exp > -1 {
		return n.Add(Int(1)).Log()
	}
	return artanh2(n.Quo(n.Add(Int(2))))
}

// Sqrt returns the square root of n, which must not be negative: off by less than 2^8 units. It is Newton's iteration
// for 1/sqrt(n), starting from a float. The errors are 2^-50, 2^-99, 2^-197, 2^-393.
func (n Num) Sqrt() Num {
	if n.zero() {
		return n
	}
	half := n.exp >> 1
	n.exp &= 1
	x := scaled(n.m[limbs-1]>>11, n.exp-53)
	r := Of(1 / math.Sqrt(x))
	for range 3 {
		r = r.Add(r.Mul(Int(1).Sub(n.Mul(r).Mul(r))).Shift(-1))
	}
	return n.Mul(r).Shift(half)
}

// Atan returns the arc tangent of n, by the series of an eighth of the angle.
func (n Num) Atan() Num {
	if n.zero() {
		return n
	}
	if n.exp > 1 {
		right := pi.Shift(-1)
		right.neg = n.neg
		return right.Sub(n.Inverse().Atan())
	}
	halved := 0
	for n.exp > -4 { // more than 2^-5
		n = n.Quo(Int(1).Add(Int(1).Add(n.Mul(n)).Sqrt()))
		halved++
	}
	sum, power, square := n, n, n.Mul(n).Neg()
	for i := uint64(3); ; i += 2 {
		power = power.Mul(square)
		term := power.Over(i)
		if term.below(&sum) {
			return sum.Shift(halved)
		}
		sum = sum.Add(term)
	}
}

// Trig subtracts multiples of pi/2 from a finite float. It returns the rest, between -pi/4 and pi/4 or slightly more,
// and the number of multiples, modulo 4.
//
// The float is an integer times a power of two. 2/pi times that power is needed modulo 4, so the bits of 2/pi whose
// weight is more than that do not count, and a window of the others, times the mantissa, is the number of quarter
// turns. The relative distance of a float to a multiple of pi/2 is never less than 2^-62, so more than 512 of the
// window's 640 bits are left.
func Trig(x float64) (r Num, quarter int) {
	n := Of(x)
	if n.exp < 0 { // less than 1/2
		return n, 0
	}
	e := n.exp - 53 // x is m times 2^e
	m := n.m[limbs-1] >> 11
	const words = 10
	var window [words]uint64 // the bits of 2/pi times 2^(e-2) after the binary point, the most significant first
	for i := range window {
		window[i] = bitsOf(e - 2 + 64*i)
	}
	var turns [words]uint64 // the number of quarter turns divided by four, modulo one
	var carry uint64
	for i := words - 1; i >= 0; i-- {
		turns[i], carry = mulAdd(window[i], m, carry)
	}
	quarter = int(turns[0] >> 62)
	turns[0] <<= 2
	for i := range words - 1 {
		turns[i] |= turns[i+1] >> 62
		turns[i+1] <<= 2
	}
	var f Num
	if turns[0]>>63 != 0 { // more than half a quarter: count from the next one
		quarter++
		for i := range turns {
			turns[i] = ^turns[i]
		}
		f.neg = true
	}
	f = fraction(&turns, f.neg)
	f.neg = f.neg != n.neg
	if n.neg {
		quarter = -quarter
	}
	return f.Mul(pi.Shift(-1)), quarter & 3
}

// Sin returns the sine of r, a rest returned by Trig, by Taylor's series.
func (n Num) Sin() Num {
	if n.zero() {
		return n
	}
	sum, term, square := n, n, n.Mul(n).Neg()
	for i := uint64(2); ; i += 2 {
		if term = term.Mul(square).Over(i * (i + 1)); term.below(&sum) {
			return sum
		}
		sum = sum.Add(term)
	}
}

// Cos returns the cosine of r, a rest returned by Trig.
func (n Num) Cos() Num {
	sum, term, square := Int(1), Int(1), n.Mul(n).Neg()
	for i := uint64(1); ; i += 2 {
		if term = term.Mul(square).Over(i * (i + 1)); term.below(&sum) {
			return sum
		}
		sum = sum.Add(term)
	}
}

// Exp2 returns 2^n, for n up to 2^12.
func (n Num) Exp2() Num { return n.Mul(ln2).Exp() }

// Part returns the sine of an angle of i parts, if a full circle has of parts; of is a multiple of 8.
func Part(i, of int64) Num {
	quarter := i * 4 / of
	rest := i*4 - quarter*of // in parts of a quarter
	if 2*rest > of {
		quarter, rest = quarter+1, rest-of
	}
	r := pi.Shift(-1).Mul(Int(rest)).Over(uint64(of))
	return [...]Num{r.Sin(), r.Cos(), r.Sin().Neg(), r.Cos().Neg()}[quarter&3]
}

// Sinh returns the hyperbolic sine of n, for n up to 2^12.
func (n Num) Sinh() Num {
	e := n.Abs().Expm1()
	s := e.Add(e.Quo(e.Add(Int(1)))).Shift(-1)
	s.neg = n.neg
	return s
}

// Cosh returns the hyperbolic cosine of n, for n up to 2^12.
func (n Num) Cosh() Num {
	e := n.Exp()
	return e.Add(e.Inverse()).Shift(-1)
}

// Tanh returns the hyperbolic tangent of n, for n up to 2^11.
func (n Num) Tanh() Num {
	e := n.Abs().Shift(1).Expm1()
	t := e.Quo(e.Add(Int(2)))
	t.neg = n.neg
	return t
}

// Asin returns the arc sine of n, between -1 and 1.
func (n Num) Asin() Num {
	root := Int(1).Sub(n).Mul(Int(1).Add(n)).Sqrt()
	if root.zero() {
		half := pi.Shift(-1)
		half.neg = n.neg
		return half
	}
	return n.Quo(root).Atan()
}

// Acos returns the arc cosine of n, between -1 and 1.
func (n Num) Acos() Num {
	above := Int(1).Add(n)
	if above.zero() {
		return pi
	}
	return Int(1).Sub(n).Quo(above).Sqrt().Atan().Shift(1)
}

// Log2 returns the logarithm of n to base 2. The conditions of Log apply.
func (n Num) Log2() Num { return n.Log().Mul(log2e) }

// Log10 returns the logarithm of n to base 10. The conditions of Log apply.
func (n Num) Log10() Num { return n.Log().Mul(log10e) }

// Pi returns pi.
func Pi() Num { return pi }

// Sine returns the sine of a finite float plus a number of quarter circles.
func Sine(x float64, quarters int) Num {
	r, q := Trig(x)
	switch (q + quarters) & 3 {
	case 1:
		return r.Cos()
	case 2:
		return r.Sin().Neg()
	case 3:
		return r.Cos().Neg()
	}
	return r.Sin()
}

// Tangent returns the tangent of a finite float.
func Tangent(x float64) Num {
	r, q := Trig(x)
	if q&1 == 0 {
		return r.Sin().Quo(r.Cos())
	}
	return r.Cos().Quo(r.Sin()).Neg()
}

// Angle returns the angle of the point x, y, above the axis, for y and x that are not zero.
func Angle(y, x float64) Num {
	a := Of(y).Abs().Quo(Of(x).Abs()).Atan()
	if x < 0 {
		return pi.Sub(a)
	}
	return a
}

// Cbrt returns the cube root of n, which must not be zero.
func (n Num) Cbrt() Num {
	root := n.Abs().Log().Over(3).Exp()
	root.neg = n.neg
	return root
}

// Asinh returns the inverse hyperbolic sine of n.
func (n Num) Asinh() Num {
	a := n.Abs()
	square := a.Mul(a)
	l := a.Add(square.Quo(Int(1).Add(square.Add(Int(1)).Sqrt()))).Log1p()
	l.neg = n.neg
	return l
}

// Acosh returns the inverse hyperbolic cosine of n, more than 1.
func (n Num) Acosh() Num {
	w := n.Sub(Int(1))
	return w.Add(w.Mul(w.Add(Int(2))).Sqrt()).Log1p()
}

// Atanh returns the inverse hyperbolic tangent of n, between -1 and 1.
func (n Num) Atanh() Num {
	a := n.Abs()
	l := a.Shift(1).Quo(Int(1).Sub(a)).Log1p().Shift(-1)
	l.neg = n.neg
	return l
}
