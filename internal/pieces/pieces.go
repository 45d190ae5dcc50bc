// Package pieces compresses states piece by piece, for code that must not be delayed. It does not know what is in
// them.
//
//   - [Packer]: a piece to bytes
//   - [Unpacker]: and back, from bytes that are not trusted
package pieces

import (
	"errors"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Size is the maximum size of a piece in bytes.
const Size = 8 << 10

// Packer compresses pieces. Equal pieces give equal output, on every machine. The zero value is ready to use.
type Packer struct {
	z interface{ EncodeAll(src, dst []byte) []byte }
}

// Pack returns a piece compressed, or nil if it becomes shorter by less than a sixteenth.
//
//detlint:ignore concurrency it has no goroutines with a concurrency of 1, and whoever unpacks gets the same bytes whatever was made of them
func (p *Packer) Pack(piece []byte) []byte {
	if p.z == nil {
		// All of these options are valid; with a concurrency of 1 there are no goroutines.
		p.z, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithWindowSize(Size), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	}
	if b := p.z.EncodeAll(piece, nil); len(b) < len(piece)*15/16 {
		return b
	}
	return nil
}

// ErrPiece is returned for bytes that are not a piece, or for a piece that is too long.
var ErrPiece = errors.New("pieces: a piece is damaged, or too long")

// Unpacker decompresses pieces. The zero value is ready to use.
type Unpacker struct {
	z interface {
		DecodeAll(input, dst []byte) ([]byte, error)
	}
}

// Unpack appends a piece, which may have at most left bytes, to b. The error is [ErrPiece], and then b is unchanged.
// It uses no more memory than a piece has, whatever the bytes say.
//
//detlint:ignore concurrency it has no goroutines with a concurrency of 1, and the format has one meaning
func (u *Unpacker) Unpack(b, piece []byte, left int) ([]byte, error) {
	if u.z == nil {
		// All of these options are valid.
		u.z, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(1<<10+Size), zstd.WithDecodeAllCapLimit(true))
	}
	most := len(b) + min(left, Size)
	b = slices.Grow(b, most-len(b))
	out, err := u.z.DecodeAll(piece, b[:len(b):most])
	if err != nil || len(out) == len(b) {
		return b, ErrPiece
	}
	return out, nil
}
