package agreed

import "testing"

// The chain is the one in docs/reference/wire.md: rotl64((chain xor h) * 0x9E3779B97F4A7C15, 29) + f. A difference
// stays in the chain for good, even when the hashes are the same again.
func TestTheChainIsThatOfTheDocuments(t *testing.T) {
	chain, other := uint64(0), uint64(0)
	for f := range uint32(100) {
		hash := uint64(f) * 0x0123456789ABCDEF
		x := (chain ^ hash) * 0x9E3779B97F4A7C15
		want := x<<29 | x>>35
		want += uint64(f)
		if chain = AppendChain(chain, hash, f); chain != want {
			t.Fatalf("after frame %d it is %#x, want %#x", f, chain, want)
		}
		if f == 50 {
			hash++
		}
		if other = AppendChain(other, hash, f); (other == chain) != (f < 50) {
			t.Fatalf("after frame %d, the chain of other hashes is the same: %v", f, other == chain)
		}
	}
	if got := AppendChain(1, 2, 3); got != 0x8fbbee87fb54cda8 {
		t.Errorf("the frozen value is %#x", got)
	}
}

// A log may begin late, with a block: its first frame is the one that it returns.
func TestALogThatBeginsLate(t *testing.T) {
	for from, want := range map[uint32]uint32{0: 0, 1: 64, 63: 64, 64: 64, 65: 128} {
		var l Log
		if err := l.Init(shapes[0], 0); err != nil {
			t.Fatal(err)
		}
		if got := l.From(from); got != want || l.First() != want || l.Next() != want {
			t.Errorf("from %d on it begins with %d, and has %d to %d", from, got, l.First(), l.Next())
		}
		for n := range uint32(3) {
			if err := l.Append(&Frame{Number: want + n}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Append(&Frame{Number: want}); err != ErrGap {
			t.Errorf("the first one again: %v", err)
		}
		var r Reader
		if err := r.Init(shapes[0], want); err != nil {
			t.Fatal(err)
		}
		b, next := l.Bytes(want, 1<<32-1, 1<<20)
		for n := range uint32(3) {
			f, rest, err := r.Read(b)
			if err != nil || f.Number != want+n || r.Next() != want+n+1 {
				t.Fatalf("frame %d: %+v, %v", want+n, f, err)
			}
			b = rest
		}
		if next != want+3 || len(b) != 0 {
			t.Errorf("it has frames up to %d, and %d bytes more", next, len(b))
		}
	}
}
