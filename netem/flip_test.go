package netem_test

import (
	"math/bits"
	"testing"

	"github.com/tickback/tickback/netem"
)

// One to four bits are flipped: each number and each bit occurs, and never none. An empty datagram stays empty.
func TestFlipBits(t *testing.T) {
	for _, size := range []int{0, 1, 2, 25, 200} {
		flips := make([]int, 8)
		touched := make([]byte, size)
		for damage := range uint64(20_000) {
			b := make([]byte, size)
			netem.FlipBits(b, damage)
			n := 0
			for i, x := range b {
				n += bits.OnesCount8(x)
				touched[i] |= x
			}
			flips[n]++
			if n > 4 || n < 1 && size > 0 {
				t.Fatalf("%d bytes, damage %d: %d bits are flipped", size, damage, n)
			}
		}
		for i, x := range touched {
			if x != 0xFF {
				t.Fatalf("of byte %d of %d the bits %08b are never flipped", i, size, ^x)
			}
		}
		for n := 1; n <= 4 && size > 0; n++ {
			if flips[n] < 2500 {
				t.Errorf("%d bytes: %d bits are flipped only %d times", size, n, flips[n])
			}
		}
	}
}
