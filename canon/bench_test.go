package canon

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback/internal/floor"
)

// kept keeps the results of the measured work alive.
var kept uint64

// gapless is 1 MiB that is its own encoding on little-endian machines.
type gapless struct {
	Cells [65536]struct {
		X, Y int32
		V    uint64
	}
}

// padded is 1 MiB of memory, of which 3 bytes in 16 are padding.
type padded struct {
	Cells [65536]struct {
		V uint64
		X int32
		K uint8
	}
}

// smallFighter is 88 bytes without gaps.
type smallFighter struct {
	X, Y, Vx, Vy, Aim int64
	Timers            [8]uint32
	Flags             [16]uint8
}

// readAll looks at every byte with the widest instructions that Go's runtime has: the minimum that any hash of all
// bytes must do. The byte that it looks for is not there.
func readAll(b []byte) uint64 { return uint64(bytes.IndexByte(b, 0xa5)) }

func benchHash[T any](b *testing.B) {
	p, s := planFor[T](b), new(T)
	enc := p.Append(nil, s)
	nanoseconds := floor.Compare(b,
		func(n int) {
			for range n {
				kept += readAll(enc)
			}
		},
		func(n int) {
			for range n {
				kept += p.Hash(s)
			}
		})
	b.ReportMetric(float64(p.Size())/nanoseconds, "GB/s")
}

func BenchmarkHash1MiB(b *testing.B)       { benchHash[gapless](b) }
func BenchmarkHash1MiBPadded(b *testing.B) { benchHash[padded](b) }
func BenchmarkHashSmall(b *testing.B)      { benchHash[smallFighter](b) }
func BenchmarkHashSmallPadded(b *testing.B) {
	benchHash[[3]fighter](b)
}

func benchEncode[T any](b *testing.B) {
	p, s := planFor[T](b), new(T)
	out := p.Append(nil, s)
	from := bytes.Clone(out)
	floor.Compare(b,
		func(n int) {
			for range n {
				copy(out, from)
			}
		},
		func(n int) {
			for range n {
				out = p.Append(out[:0], s)
			}
		})
}

func BenchmarkEncode1MiB(b *testing.B)       { benchEncode[gapless](b) }
func BenchmarkEncode1MiBPadded(b *testing.B) { benchEncode[padded](b) }

func benchEqual[T any](b *testing.B) {
	p, s, o := planFor[T](b), new(T), new(T)
	x, y := p.Append(nil, s), p.Append(nil, o)
	floor.Compare(b,
		func(n int) {
			for range n {
				if bytes.Equal(x, y) {
					kept++
				}
			}
		},
		func(n int) {
			for range n {
				if p.Equal(s, o) {
					kept++
				}
			}
		})
}

func BenchmarkEqual1MiB(b *testing.B)       { benchEqual[gapless](b) }
func BenchmarkEqual1MiBPadded(b *testing.B) { benchEqual[padded](b) }

// BenchmarkDiff1MiB finds one difference at the end of 1 MiB.
func BenchmarkDiff1MiB(b *testing.B) {
	p, s, o := planFor[gapless](b), new(gapless), new(gapless)
	o.Cells[65535].V = 1
	x, y := p.Append(nil, s), p.Append(nil, o)
	floor.Compare(b,
		func(n int) {
			for range n {
				if bytes.Equal(x, y) {
					kept++
				}
			}
		},
		func(n int) {
			for range n {
				kept += uint64(p.Diff(s, o, 16).Total)
			}
		})
}

// BenchmarkFNV folds 64 fields; the floor is the arithmetic written out.
func BenchmarkFNV(b *testing.B) {
	var fields [64]uint32
	floor.Compare(b,
		func(n int) {
			for range n {
				h := uint32(2166136261)
				for _, v := range &fields {
					h = (h ^ v) * 16777619
				}
				kept += uint64(h)
			}
		},
		func(n int) {
			for range n {
				h := NewFNV32()
				for _, v := range &fields {
					h = h.Add(v)
				}
				kept += uint64(h.Sum())
			}
		})
}

// BenchmarkHashAny1000Nodes walks a list of 1000 nodes of 24 bytes.
func BenchmarkHashAny1000Nodes(b *testing.B) {
	list := listOf(1000)
	b.ReportAllocs()
	for b.Loop() {
		h, err := HashAny(list)
		if err != nil {
			b.Fatal(err)
		}
		kept += h
	}
}
