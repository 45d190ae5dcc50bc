package fixed

// Add returns n + m, saturated. Inside the range it is exact.
func (n Num) Add(m Num) Num {
	sum := n + m
	// Wrapping is the only way in which both terms differ in sign from the sum.
	if (n^sum)&(m^sum) < 0 {
		return Max ^ (n >> 63)
	}
	return sum
}

// Sub returns n - m, saturated. Inside the range it is exact.
func (n Num) Sub(m Num) Num {
	diff := n - m
	// Wrapping needs terms of unlike sign, and shows as a sign that left n's.
	if (n^m)&(n^diff) < 0 {
		return Max ^ (n >> 63)
	}
	return diff
}

// Neg returns -n. Min saturates to Max.
func (n Num) Neg() Num {
	if n == Min {
		return Max
	}
	return -n
}

// Abs returns the magnitude of n. Min saturates to Max.
func (n Num) Abs() Num {
	if n < 0 {
		return n.Neg()
	}
	return n
}

// Sign returns -1, 0 or 1 as n is negative, zero or positive.
func (n Num) Sign() int {
	return int(n>>63) | int(uint64(-n)>>63)
}

// Mod returns the remainder of n / m truncated towards zero, as Go's %: it has
// the sign of n, its magnitude is less than that of m, and it is exact. A zero m
// gives 0.
func (n Num) Mod(m Num) Num {
	if m == 0 {
		return 0
	}
	return n % m
}

// Clamp returns n limited to lo and hi. With lo above hi it returns lo. For one
// limit use the built-in min and max.
func (n Num) Clamp(lo, hi Num) Num {
	return max(lo, min(n, hi))
}
