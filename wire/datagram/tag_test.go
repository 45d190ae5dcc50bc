package datagram

import (
	"bytes"
	"testing"

	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

// A tag is accepted, and the body is returned.
func TestTagsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, sequence := Key(rapid.Uint64().Draw(t, "key")), rapid.Uint64().Draw(t, "sequence")
		body := rapid.SliceOfN(rapid.Byte(), 1, MaxSize-TagSize).Draw(t, "body")
		before := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "before")
		b := k.Seal(append(bytes.Clone(before), body...), len(before), sequence)
		got, ok := k.Open(b[len(before):], sequence)
		if !ok || !bytes.Equal(got, body) {
			t.Fatalf("%v, %x", ok, got)
		}
	})
}

// Any flipped bit, another key, another number, and the other direction are noticed.
func TestTagsFindEveryFlippedBit(t *testing.T) {
	k := KeyOf(11, 22)
	for _, size := range []int{1, 9, 17, 130, 241, 700, MaxSize - TagSize} {
		b := k.Seal(bytes.Repeat([]byte{0xA5}, size), 0, 7)
		for bit := range 8 * len(b) {
			b[bit/8] ^= 1 << (bit % 8)
			if _, ok := k.Open(b, 7); ok {
				t.Errorf("bit %d of %d bytes was flipped", bit, len(b))
			}
			b[bit/8] ^= 1 << (bit % 8)
		}
		if _, ok := k.Open(b, 7); !ok {
			t.Errorf("%d bytes: nothing was flipped", size)
		}
		for _, other := range []struct {
			key      Key
			sequence uint64
		}{{k, 8}, {k, 6}, {k, 7 + 1<<16}, {k + 1, 7}, {KeyOf(22, 11), 7}} {
			if _, ok := other.key.Open(b, other.sequence); ok {
				t.Errorf("%d bytes: %v opens it", size, other)
			}
		}
	}
}

// A datagram that consists of a tag alone is invalid.
func TestTagNeedsADatagram(t *testing.T) {
	b := Key(1).Seal(nil, 0, 0)
	for n := range len(b) + 1 {
		if body, ok := Key(1).Open(b[:n], 0); ok || body != nil {
			t.Errorf("%d bytes were opened", n)
		}
	}
}

// docs/reference/wire.md says so.
func TestFrozenTags(t *testing.T) {
	k := KeyOf(1, 2)
	if k != 0x07EE86C281446BEF || k != Key(xxh3.Hash([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0})) {
		t.Errorf("the key is %#x", k)
	}
	b := []byte{0xC1, 0x2A, 0, 0x6C, 0, 8, 3, 0x31, 5, 0x23, 1, 0x80}
	want := []byte{0x1F, 0xC9, 0x29, 0x3F, 0xAB, 0x65, 0x26, 0xCD}
	if got := k.Seal(b, 0, 42)[len(b):]; !bytes.Equal(got, want) {
		t.Errorf("the tag is % x, not % x", got, want)
	}
}
