package sight

import (
	"testing"

	"pgregory.net/rapid"
)

// Rule: bits are read as they were written, and their end is
// noticed.
func TestBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type number struct {
			v uint64
			n int
		}
		var list []number
		var w bitWriter
		total := 0
		for range rapid.IntRange(0, 40).Draw(t, "numbers") {
			n := rapid.IntRange(1, 64).Draw(t, "bits")
			v := rapid.Uint64().Draw(t, "value") >> (64 - n)
			w.put(v, uint(n))
			list = append(list, number{v, n})
			total += n
		}
		out := w.close()
		if len(out) != (total+7)/8 {
			t.Fatalf("%d bits take %d bytes", total, len(out))
		}
		r := bitReader{in: append(out, 0xA5)}
		for _, k := range list {
			if v := r.get(k.n); v != k.v || r.short {
				t.Fatalf("%d bits of %x are read as %x", k.n, k.v, v)
			}
		}
		if rest, ok := r.close(); !ok || len(rest) != 1 || rest[0] != 0xA5 {
			t.Fatalf("%x follows: %v", rest, ok)
		}
		if total == 0 {
			return
		}
		r = bitReader{in: out[:len(out)-1]}
		for _, k := range list {
			r.get(k.n)
		}
		if _, ok := r.close(); ok || !r.short {
			t.Fatal("the end is not noticed")
		}
		if v := r.get(9); v != 0 {
			t.Fatalf("behind the end there is %x", v)
		}
	})
	r := bitReader{in: []byte{0x81}}
	r.get(1)
	if _, ok := r.close(); ok {
		t.Error("a one is taken for filling")
	}
}
