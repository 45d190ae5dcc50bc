package fixed

// fracMask covers the fraction bits of a raw view.
const fracMask = One - 1

// Floor returns the largest whole number that is at most n. It is always in
// range, as Min is whole.
func (n Num) Floor() Num {
	return n &^ fracMask
}

// Ceil returns the smallest whole number that is at least n. Above 2^47-1 there
// is none in range, and the result is [Max], which is not whole.
func (n Num) Ceil() Num {
	if n > Max-fracMask {
		return Max
	}
	return (n + fracMask) &^ fracMask
}

// Round returns the nearest whole number, ties away from zero. From 2^47-1/2 on
// there is none in range, and the result is [Max], which is not whole.
func (n Num) Round() Num {
	if n >= Max-Half+1 {
		return Max
	}
	// Adding one ulp less than a half to a negative n keeps ties moving down,
	// which there is away from zero.
	return (n + Half + n>>63) &^ fracMask
}
