package rewrite

import (
	"crypto/sha256"
	"encoding/hex"
	"go/types"
)

// helperFor names, for each kind of integer, the function that brings a float into the range of that kind.
var helperFor = map[types.BasicKind]string{
	types.Int8: "tickback_32", types.Int16: "tickback_32", types.Int32: "tickback_32", types.Uint8: "tickback_32", types.Uint16: "tickback_32",
	types.Uint32: "tickback_u32", types.Int64: "tickback_64", types.Uint64: "tickback_u64",
	types.Int: "tickback_int", types.Uint: "tickback_uint", types.Uintptr: "tickback_uint",
}

// helpers is a file that is added to each package that needs one of its functions, written for the oldest versions of
// Go. A float that is too large for 32 or 64 bits becomes the nearest value that they can hold, and a NaN becomes 0;
// for narrower integers the result is truncated, as with integers. A 64-bit integer becomes a float64 that float32
// rounds to the value nearest to the integer: its last bit says whether something was lost.
const helpers = `
type tickback_f64 = float64
type tickback_i64 = int64
type tickback_n64 = uint64

func tickback_32(x float64) int32 {
	if x > -1<<31 && x < 1<<31 {
		return int32(x)
	}
	return tickback_out32(x)
}

func tickback_out32(x float64) int32 {
	switch {
	case x >= 1<<31:
		return 1<<31 - 1
	case x < 0:
		return -1 << 31
	}
	return 0
}

func tickback_u32(x float64) uint32 {
	if x > -1 && x < 1<<32 {
		return uint32(int64(x))
	}
	return tickback_outu32(x)
}

func tickback_outu32(x float64) uint32 {
	if x > 0 {
		return 1<<32 - 1
	}
	return 0
}

func tickback_64(x float64) int64 {
	if x >= -1<<63 && x < 1<<63 {
		return int64(x)
	}
	return tickback_out64(x)
}

func tickback_out64(x float64) int64 {
	switch {
	case x >= 1<<63:
		return 1<<63 - 1
	case x < 0:
		return -1 << 63
	}
	return 0
}

func tickback_u64(x float64) uint64 {
	if x > -1 && x < 1<<63 {
		return uint64(int64(x))
	}
	return tickback_outu64(x)
}

func tickback_outu64(x float64) uint64 {
	switch {
	case x >= 1<<64:
		return 1<<64 - 1
	case x >= 1<<63:
		return uint64(int64(x-1<<63)) | 1<<63
	}
	return 0
}

func tickback_int(x float64) int {
	if ^uint(0)>>31>>1 == 0 {
		return int(tickback_32(x))
	}
	return int(tickback_64(x))
}

func tickback_uint(x float64) uint {
	if ^uint(0)>>31>>1 == 0 {
		return uint(tickback_u32(x))
	}
	return uint(tickback_u64(x))
}

func tickback_sign(x float64) float64 {
	if x != x {
		return 1
	}
	return x
}

func tickback_odd(n uint64) float64 {
	if n>>53 == 0 {
		return float64(n)
	}
	if n&(1<<12-1) != 0 {
		n |= 1 << 12
	}
	return float64(n >> 12 << 12)
}

func tickback_signed(n int64) float64 {
	if n < 0 {
		return -tickback_odd(uint64(-n))
	}
	return tickback_odd(uint64(n))
}
`

// genericHelper is added to packages that convert values whose types are parameters.
const genericHelper = `
type tickback_number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func tickback_to[T, F tickback_number](x F) T {
	half := T(1)
	half /= 2
	size, signed := tickback_unsafe.Sizeof(half), T(0)-1 < 0
	if F(1)/F(2) == 0 {
		switch {
		case half == 0 || size == 8 || tickback_unsafe.Sizeof(x) < 8:
			return T(x)
		case x < 0:
			return T(tickback_signed(int64(x)))
		}
		return T(tickback_odd(uint64(x)))
	}
	switch f := float64(x); {
	case half != 0:
		return T(x)
	case size < 4 || size == 4 && signed:
		return T(tickback_32(f))
	case size == 4:
		return T(tickback_u32(f))
	case signed:
		return T(tickback_64(f))
	default:
		return T(tickback_u64(f))
	}
}
`

// pairHelper is added to packages that call math.Copysign with the results of another function.
const pairHelper = `
func tickback_copysign(f func(f, sign float64) float64) func(f, sign float64) float64 {
	return func(x, sign float64) float64 { return f(x, tickback_sign(sign)) }
}
`

// Version identifies the changes that this package makes. It is appended to the compiler's version, so that the go
// command does not mix our output with that of other compilers, or of other versions.
var Version = func() string {
	sum := sha256.Sum256([]byte(rules + helpers + genericHelper + pairHelper + productHelpers))
	return "tickback-strict-" + hex.EncodeToString(sum[:8])
}()

// rules is the version of the rules by which this package finds what has to be changed.
const rules = "3"
