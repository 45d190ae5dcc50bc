package fixed

import (
	"errors"
	"fmt"
)

// Errors that [Parse] and the unmarshalling methods wrap.
var (
	// ErrSyntax means that a text is not a decimal number.
	ErrSyntax = errors.New("not a decimal number such as -1.5")
	// ErrRange means that a number is out of the range of Num.
	ErrRange = errors.New("out of range of a Q48.16 number")
)

// Parse reads a decimal number: an optional sign, one or more digits, and
// optionally a point with one or more digits after it. There are no exponents,
// spaces or separators.
//
// The exact decimal value is rounded to the nearest Num, ties away from zero,
// whatever the number of digits: Parse takes one pass and constant memory. If the
// nearest value is out of range, Parse returns [Max] or [Min] with an error that
// wraps [ErrRange]; for any other text it returns 0 and an error that wraps
// [ErrSyntax].
//
// Parse(n.String()) == n for every n.
func Parse(s string) (Num, error) {
	rest, sign := s, uint64(0)
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		if rest[0] == '-' {
			sign = ^uint64(0)
		}
		rest = rest[1:]
	}
	whole, rest, ok := consumeWhole(rest)
	var frac uint64
	if ok && rest != "" {
		frac, ok = parseFraction(rest)
	}
	if !ok {
		return 0, parseError(s, ErrSyntax)
	}
	mag := whole<<FracBits + frac                 // at most 2^63 + 2^16
	if limit := uint64(Max) - sign; mag > limit { // sign is -1 as a number
		return saturated(sign), parseError(s, ErrRange)
	}
	return Num((mag ^ sign) - sign), nil
}

// MustParse is [Parse] for texts in the source code, as in
//
//	var friction = fixed.MustParse("0.985")
//
// It panics if Parse returns an error.
func MustParse(s string) Num {
	n, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return n
}

// consumeWhole reads digits up to the first other byte. The value stops growing
// at 2^47+1, which is out of range for either sign and leaves room to add a
// fraction.
func consumeWhole(s string) (whole uint64, rest string, ok bool) {
	const most = 1<<47 + 1
	i := 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		whole = min(whole*10+uint64(s[i]-'0'), most)
	}
	return whole, s[i:], i > 0
}

// parseFraction reads a point and digits, to the end of s, and returns the
// fraction in 1/65536, rounded to nearest with ties up: from 0 to 65536.
//
// The boundaries between results, odd multiples of 2^-17, have 17 decimals.
// Hence the first 17 digits tell which side of each boundary the number is on,
// or that it is on it or above by less than a unit of the 17th digit. Later
// digits cannot move it across the next one.
func parseFraction(s string) (frac uint64, ok bool) {
	const (
		decimals = FracBits + 1
		pow5     = 762939453125 // 5^17 = 10^17 / 2^17
	)
	if s[0] != '.' || len(s) == 1 {
		return 0, false
	}
	s = s[1:]
	for i := range max(len(s), decimals) {
		switch {
		case i >= len(s):
			frac *= 10
		case !isDigit(s[i]):
			return 0, false
		case i < decimals:
			frac = frac*10 + uint64(s[i]-'0')
		}
	}
	halves := frac / pow5 // floor(fraction * 2^17)
	return (halves + 1) / 2, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseError names the offending text. It quotes at most 40 bytes of it, since
// the text may come from a file of any size.
func parseError(s string, cause error) error {
	const most = 40
	if len(s) > most {
		return fmt.Errorf("fixed: parse %q... (%d bytes): %w", s[:most], len(s), cause)
	}
	return fmt.Errorf("fixed: parse %q: %w", s, cause)
}
