package datagram

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// Numbers are the varints of encoding/binary, and are read back.
func TestNumbersAreLEB128(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint32().Draw(t, "v") >> rapid.IntRange(0, 31).Draw(t, "shift")
		b := AppendUint([]byte{7}, v)[1:]
		if want := binary.AppendUvarint(nil, uint64(v)); !bytes.Equal(b, want) {
			t.Fatalf("%d is % x, not % x", v, b, want)
		}
		for n := range b {
			if _, took := ConsumeUint(b[:n]); took != 0 {
				t.Fatalf("%d bytes of % x are a number", n, b)
			}
		}
		if got, n := ConsumeUint(append(b, 9)); got != v || n != len(b) {
			t.Fatalf("% x is %d, %d bytes", b, got, n)
		}
	})
}

// Differences are the zigzag varints of encoding/binary.
func TestDifferencesAreZigzag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int32().Draw(t, "v") >> rapid.IntRange(0, 31).Draw(t, "shift")
		b := AppendInt(nil, v)
		if want := binary.AppendVarint(nil, int64(v)); !bytes.Equal(b, want) {
			t.Fatalf("%d is % x, not % x", v, b, want)
		}
		if got, n := ConsumeInt(b); got != v || n != len(b) {
			t.Fatalf("% x is %d, %d bytes", b, got, n)
		}
	})
}

// Every number has only one encoding, and none is above 2^32-1.
func TestOtherFormsAreNoNumbers(t *testing.T) {
	for _, b := range [][]byte{
		{0x80, 0x00},
		{0xFF, 0x80, 0x00},
		{0x80, 0x80, 0x80, 0x80, 0x00},
		{0x80, 0x80, 0x80, 0x80, 0x10},
		{0xFF, 0xFF, 0xFF, 0xFF, 0x7F},
		{0xFF, 0xFF, 0xFF, 0xFF, 0x8F, 0x00},
		{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01},
		{},
	} {
		if v, n := ConsumeUint(b); n != 0 || v != 0 {
			t.Errorf("% x is %d, %d bytes", b, v, n)
		}
	}
	if v, n := ConsumeUint([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0x0F}); v != 1<<32-1 || n != 5 {
		t.Errorf("the largest number is %d, %d bytes", v, n)
	}
}

func TestFrozenNumbers(t *testing.T) {
	for _, c := range []struct {
		v    uint32
		want []byte
	}{
		{0, []byte{0}},
		{127, []byte{0x7F}},
		{128, []byte{0x80, 0x01}},
		{300, []byte{0xAC, 0x02}},
		{16384, []byte{0x80, 0x80, 0x01}},
		{1<<32 - 1, []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x0F}},
	} {
		if b := AppendUint(nil, c.v); !bytes.Equal(b, c.want) {
			t.Errorf("%d is % x, not % x", c.v, b, c.want)
		}
	}
	for v, want := range map[int32]byte{0: 0, -1: 1, 1: 2, -2: 3, 2: 4, -64: 127} {
		if b := AppendInt(nil, v); len(b) != 1 || b[0] != want {
			t.Errorf("%d is % x, not %x", v, b, want)
		}
	}
}

// A number is derived from its low bits if it is less than 2^15 away from the expected one, even where 16 or 32 bits
// wrap.
func TestWidenFindsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 70000),
			rapid.Uint32Range(1<<32-70000, 1<<32-1)).Draw(t, "near")
		off := rapid.Int32Range(-1<<15, 1<<15-1).Draw(t, "off")
		want := near + uint32(off)
		if got := Widen(near, uint16(want)); got != want {
			t.Fatalf("%d near %d is %d", want, near, got)
		}
	})
	for _, c := range []struct {
		near uint32
		low  uint16
		want uint32
	}{
		{0xFFFF, 0, 0x10000},
		{0x10000, 0xFFFF, 0xFFFF},
		{0, 0xFFFF, 1<<32 - 1},
		{1<<32 - 1, 0, 0},
		{100, 100 + 1<<15 - 1, 100 + 1<<15 - 1},
		{1 << 20, 1 << 15, 1<<20 - 1<<15},
	} {
		if got := Widen(c.near, c.low); got != c.want {
			t.Errorf("%x near %x is %x, not %x", c.low, c.near, got, c.want)
		}
	}
}
