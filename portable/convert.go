package portable

// If an integer type cannot hold a float, the language leaves the result of the conversion to the processor. These
// functions return the nearest integer instead, and 0 for NaN. Like a conversion, they discard the fraction.

// Int returns x as an int, which has 32 or 64 bits, depending on the machine: [Int64] is safer.
func Int(x float64) int {
	const most = 1<<(wordBits-1) - 1
	switch {
	case x >= 1<<(wordBits-1):
		return most
	case x > -1<<(wordBits-1):
		return int(x)
	case x == x:
		return -most - 1
	}
	return 0
}

// wordBits is the number of bits of an int.
const wordBits = 32 << (^uint(0) >> 63)

// Int64 returns x as an int64.
func Int64(x float64) int64 {
	switch {
	case x >= 1<<63:
		return 1<<63 - 1
	case x > -1<<63:
		return int64(x)
	case x == x:
		return -1 << 63
	}
	return 0
}

// Int32 returns x as an int32.
func Int32(x float64) int32 {
	switch {
	case x >= 1<<31:
		return 1<<31 - 1
	case x > -1<<31:
		return int32(x)
	case x == x:
		return -1 << 31
	}
	return 0
}

// Uint64 returns x as a uint64.
func Uint64(x float64) uint64 {
	switch {
	case x >= 1<<64:
		return 1<<64 - 1
	case x >= 1<<63:
		return uint64(int64(float64(x)-1<<63)) | 1<<63 // x may be a product in the caller, which the conversion rounds
	case x > 0:
		return uint64(int64(x))
	}
	return 0
}

// Uint32 returns x as a uint32.
func Uint32(x float64) uint32 {
	switch {
	case x >= 1<<32:
		return 1<<32 - 1
	case x > 0:
		return uint32(int64(x))
	}
	return 0
}
