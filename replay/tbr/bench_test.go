package tbr_test

import (
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

const hour = 216_000 // frames at 60 a second

// One operation is one frame of a duel of an hour with hashes and keyframes, read in runs. The floor is copying the
// inputs.
func BenchmarkCursorDuel(b *testing.B) {
	frames := duelFrames(b, hour)
	r := open(b, record(b, duelHeader(60, 0), frames))
	plain := make([]byte, 0, 4*hour)
	for _, f := range frames {
		plain = append(plain, f.Inputs...)
	}
	dst := make([]byte, len(plain))
	floor.CompareWhole(b, hour, func() { copy(dst, plain) }, func() {
		c, err := r.Frames(0)
		for err == nil {
			_, err = c.Run(math.MaxInt32)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	})
}

// Decompresses the same inputs with zstd, in blocks of the same length.
func BenchmarkZstdDuel(b *testing.B) {
	const block = 480 * 4
	var blocks [][]byte
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	var one []byte
	size := 0
	for i, f := range duelFrames(b, hour) {
		if one = append(one, f.Inputs...); len(one) == block || i == hour-1 {
			blocks, one = append(blocks, z.EncodeAll(one, nil)), one[:0]
			size += len(blocks[len(blocks)-1])
		}
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]byte, 0, block)
	for b.Loop() {
		for _, s := range blocks {
			if dst, err = d.DecodeAll(s, dst[:0]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/hour, "ns/frame")
	b.ReportMetric(float64(size)/hour, "bytes/frame")
}

// One operation is one frame written, with its hash once a second.
func BenchmarkWriteDuel(b *testing.B) {
	frames := duelFrames(b, hour)
	for b.Loop() {
		w, err := tbr.NewWriter(io.Discard, duelHeader(60, tbr.NoKeyframes))
		for i := 0; err == nil && i < len(frames); i++ {
			if err = w.Frame(frames[i]); err == nil {
				err = w.Hash(frames[i].Number+1, 1)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/hour, "ns/frame")
}

// One operation opens a recording of an hour, finds the keyframe before a frame and
// reads that frame: a different one each time.
func BenchmarkSeekInAnHour(b *testing.B) {
	file := record(b, duelHeader(60, 0), duelFrames(b, hour))
	at := uint32(1)
	for b.Loop() {
		at = at * 48271 % hour
		r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := r.Keyframe(at); err != nil && at >= 3840 {
			b.Fatal(err)
		}
		c, err := r.Frames(at)
		if err != nil {
			b.Fatal(err)
		}
		if f, err := c.Next(); err != nil || f.Number != at {
			b.Fatal(err)
		}
	}
}

// One operation is one frame of eight players with inputs of 64 bytes.
func BenchmarkCursorLargest(b *testing.B) {
	const n = 2400
	s := agreed.Shape{Players: 8, InputSize: 64}
	r := open(b, record(b, tbr.Header{Shape: s, TickRate: 60}, newMatch(s, 1, 0).frames(n)))
	for b.Loop() {
		c, err := r.Frames(0)
		for err == nil {
			_, err = c.Run(math.MaxInt32)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/frame")
}
