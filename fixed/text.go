package fixed

import "strconv"

// String returns the exact decimal value of n, such as "3", "-1.5" or
// "0.0000152587890625": at most 16 decimals, without trailing zeros.
func (n Num) String() string {
	var buf [maxTextLen]byte
	return string(n.appendDecimal(buf[:0]))
}

// AppendText appends the text of [Num.String] to b. The error is always nil. It
// implements [encoding.TextAppender].
func (n Num) AppendText(b []byte) ([]byte, error) {
	return n.appendDecimal(b), nil
}

// MarshalText returns the text of [Num.String]. The error is always nil. It
// implements [encoding.TextMarshaler].
func (n Num) MarshalText() ([]byte, error) {
	return n.appendDecimal(make([]byte, 0, maxTextLen)), nil
}

// UnmarshalText sets n by the rules of [Parse]. On any error, out of range
// included, it leaves n unchanged. It implements [encoding.TextUnmarshaler].
func (n *Num) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*n = v
	return nil
}

// MarshalJSON returns the text of [Num.String] as a JSON string. It is a string
// because many readers pass a JSON number through a float64, which would round
// one that needs more than 53 bits. The error is always nil.
func (n Num) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, maxTextLen+2), '"')
	return append(n.appendDecimal(b), '"'), nil
}

// UnmarshalJSON sets n from a JSON string or a JSON number, by the rules of
// [Parse]: a number with an exponent and a string with an escape are errors that
// wrap [ErrSyntax]. A null leaves n unchanged, by convention, and so does any
// error.
func (n *Num) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if len(data) >= 2 && data[0] == '"' && data[len(data)-1] == '"' {
		data = data[1 : len(data)-1]
	}
	return n.UnmarshalText(data)
}

// String returns the exact decimal components in the form "(1.5, -2)".
func (v Vec2) String() string {
	var buf [2*maxTextLen + len("(, )")]byte
	b := append(buf[:0], '(')
	b = append(v.X.appendDecimal(b), ", "...)
	return string(append(v.Y.appendDecimal(b), ')'))
}

// maxTextLen bounds the text of a Num: a sign, 15 digits of 2^47, a point and
// one decimal per fraction bit.
const maxTextLen = 1 + 15 + 1 + FracBits

// appendDecimal appends the exact decimal value of n. A fraction of k/2^16 is
// k*5^16/10^16, which ends after 16 decimals.
func (n Num) appendDecimal(b []byte) []byte {
	const pow5 = 152587890625 // 5^16
	mag := n.magnitude()
	if n < 0 {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, mag>>FracBits, 10)
	frac := mag & uint64(fracMask) * pow5
	if frac == 0 {
		return b
	}
	var digits [FracBits]byte
	last := 0
	for i := FracBits - 1; i >= 0; i-- {
		digits[i] = '0' + byte(frac%10)
		if frac /= 10; digits[i] != '0' && last == 0 {
			last = i + 1
		}
	}
	b = append(b, '.')
	return append(b, digits[:last]...)
}
