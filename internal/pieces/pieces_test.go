package pieces

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// Rule: what is packed is unpacked, behind what is there already; noise is not packed.
func TestPiecesComeBack(t *testing.T) {
	var p Packer
	var u Unpacker
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1000, 4096, Size - 1, Size} {
		plain, noise := make([]byte, n), make([]byte, n)
		for i := range plain {
			plain[i], noise[i] = byte(r.IntN(3)), byte(r.Uint32())
		}
		b := p.Pack(plain)
		if len(b) == 0 || len(b) > n/2+20 {
			t.Fatalf("%d bytes become %d", n, len(b))
		}
		out, err := u.Unpack([]byte("before"), b, n)
		if err != nil || string(out[:6]) != "before" || !bytes.Equal(out[6:], plain) {
			t.Errorf("%d bytes: %v", n, err)
		}
		if out, err = u.Unpack(nil, b, n-1); !errors.Is(err, ErrPiece) || len(out) > 0 {
			t.Errorf("%d bytes, with room for one less: %v", n, err)
		}
		if p.Pack(noise) != nil {
			t.Errorf("%d bytes of noise are packed", n)
		}
	}
	if _, err := u.Unpack(nil, p.Pack(make([]byte, 64*Size)), 1<<30); !errors.Is(err, ErrPiece) {
		t.Error("a piece that is too long is taken")
	}
}

// Frozen: all machines send the same bytes.
func TestFrozenPiece(t *testing.T) {
	var p Packer
	plain := bytes.Repeat([]byte("tickback "), 100)
	sum := uint64(0)
	for _, b := range p.Pack(plain) {
		sum = sum*1099511628211 + uint64(b)
	}
	if want := uint64(0xdaca615156251de3); sum != want {
		t.Errorf("%#x", sum)
	}
}
