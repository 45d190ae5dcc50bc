package rbn1_test

import (
	"testing"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/internal/floor"
)

// The floor of both directions is the copy of the packet's 87 bytes.
func BenchmarkPacket(b *testing.B) {
	header := rbn1.Header{StartFrame: 1000, AckFrame: 990, HasChecksum: true, ChecksumFrame: 980, Checksum: 1}
	buttons := make([]uint16, rbn1.MaxInputs)
	var packet, other [rbn1.MaxSize]byte
	copyPacket := func(n int) {
		for range n {
			copy(other[:], packet[:])
		}
	}
	b.Run("encode", func(b *testing.B) {
		floor.Compare(b, copyPacket, func(n int) {
			for range n {
				if _, err := rbn1.Encode(packet[:], header, buttons); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("decode", func(b *testing.B) {
		size, _ := rbn1.Encode(packet[:], header, buttons)
		floor.Compare(b, copyPacket, func(n int) {
			for range n {
				if _, _, err := rbn1.DecodeInto(buttons, packet[:size]); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
