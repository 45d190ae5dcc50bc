package coder_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tickback/tickback/replay/tbr/coder"
)

type shape struct{ players, size int }

var shapes = []shape{{1, 1}, {2, 2}, {1, 0}, {8, 1}, {3, 3}, {2, 4}, {2, 8}, {1, 9}, {4, 17}, {8, 64}, {16, 4}}

// manyShapes has rows of more lengths, which are accumulated in other ways.
var manyShapes = append(slices.Clone(shapes), shape{2, 1}, shape{3, 2}, shape{1, 2}, shape{4, 2}, shape{16, 2}, shape{5, 1})

// rows makes the inputs of a number of frames, which change now and then, by a bit,
// a byte or completely.
func rows(s shape, r *rand.Rand, frames int) []byte {
	row := s.players * s.size
	now, all := make([]byte, row), make([]byte, 0, frames*row)
	rare := 1 + r.IntN(300)
	for range frames {
		for p := range s.players {
			if mine := now[p*s.size:][:s.size]; s.size > 0 && r.IntN(rare) == 0 {
				change(mine, r)
			}
		}
		all = append(all, now...)
	}
	return all
}

func change(b []byte, r *rand.Rand) {
	switch i := r.IntN(len(b)); r.IntN(3) {
	case 0:
		b[i] ^= 1 << r.IntN(8)
	case 1:
		b[i] = byte(r.Uint32())
	default:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
}

// Any inputs, in blocks of any length, are decoded unchanged.
func TestInputsComeBack(t *testing.T) {
	for seed := range uint64(90) {
		s, r := manyShapes[seed%uint64(len(manyShapes))], rand.New(rand.NewPCG(seed, 1))
		var e coder.Encoder
		var d coder.Decoder
		for block := range 12 {
			if block%5 == 0 {
				e.Init(s.players, s.size)
				d.Init(s.players, s.size)
			}
			frames := []int{1, 2, 17, 480, 3000, coder.MaxFrames}[r.IntN(6)]
			if s.size > 8 {
				frames = min(frames, 480)
			}
			want, mark := rows(s, r, frames), uint16(r.Uint32())
			b := e.Append([]byte("before"), want, mark)
			got := bytes.Repeat([]byte{0xAA}, len(want))
			if err := d.Decode(got, b[len("before"):], mark); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %+v, block %d of %d frames: %v", seed, s, block, frames, err)
			}
		}
	}
}

// Neither side allocates once it has processed a block of the same size.
func TestCodingAllocatesNothing(t *testing.T) {
	for _, s := range shapes {
		var e coder.Encoder
		var d coder.Decoder
		want := rows(s, rand.New(rand.NewPCG(7, 1)), 480)
		got := make([]byte, len(want))
		var b []byte
		if n := testing.AllocsPerRun(10, func() {
			e.Init(s.players, s.size)
			d.Init(s.players, s.size)
			b = e.Append(b[:0], want, 1)
			if err := d.Decode(got, b, 1); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%+v: %v allocations", s, n)
		}
	}
}

// A block that is damaged, cut or from another position is either refused, or
// equals another block that an encoder writes: any inputs have only one encoding.
func TestDamagedBlocksAreRefused(t *testing.T) {
	for seed, s := range shapes {
		if s.size == 0 {
			continue
		}
		want := rows(s, rand.New(rand.NewPCG(uint64(seed), 1)), 40)
		var e coder.Encoder
		e.Init(s.players, s.size)
		b := e.Append(nil, want, 9)
		refused := func(name string, b []byte, mark uint16) {
			t.Helper()
			if decode(s, len(want), b, mark) != nil {
				t.Errorf("%+v: %s is taken", s, name)
			}
		}
		refused("another mark", b, 8)
		refused("a byte more", append(bytes.Clone(b), 0), 9)
		for n := range b {
			refused("a cut block", b[:n], 9)
		}
		for bit := range min(8*len(b), 4000) {
			damaged := bytes.Clone(b)
			damaged[bit/8] ^= 1 << (bit % 8)
			if got := decode(s, len(want), damaged, 9); got != nil {
				e.Init(s.players, s.size)
				if again := e.Append(nil, got, 9); !bytes.Equal(again, damaged) {
					t.Fatalf("%+v: % x with bit %d flipped is taken, but written as % x", s, b, bit, again)
				}
			}
		}
	}
}

// decode returns what a first block decodes to, or nil.
func decode(s shape, size int, b []byte, mark uint16) []byte {
	var d coder.Decoder
	d.Init(s.players, s.size)
	got := make([]byte, size)
	if err := d.Decode(got, b, mark); err != nil {
		return nil
	}
	return got
}

// FuzzCoder: any bytes are refused, or are the one encoding of what they decode to.
func FuzzCoder(f *testing.F) {
	for i, s := range shapes {
		var e coder.Encoder
		e.Init(s.players, s.size)
		f.Add(uint8(i), uint16(40), e.Append(nil, rows(s, rand.New(rand.NewPCG(uint64(i), 1)), 40), 9))
	}
	f.Fuzz(func(t *testing.T, which uint8, frames uint16, b []byte) {
		s := shapes[int(which)%len(shapes)]
		n := int(frames) % 1000
		var d coder.Decoder
		var e coder.Encoder
		d.Init(s.players, s.size)
		e.Init(s.players, s.size)
		for block := range 3 {
			got := make([]byte, n*s.players*s.size)
			if err := d.Decode(got, b, 9); err != nil {
				if !errors.Is(err, coder.ErrData) {
					t.Fatal(err)
				}
				return
			}
			if again := e.Append(nil, got, 9); !bytes.Equal(again, b) {
				t.Fatalf("block %d: % x is written again as % x", block, b, again)
			}
		}
	})
}
