package rng

import "github.com/tickback/tickback/fixed"

// fixedIn reduces a 64-bit word into [low, high), where low < high. The width is
// taken in uint64: that of the widest range does not fit a fixed.Num.
func fixedIn(word uint64, low, high fixed.Num) fixed.Num {
	width := uint64(high) - uint64(low)
	return fixed.Num(uint64(low) + word%width)
}
