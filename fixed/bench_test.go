package fixed_test

import (
	"math"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/internal/floor"
)

// Each benchmark works through operands pseudo-random values of game size, up to
// about 32000, which stay in the first-level cache. The floor is the nearest
// native operation on the same values. The loops are spelled out because a call
// through a func value would weigh as much as what it measures.
const (
	operands = 1024
	mask     = operands - 1 // cheaper than a remainder of a signed index
)

var (
	lefts, rights [operands]fixed.Num
	absolutes     [operands]fixed.Num
	absFloats     [operands]float64
	leftFloats    [operands]float64
	rightFloats   [operands]float64

	sink      fixed.Num
	floatSink float64
)

func init() {
	// The generator is a linear congruential one by Knuth (MMIX).
	x := uint64(1)
	next := func() fixed.Num {
		x = x*6364136223846793005 + 1442695040888963407
		return fixed.Num(int64(x)>>32) | 1
	}
	for i := range operands {
		lefts[i], rights[i] = next(), next()
		absolutes[i] = lefts[i].Abs()
		absFloats[i] = absolutes[i].FloatForDrawing()
		leftFloats[i] = lefts[i].FloatForDrawing()
		rightFloats[i] = rights[i].FloatForDrawing()
	}
}

// BenchmarkAdd: the floor is the native, wrapping sum.
func BenchmarkAdd(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += lefts[i&mask] + rights[i&mask]
			}
			sink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += lefts[i&mask].Add(rights[i&mask])
			}
			sink += sum
		},
	)
}

// BenchmarkMul: the floor is a native multiply of the same values.
func BenchmarkMul(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += lefts[i&mask] * rights[i&mask]
			}
			sink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += lefts[i&mask].Mul(rights[i&mask])
			}
			sink += sum
		},
	)
}

// BenchmarkDiv: the floor is a native 64-bit divide of the same values.
func BenchmarkDiv(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += lefts[i&mask] / rights[i&mask]
			}
			sink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += lefts[i&mask].Div(rights[i&mask])
			}
			sink += sum
		},
	)
}

// BenchmarkSqrt: the floor is math.Sqrt, one machine instruction.
func BenchmarkSqrt(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			sum := 0.0
			for i := range n {
				sum += math.Sqrt(absFloats[i&mask])
			}
			floatSink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += fixed.Sqrt(absolutes[i&mask])
			}
			sink += sum
		},
	)
}

// BenchmarkSin: the floor is math.Sin, which is not the same on every architecture.
func BenchmarkSin(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			sum := 0.0
			for i := range n {
				sum += math.Sin(leftFloats[i&mask])
			}
			floatSink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += fixed.Sin(lefts[i&mask])
			}
			sink += sum
		},
	)
}

// BenchmarkAtan2: the floor is math.Atan2.
func BenchmarkAtan2(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			sum := 0.0
			for i := range n {
				sum += math.Atan2(leftFloats[i&mask], rightFloats[i&mask])
			}
			floatSink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += fixed.Atan2(lefts[i&mask], rights[i&mask])
			}
			sink += sum
		},
	)
}

// BenchmarkNormalise: the floor is a float64 root and two divides.
func BenchmarkNormalise(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			sum := 0.0
			for i := range n {
				x, y := leftFloats[i&mask], rightFloats[i&mask]
				norm := math.Sqrt(x*x + y*y)
				sum += x/norm + y/norm
			}
			floatSink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				v := fixed.Vec2{X: lefts[i&mask], Y: rights[i&mask]}.Normalise()
				sum += v.X + v.Y
			}
			sink += sum
		},
	)
}

// BenchmarkLength: the floor is a float64 root of the sum of squares.
func BenchmarkLength(b *testing.B) {
	floor.Compare(b,
		func(n int) {
			sum := 0.0
			for i := range n {
				x, y := leftFloats[i&mask], rightFloats[i&mask]
				sum += math.Sqrt(x*x + y*y)
			}
			floatSink += sum
		},
		func(n int) {
			var sum fixed.Num
			for i := range n {
				sum += fixed.Vec2{X: lefts[i&mask], Y: rights[i&mask]}.Length()
			}
			sink += sum
		},
	)
}
