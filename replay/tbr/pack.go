package tbr

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packed is the flag of keyframes and orders that are compressed with zstd.
const packed Flags = 0x10

// packWindow is the size in bytes of zstd's window: how far back it looks for repetitions.
const packWindow = 1 << 20

// packer compresses data. Its output depends only on its input.
type packer struct {
	z   *zstd.Encoder
	out []byte
}

// pack returns b compressed, with the flag for that, which is valid until the next call. If that would not be shorter,
// it returns b itself.
func (p *packer) pack(b []byte) ([]byte, Flags) {
	if p.z == nil {
		// These options are all valid.
		p.z, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
			zstd.WithWindowSize(packWindow), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	}
	if p.out = p.z.EncodeAll(b, p.out[:0]); len(p.out) < len(b) {
		return p.out, packed
	}
	return b, 0
}

// unpacker decompresses.
type unpacker struct{ z *zstd.Decoder }

// unpackers holds unpackers that are not in use: making one takes longer than unpacking most states.
var unpackers = sync.Pool{New: func() any { return new(unpacker) }}

// unpack returns the unpacked bytes, which must not exceed the given size. It allocates memory as it decompresses, not
// according to the header's claims. With a concurrency of 1, this runs in the caller's goroutine, and there is nothing
// to close.
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
