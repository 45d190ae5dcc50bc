package tbr

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packed is the flag of keyframes and orders that are compressed with zstd.
const packed Flags = 0x10

// packWindow is how far back zstd looks.
const packWindow = 1 << 20

// packer compresses; its output depends only on its input.
type packer struct{ z *zstd.Encoder }

// pack returns b compressed, and the flag for that, or b itself if compressing does not make it shorter.
func (p *packer) pack(dst, b []byte) ([]byte, Flags) {
	if p.z == nil {
		// These options are all valid.
		p.z, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
			zstd.WithWindowSize(packWindow), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	}
	if c := p.z.EncodeAll(b, dst[:0]); len(c) < len(b) {
		return c, packed
	}
	return b, 0
}

// unpacker decompresses.
type unpacker struct{ z *zstd.Decoder }

// unpackers holds unpackers that are not in use: making one takes longer than unpacking most states.
var unpackers = sync.Pool{New: func() any { return new(unpacker) }}

// unpack returns the unpacked bytes, which must not exceed the given size. It allocates as it decompresses, whatever a
// header claims. With a concurrency of 1, this runs in the caller's goroutine, and there is nothing to close.
func (u *unpacker) unpack(b []byte, most int) ([]byte, bool) {
	if u.z == nil {
		// These options are all valid.
		u.z, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(packWindow))
	}
	if err := u.z.Reset(bytes.NewReader(b)); err != nil {
		return nil, false
	}
	out, err := io.ReadAll(io.LimitReader(u.z, int64(most)+1))
	return out, err == nil && len(out) <= most
}
