package tbr

import "testing"

// Numbers are as short as possible, so that nothing has two encodings: one that ends
// with a zero byte is refused, at the front of a chunk and in its payload.
func TestNumbersAreAsShortAsTheyCanBe(t *testing.T) {
	for _, c := range []struct {
		b    []byte
		v    uint64
		good bool
	}{
		{[]byte{0}, 0, true},
		{[]byte{5}, 5, true},
		{[]byte{0x80, 1}, 128, true},
		{[]byte{0x80, 0}, 0, false},
		{[]byte{0x85, 0}, 0, false},
		{[]byte{0x80, 0x80, 1}, 1 << 14, true},
		{[]byte{0x80, 0x80, 0}, 0, false},
		{[]byte{0x80, 0x81, 0}, 0, false},
		{[]byte{0x80}, 0, false},
		{nil, 0, false},
	} {
		p := parser{b: c.b}
		if v := p.uint(1 << 20); v != c.v || p.bad == c.good {
			t.Errorf("% x: %d, refused %v", c.b, v, p.bad)
		}
		// The front of a chunk: its kind, its flags, and its size.
		head := append([]byte("DATA\x00"), c.b...)
		chunk, n := consumeHead(append(head, 0)[:max(len(head), 6)])
		if good := n == len(head) && uint64(chunk.Size) == c.v; len(c.b) > 0 && good != c.good {
			t.Errorf("the size % x: %d bytes of a front, size %d", c.b, n, chunk.Size)
		}
	}
	p := parser{b: []byte{0x80, 1}}
	if p.uint(127); !p.bad {
		t.Error("128 is taken where 127 is the most")
	}
}
